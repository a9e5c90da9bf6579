import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import type { Property } from '../api/types.ts';
import { PAGES } from '../features/page/pages.tsx';
import { useProperties } from '../features/property/useProperty.ts';
import { useCarriedOver } from '../features/reports/carried.ts';
import { useMay, useSession } from '../features/session/useSession.ts';
import { IconCheck, IconChevrons, IconOrganization, IconPlus } from '../parts/icons.tsx';
import { Menu } from '../parts/overlays/Menu.tsx';

/** From the edge of the rail's content to the button, in pixels. */
const SWITCHER_LEFT = 37;

export function PropertySwitcher({ current }: { current: Property }) {
  const properties = useProperties();
  const navigate = useNavigate();
  const carriedOver = useCarriedOver();
  const { organization } = useSession();
  const mayChange = useMay('organization');
  // Switching keeps the page, so that properties can be compared.
  const name = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  const page = PAGES.find((one) => one.name === name);
  return (
    <Menu
      className="switcher"
      // Beside the logo: the menu is as wide as the rail's content, and begins where that does.
      shift={-SWITCHER_LEFT}
      label={`Property: ${current.name} ${current.domain}. Switch property`}
      face={
        <>
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
          <menu.Label className="menu-label">{organization?.name ?? 'Properties'}</menu.Label>
          {properties.map((property) => (
            <menu.Item
              key={property.id}
              className="menu-item"
              onSelect={() =>
                void navigate({
                  to: page === undefined ? '/p/$propertyId' : `/p/$propertyId/${page.name}`,
                  params: { propertyId: property.id },
                  search: page === undefined ? {} : carriedOver(page.name, property.id),
                })
              }
            >
              <span className="initials" aria-hidden="true" data-letters={[...property.name].slice(0, 1)} />
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
