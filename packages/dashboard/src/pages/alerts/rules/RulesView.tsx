import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { Select } from '../../../parts/Select.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { type AlertRule, alertsQueries, useRules } from '../api.ts';
import { RuleRow } from './RuleRow.tsx';

export function RulesView({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(alertsQueries.rules(property.id));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={8} label="Loading rules" />;
  return (
    <RequirePermission>
      <div className="alerts-list rules-list">
        {GROUPS.map(([name, kinds]) => (
          <section key={name} aria-labelledby={`rules-${name}`}>
            <h2 id={`rules-${name}`}>{name}</h2>
            <ul className="card rule-rows" aria-labelledby={`rules-${name}`}>
              {kinds.flatMap((kind) =>
                data.rules
                  .filter((rule) => rule.kind === kind)
                  .map((rule) => <RuleRow key={kind} property={property} rule={rule} />),
              )}
            </ul>
          </section>
        ))}
        <RepeatForm key={data.repeat_hours} property={property} hours={data.repeat_hours} />
      </div>
    </RequirePermission>
  );
}

type Kind = AlertRule['kind'];

/** Every kind once: what is about visits, what is broken, what runs out. */
const GROUPS: readonly (readonly [name: string, kinds: readonly Kind[]])[] = [
  ['Traffic', ['new_bot', 'ai_referral_first', 'spike', 'drop_to_zero', 'spoof_surge']],
  ['Problems', ['bot_errors', 'collector_quiet', 'forwarding_failing']],
  ['Limits', ['quota']],
];

const CHOICES: readonly (readonly [string, string])[] = [
  ['1', '1 hour'],
  ['6', '6 hours'],
  ['12', '12 hours'],
  ['24', '24 hours'],
  ['72', '3 days'],
  ['168', '7 days'],
];

/** The minimum time between two messages about a problem that comes and goes. */
function RepeatForm({ property, hours }: { property: Property; hours: number }) {
  const { mutate, error } = useRules(property.id, 'Saved');
  const current = String(hours);
  const choices = CHOICES.some(([value]) => value === current)
    ? CHOICES
    : [...CHOICES, [current, `${current} hours`] as const];
  return (
    <div className="card repeat">
      <Select
        label="Don’t repeat within"
        value={current}
        options={choices}
        onChoose={(value) => mutate({ repeat_hours: Number(value) })}
        hint="If the same problem comes back within this time, the next message waits until the time is over."
      />
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
