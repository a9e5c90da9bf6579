import { Link, useParams } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useOpenInView } from '../page/useOpenInView.ts';
import { type SettingsView, SHARING, searchOf, TOPICS } from './topics.ts';

const OWNERS = [...new Set(TOPICS.map(({ of }) => of))];

/** The topics of the settings, each with what is found there; a row of tabs where there is no room beside them. */
export function SettingsIndex({ current }: { current: SettingsView | 'sharing' }) {
  const { propertyId = '' } = useParams({ strict: false });
  const row = useOpenInView(current);
  const entry = (view: typeof current, label: string, about: string): ReactNode => (
    <Link
      key={view}
      to={view === 'sharing' ? '/p/$propertyId/sharing' : '/p/$propertyId/settings'}
      params={{ propertyId }}
      search={view === 'sharing' ? {} : searchOf(view)}
      className="settings-topic"
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={view === current ? 'page' : undefined}
    >
      {label}
      <span className="settings-about">{about}</span>
    </Link>
  );
  return (
    <nav ref={row} className="settings-index" aria-label="Topics of the settings">
      {OWNERS.map((owner) => (
        <Fragment key={owner}>
          <p className="settings-owner">{owner}</p>
          {TOPICS.filter(({ of }) => of === owner).map(({ view, label, about }) => entry(view, label, about))}
          {SHARING.of === owner && entry('sharing', SHARING.label, SHARING.about)}
        </Fragment>
      ))}
    </nav>
  );
}
