import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { IconInfo } from '../../../parts/icons.tsx';
import { EmptyState } from '../../../parts/states.tsx';
import { alertsQueries } from '../api.ts';
import { RuleSentence } from '../rules/RuleRow.tsx';

/** Before the first alert: what is watched for. */
export function NothingYet({ property }: { property: Property }) {
  const { data } = useQuery(alertsQueries.rules(property.id));
  const watched = data?.rules.filter(({ enabled }) => enabled) ?? [];
  return (
    <div className="alerts-list">
      <NobodyIsTold property={property} />
      <EmptyState
        title="Nothing was out of the usual yet"
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
        Spikes and silence are measured against the last two weeks of this property. Errors, new bots and
        failing forwarding need no such history.
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

/** Alerts that nobody hears of are found too late. */
export function NobodyIsTold({ property }: { property: Property }) {
  const { data } = useQuery(alertsQueries.channels(property.id));
  if (data === undefined || data.items.some(({ enabled }) => enabled)) return null;
  return (
    <div className="notice">
      <IconInfo />
      <p>Nobody is told of alerts yet: they stand here alone.</p>
      <Link
        to="/p/$propertyId/alerts"
        params={{ propertyId: property.id }}
        search={{ view: 'channels' }}
        className="button button-small"
      >
        Add a channel
      </Link>
    </div>
  );
}
