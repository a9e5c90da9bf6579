import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Property } from '../api/types.ts';
import { SectionLink } from '../features/page/PageLink.tsx';
import { DAILY_PAGES, PAGE_GROUPS, sectionOf } from '../features/page/pages.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { IconMenu } from '../parts/icons.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { PropertySwitcher } from './PropertySwitcher.tsx';
import { RailBrand } from './RailBrand.tsx';
import { RailTools } from './RailTools.tsx';

interface RailProps {
  property: Property;
  /** The page that is open. */
  here: string | undefined;
  onJump: () => void;
  onHelp: () => void;
}

/** The sections at the left; on a phone a bar at the bottom with the daily ones, and a menu with all. */
export function Rail({ property, here, onJump, onHelp }: RailProps) {
  const nav = useRef<HTMLElement>(null);
  const [menuOpen, setMenuOpen] = useState(false);
  useSeenEntry(nav, here);
  return (
    <div className="rail">
      <header className="rail-head">
        <RailBrand />
        <PropertySwitcher current={property} />
      </header>
      <nav ref={nav} className="rail-nav" aria-label="Pages">
        <Groups propertyId={property.id} here={here} />
      </nav>
      <nav className="tab-bar" aria-label="Daily pages">
        {DAILY_PAGES.map((name) => {
          const section = sectionOf(name);
          return section && <SectionLink key={name} section={section} propertyId={property.id} here={here} />;
        })}
        <button
          type="button"
          // The open page is in its menu.
          className={
            DAILY_PAGES.some((name) => sectionOf(name) === sectionOf(here)) ? 'rail-link' : 'rail-link active'
          }
          aria-haspopup="dialog"
          onClick={() => setMenuOpen(true)}
        >
          <IconMenu />
          <span>More</span>
        </button>
      </nav>
      {menuOpen && (
        <Dialog title="Menu" onClose={() => setMenuOpen(false)} dense>
          <nav className="page-menu" aria-label="All pages">
            <Groups propertyId={property.id} here={here} onFollow={() => setMenuOpen(false)} />
          </nav>
        </Dialog>
      )}
      <div className="rail-foot">
        <RailTools onSearch={onJump} onHelp={onHelp} />
        <PersonMenu />
      </div>
    </div>
  );
}

interface GroupsProps {
  propertyId: string;
  here: string | undefined;
  onFollow?: () => void;
}

function Groups(props: GroupsProps) {
  return PAGE_GROUPS.map(({ title, sections }) => (
    <div key={title} className="rail-group">
      <p className="rail-title">{title}</p>
      {sections.map((section) => (
        <SectionLink key={section.label} section={section} {...props} />
      ))}
    </div>
  ));
}

/** In a low window the list of sections scrolls: this scrolls to the entry of the open page. */
function useSeenEntry(nav: RefObject<HTMLElement | null>, here: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that is open decides which entry is active
  useEffect(() => {
    const { current } = nav;
    const entry = current?.querySelector<HTMLElement>('.rail-link.active');
    if (current === null || !entry) return;
    const [top, bottom] = [
      entry.offsetTop - current.offsetTop,
      entry.offsetTop - current.offsetTop + entry.offsetHeight,
    ];
    // Not scrollIntoView, which would scroll the page too.
    if (top < current.scrollTop || bottom > current.scrollTop + current.clientHeight)
      current.scrollTo({ top: top - current.clientHeight / 2 });
  }, [here, nav]);
}
