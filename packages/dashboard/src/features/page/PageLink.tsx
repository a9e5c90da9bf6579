import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCarriedOver } from '../reports/carried.ts';
import type { PageEntry, Section } from './pages.tsx';

interface PageLinkProps {
  page: PageEntry;
  propertyId: string;
  className: string;
  /** The page, or its section, is open. */
  active: boolean;
  onFollow?: () => void;
  children: ReactNode;
}

/** A link to a page of the property, with the period and the filters that it shows. */
export function PageLink({
  page: { name, key },
  propertyId,
  className,
  active,
  onFollow,
  children,
}: PageLinkProps) {
  const carriedOver = useCarriedOver();
  return (
    <Link
      to={`/p/$propertyId/${name}`}
      params={{ propertyId }}
      search={carriedOver(name)}
      className={active ? `${className} active` : className}
      // Not the router's own, which knows nothing of sections.
      activeProps={{ className: '' }}
      aria-current={active ? 'page' : undefined}
      aria-keyshortcuts={`G ${key.toUpperCase()}`}
      {...(onFollow === undefined ? {} : { onClick: onFollow })}
    >
      {children}
    </Link>
  );
}

interface SectionLinkProps {
  section: Section;
  propertyId: string;
  /** The page that is open. */
  here: string | undefined;
  onFollow?: () => void;
}

/** An entry of the rail. It opens the section's first page, and shows the badges of all of them. */
export function SectionLink({ section: { label, icon, pages }, here, ...rest }: SectionLinkProps) {
  const [first] = pages;
  if (first === undefined) return null;
  return (
    <PageLink page={first} className="rail-link" active={pages.some(({ name }) => name === here)} {...rest}>
      {icon}
      <span>{label}</span>
      {pages.map(
        ({ name, Badge }) => Badge !== undefined && <Badge key={name} propertyId={rest.propertyId} />,
      )}
      <span className="kbd rail-keys" aria-hidden="true">
        G {first.key.toUpperCase()}
      </span>
    </PageLink>
  );
}
