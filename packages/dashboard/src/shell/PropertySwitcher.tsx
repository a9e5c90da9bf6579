import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { DropdownMenu } from 'radix-ui';
import type { Property } from '../api/types.ts';
import { PAGES } from '../features/page/pages.tsx';
import { useProperties } from '../features/property/useProperty.ts';
import { useCarriedOver } from '../features/reports/carried.ts';
import { useMay } from '../features/session/useSession.ts';
import { IconCheck, IconChevrons, IconPlus } from '../parts/icons.tsx';

/** Not modal, because the modal form locks scrolling with an inline style element, which the content policy forbids. */
export function PropertySwitcher({ current }: { current: Property }) {
  const properties = useProperties();
  const navigate = useNavigate();
  const carriedOver = useCarriedOver();
  const mayChange = useMay('organization');
  // Switching keeps the page, so that properties can be compared.
  const name = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  const page = PAGES.find((one) => one.name === name);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="switcher"
        aria-label={`Property: ${current.name} ${current.domain}. Switch property`}
      >
        <span className="switcher-text">
          <span className="switcher-name">{current.name}</span>{' '}
          <span className="switcher-domain">{current.domain}</span>
        </span>
        <IconChevrons />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.Label className="menu-label">Properties</DropdownMenu.Label>
          {properties.map((property) => (
            <DropdownMenu.Item
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
              <span className="menu-item-text">
                <span>{property.name}</span>
                <span className="menu-item-detail">{property.domain}</span>
              </span>
              {property.id === current.id && <IconCheck label="open now" />}
            </DropdownMenu.Item>
          ))}
          {mayChange && (
            <>
              <DropdownMenu.Separator className="menu-separator" />
              <DropdownMenu.Item className="menu-item" asChild>
                <Link to="/properties/new">
                  <IconPlus />
                  <span className="menu-item-text">New property</span>
                </Link>
              </DropdownMenu.Item>
            </>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
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
