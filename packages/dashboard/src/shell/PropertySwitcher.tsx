import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import type { Property } from '../api/types.ts';
import { PAGES } from '../features/page/pages.tsx';
import { useOrganizationName } from '../features/people/useOrganizationName.ts';
import { useProperties } from '../features/property/useProperty.ts';
import { useCarriedOver } from '../features/reports/carried.ts';
import { useMay } from '../features/session/useSession.ts';
import { Initials } from '../parts/Initials.tsx';
import { IconCheck, IconChevrons, IconOrganization, IconPlus } from '../parts/icons.tsx';
import { Menu } from '../parts/overlays/Menu.tsx';

export function PropertySwitcher({ current }: { current: Property }) {
  const properties = useProperties();
  const navigate = useNavigate();
  const carriedOver = useCarriedOver();
  const mayChange = useMay('organization');
  // Switching keeps the page, so that properties can be compared.
  const name = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  const page = PAGES.find((one) => one.name === name);
  return (
    <Menu
      className="switcher"
      label={`Property: ${current.name} ${current.domain}. Switch property`}
      title="Switch property"
      face={
        <>
          <Initials name={current.name} of="place" />
          <span className="switcher-text">
            <span className="switcher-name">{current.name}</span>{' '}
            <span className="switcher-domain">{current.domain}</span>
          </span>
          <IconChevrons />
        </>
      }
    >
      {(menu) => (
        <>
          <menu.Label className="menu-label">
            <Whose />
          </menu.Label>
          {properties.map((property) => (
            <menu.Item
              key={property.id}
              className="menu-item"
              data-current={property.id === current.id}
              onSelect={() =>
                void navigate({
                  to: page === undefined ? '/p/$propertyId' : `/p/$propertyId/${page.name}`,
                  params: { propertyId: property.id },
                  search: page === undefined ? {} : carriedOver(page.name, property.id),
                })
              }
            >
              <Initials name={property.name} of="place" />
              <span className="menu-item-text">
                <span>{property.name}</span>
                <span className="menu-item-detail">{property.domain}</span>
              </span>
              {property.id === current.id && <IconCheck label="current" />}
            </menu.Item>
          ))}
          <menu.Separator className="menu-separator" />
          {mayChange && (
            <menu.Item className="menu-item" asChild>
              <Link to="/properties/new">
                <IconPlus />
                <span className="menu-item-text">New property</span>
              </Link>
            </menu.Item>
          )}
          <menu.Item className="menu-item" asChild>
            <Link to="/organization">
              <IconOrganization />
              <span className="menu-item-text">Organization settings</span>
            </Link>
          </menu.Item>
        </>
      )}
    </Menu>
  );
}

/** Whose properties these are. */
function Whose() {
  const name = useOrganizationName();
  return name === null ? 'Properties of all organizations' : `Organization: ${name}`;
}

/** The property that was open last in this browser. */
const KEY = 'ghostlight.property';

export function lastProperty(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function rememberProperty(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Without storage the first property is opened.
  }
}
