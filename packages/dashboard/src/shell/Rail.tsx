import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Property } from '../api/types.ts';
import { DAILY_PAGES, PAGE_GROUPS, PAGES } from '../features/page/pages.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { IconKeyboard, IconMenu, IconSearch } from '../parts/icons.tsx';
import { Logo } from '../parts/Logo.tsx';
import { PageLink } from './PageLink.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { PropertySwitcher } from './PropertySwitcher.tsx';

interface RailProps {
  property: Property;
  onJump: () => void;
  onHelp: () => void;
}

/** The pages at the left; on a phone a bar at the bottom with the daily pages, and a menu with all. */
export function Rail({ property, onJump, onHelp }: RailProps) {
  const nav = useRef<HTMLElement>(null);
  const [menuOpen, setMenuOpen] = useState(false);
  useSeenEntry(nav);
  return (
    <div className="rail">
      <div className="rail-head">
        <Logo />
        <PropertySwitcher current={property} />
      </div>
      <nav ref={nav} className="rail-nav" aria-label="Pages">
        <Groups propertyId={property.id} />
      </nav>
      <nav className="tab-bar" aria-label="Daily pages">
        {PAGES.filter(({ name }) => DAILY_PAGES.includes(name)).map((page) => (
          <PageLink key={page.name} page={page} propertyId={property.id} />
        ))}
        <button type="button" className="rail-link" aria-haspopup="dialog" onClick={() => setMenuOpen(true)}>
          <IconMenu />
          <span>More</span>
        </button>
      </nav>
      {menuOpen && (
        <Dialog title="Pages" onClose={() => setMenuOpen(false)}>
          <nav className="page-menu" aria-label="All pages">
            <Groups propertyId={property.id} onFollow={() => setMenuOpen(false)} />
          </nav>
        </Dialog>
      )}
      <div className="rail-foot">
        <div className="rail-tools">
          <button
            type="button"
            className="rail-link"
            aria-haspopup="dialog"
            aria-keyshortcuts="Meta+K Control+K"
            onClick={onJump}
          >
            <IconSearch />
            <span>Jump to</span>
            <span className="kbd rail-keys" aria-hidden="true">
              {/Mac|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}
            </span>
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Shortcuts"
            aria-keyshortcuts="?"
            title="Keyboard shortcuts (?)"
            onClick={onHelp}
          >
            <IconKeyboard />
          </button>
        </div>
        <PersonMenu />
      </div>
    </div>
  );
}

function Groups({ propertyId, onFollow }: { propertyId: string; onFollow?: () => void }) {
  return PAGE_GROUPS.map(({ title, pages }) => (
    <div key={title} className="rail-group">
      {title !== '' && <p className="rail-title">{title}</p>}
      {pages.map((page) => (
        <PageLink
          key={page.name}
          page={page}
          propertyId={propertyId}
          {...(onFollow === undefined ? {} : { onFollow })}
        />
      ))}
    </div>
  ));
}

/** In a low window the list of pages scrolls: this scrolls to the entry of the open page. */
function useSeenEntry(nav: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
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
  }, [pathname, nav]);
}
