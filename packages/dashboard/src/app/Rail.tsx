import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { Property } from '../api/types.ts';
import {
  IconConversions,
  IconDeliveries,
  IconDestinations,
  IconKey,
  IconKeyboard,
  IconLive,
  IconScript,
  IconSettings,
  IconSetup,
  IconTools,
  IconWebhooks,
} from '../parts/icons.tsx';
import { Logo } from '../parts/Logo.tsx';
import { PropertySwitcher } from './PropertySwitcher.tsx';
import { SetupState } from './SetupState.tsx';
import { SignOutButton } from './SignOutButton.tsx';
import { useSeenEntry } from './useSeenEntry.ts';

interface Entry {
  to: `/p/$propertyId/${'live' | 'conversions' | 'deliveries' | 'setup' | 'sdk' | 'webhooks' | 'destinations' | 'webmcp' | 'keys' | 'settings'}`;
  label: string;
  icon: ReactNode;
  keys: string;
}

/** Pages in the order of the rail: what is looked at daily, then what is set up. */
const ENTRIES: readonly Entry[] = [
  { to: '/p/$propertyId/live', label: 'Live', icon: <IconLive />, keys: 'G L' },
  { to: '/p/$propertyId/conversions', label: 'Conversions', icon: <IconConversions />, keys: 'G C' },
  { to: '/p/$propertyId/deliveries', label: 'Deliveries', icon: <IconDeliveries />, keys: 'G V' },
  { to: '/p/$propertyId/setup', label: 'Set-up', icon: <IconSetup />, keys: 'G S' },
  { to: '/p/$propertyId/sdk', label: 'SDK', icon: <IconScript />, keys: 'G D' },
  { to: '/p/$propertyId/webhooks', label: 'Webhooks', icon: <IconWebhooks />, keys: 'G H' },
  { to: '/p/$propertyId/destinations', label: 'Destinations', icon: <IconDestinations />, keys: 'G F' },
  { to: '/p/$propertyId/webmcp', label: 'WebMCP', icon: <IconTools />, keys: 'G W' },
  { to: '/p/$propertyId/keys', label: 'Keys', icon: <IconKey />, keys: 'G K' },
  { to: '/p/$propertyId/settings', label: 'Settings', icon: <IconSettings />, keys: 'G ,' },
];

export function Rail({ property, onHelp }: { property: Property; onHelp: () => void }) {
  const nav = useRef<HTMLElement>(null);
  useSeenEntry(nav);
  return (
    <div className="rail">
      <div className="rail-head">
        <Logo />
        <PropertySwitcher current={property} />
      </div>
      <nav ref={nav} className="rail-nav" aria-label="Pages">
        {ENTRIES.map(({ to, label, icon, keys }) => (
          <Link
            key={label}
            to={to}
            params={{ propertyId: property.id }}
            className="rail-link"
            aria-keyshortcuts={keys}
          >
            {icon}
            <span>{label}</span>
            {label === 'Set-up' && <SetupState propertyId={property.id} />}
            <span className="kbd rail-keys" aria-hidden="true">
              {keys}
            </span>
          </Link>
        ))}
      </nav>
      <div className="rail-foot">
        <button type="button" className="rail-link" onClick={onHelp} aria-keyshortcuts="?">
          <IconKeyboard />
          <span>Shortcuts</span>
          <span className="kbd rail-keys" aria-hidden="true">
            ?
          </span>
        </button>
        <SignOutButton />
      </div>
    </div>
  );
}
