import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { alertsQueries } from '../api.ts';
import { RepeatForm } from './RepeatForm.tsx';
import { RuleRow } from './RuleRow.tsx';

export function RulesView({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(alertsQueries.rules(property.id));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={8} label="Loading rules" />;
  return (
    <ForWhoMay>
      <ul className="card rule-rows" aria-label="Rules">
        {data.rules.map((rule) => (
          <RuleRow key={rule.kind} property={property} rule={rule} />
        ))}
      </ul>
      <RepeatForm key={data.repeat_hours} property={property} hours={data.repeat_hours} />
    </ForWhoMay>
  );
}
