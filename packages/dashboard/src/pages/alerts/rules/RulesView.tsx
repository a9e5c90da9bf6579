import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { Select } from '../../../parts/Select.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { alertsQueries, useRules } from '../api.ts';
import { RuleRow } from './RuleRow.tsx';

export function RulesView({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(alertsQueries.rules(property.id));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={8} label="Loading rules" />;
  return (
    <RequirePermission>
      <RepeatForm key={data.repeat_hours} property={property} hours={data.repeat_hours} />
      <ul className="card rule-rows" aria-label="Rules">
        {data.rules.map((rule) => (
          <RuleRow key={rule.kind} property={property} rule={rule} />
        ))}
      </ul>
    </RequirePermission>
  );
}

const CHOICES: readonly (readonly [string, string])[] = [
  ['1', 'an hour'],
  ['6', '6 hours'],
  ['12', '12 hours'],
  ['24', '24 hours'],
  ['72', '3 days'],
  ['168', 'a week'],
];

/** The minimum time between two notifications of the same alert. */
function RepeatForm({ property, hours }: { property: Property; hours: number }) {
  const { mutate, error } = useRules(property.id, 'Saved');
  const current = String(hours);
  const choices = CHOICES.some(([value]) => value === current)
    ? CHOICES
    : [...CHOICES, [current, `${current} hours`] as const];
  return (
    <div className="card repeat">
      <Select
        label="Repeat after"
        value={current}
        options={choices}
        onChoose={(value) => mutate({ repeat_hours: Number(value) })}
        hint="You get at most one message per rule and bot, property or destination in this time, and one when a problem ends."
      />
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
