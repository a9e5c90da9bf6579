import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { type SettingsView, searchOf, TOPICS } from './search.ts';

const OWNERS = [...new Set(TOPICS.map(({ of }) => of))];

/** The topics of the settings, each with what is found there; a row of tabs where there is no room beside them. */
export function SettingsIndex({ current }: { current: SettingsView }) {
  return (
    <nav className="settings-index" aria-label="Topics of the settings">
      {OWNERS.map((owner) => (
        <Fragment key={owner}>
          <p className="settings-owner">{owner}</p>
          {TOPICS.filter(({ of }) => of === owner).map(({ view, label, about }) => (
            <Link
              key={view}
              to="."
              search={searchOf(view)}
              className="settings-topic"
              activeOptions={{ exact: true, includeSearch: true }}
              aria-current={view === current ? 'page' : undefined}
            >
              {label}
              <span className="settings-about">{about}</span>
            </Link>
          ))}
        </Fragment>
      ))}
    </nav>
  );
}
