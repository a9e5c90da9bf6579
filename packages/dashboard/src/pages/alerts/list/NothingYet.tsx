import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../../api/types.ts';
import { IconInfo } from '../../../parts/icons.tsx';
import { EmptyState } from '../../../parts/states.tsx';
import { alertsQueries } from '../api.ts';
import { RuleSentence } from '../rules/RuleRow.tsx';

/** The empty state before the first alert: the rules that are on. @param status how things are, above it */
export function NothingYet({ property, status }: { property: Property; status: ReactNode }) {
  const { data } = useQuery(alertsQueries.rules(property.id));
  const watched = data?.rules.filter(({ enabled }) => enabled) ?? [];
  return (
    <div className="alerts-list">
      {status}
      <NoChannelNotice property={property} />
      <EmptyState
        title="No alerts yet"
        action={
          <Link
            to="/p/$propertyId/alerts"
            params={{ propertyId: property.id }}
            search={{ view: 'rules' }}
            className="button"
          >
            Change the rules
          </Link>
        }
      >
        Spikes and drops are measured against this property’s last two weeks. Alerts on errors, new bots and
        failed deliveries need no history.
      </EmptyState>
      {watched.length > 0 && (
        <section aria-labelledby="alerts-watched">
          <h2 id="alerts-watched">Watched for</h2>
          <ul className="alert-watched">
            {watched.map((rule) => (
              <li key={rule.kind}>
                <strong>{rule.title}</strong>
                <RuleSentence rule={rule} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** A warning while no channel sends: alerts would be noticed too late. */
export function NoChannelNotice({ property }: { property: Property }) {
  const { data } = useQuery(alertsQueries.channels(property.id));
  if (data === undefined || data.items.some(({ enabled }) => enabled)) return null;
  const hasNone = data.items.length === 0;
  return (
    <div className="notice">
      <IconInfo />
      <p>
        {hasNone
          ? 'No channels yet. Alerts appear only in this list until you add one.'
          : 'All channels are off. Alerts appear only in this list until you turn one on.'}
      </p>
      <Link
        to="/p/$propertyId/alerts"
        params={{ propertyId: property.id }}
        search={{ view: 'channels' }}
        {...(hasNone ? { hash: 'add' } : {})}
        className="button button-small"
      >
        {hasNone ? 'Add channel' : 'Open channels'}
      </Link>
    </div>
  );
}
