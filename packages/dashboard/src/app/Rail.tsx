import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../api/types.ts';
import { IconKey, IconKeyboard, IconLive, IconSettings, IconSetup, IconTools } from '../parts/icons.tsx';
import { Logo } from '../parts/Logo.tsx';
import { PropertySwitcher } from './PropertySwitcher.tsx';
import { SetupState } from './SetupState.tsx';
import { SignOutButton } from './SignOutButton.tsx';

interface Entry {
  to: `/p/$propertyId/${'live' | 'setup' | 'webmcp' | 'keys' | 'settings'}`;
  label: string;
  icon: ReactNode;
  keys: string;
}

/** Pages in the order of the rail. Later pages are rows here. */
const ENTRIES: readonly Entry[] = [
  { to: '/p/$propertyId/live', label: 'Live', icon: <IconLive />, keys: 'G L' },
  { to: '/p/$propertyId/setup', label: 'Set-up', icon: <IconSetup />, keys: 'G S' },
  { to: '/p/$propertyId/webmcp', label: 'WebMCP', icon: <IconTools />, keys: 'G W' },
  { to: '/p/$propertyId/keys', label: 'Keys', icon: <IconKey />, keys: 'G K' },
  { to: '/p/$propertyId/settings', label: 'Settings', icon: <IconSettings />, keys: 'G ,' },
];

export function Rail({ property, onHelp }: { property: Property; onHelp: () => void }) {
  return (
    <div className="rail">
      <div className="rail-head">
        <Logo />
        <PropertySwitcher current={property} />
      </div>
      <nav className="rail-nav" aria-label="Pages">
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
