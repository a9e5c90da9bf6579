import { useProperty } from '../property/useProperty.ts';
import { PageLink } from './PageLink.tsx';
import { sectionOf } from './pages.tsx';
import { TabRow } from './TabRow.tsx';

/** The pages of the section that the open page is of, as tabs; nothing where they are listed elsewhere, or where it has one page. */
export function SectionTabs({ here }: { here: string | undefined }) {
  const property = useProperty();
  const section = sectionOf(here);
  if (property === null || section === undefined || here === undefined) return null;
  const { label, pages, isListed = false } = section;
  if (pages.length < 2 || isListed) return null;
  return (
    <TabRow label={`Pages of ${label}`} here={here}>
      {pages.map((page) => (
        <PageLink
          key={page.name}
          page={page}
          propertyId={property.id}
          className="tab"
          active={page.name === here}
        >
          {page.label}
        </PageLink>
      ))}
    </TabRow>
  );
}
