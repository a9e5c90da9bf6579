import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { counted } from '../../format/names.ts';
import { Mark } from '../../parts/Sign.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { healthQuery, sentencesOf } from './health.ts';

export function InstallationSection() {
  const { data, error, isPending, refetch } = useQuery(queries.config());
  if (isPending) return <Skeleton lines={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const rows: [string, string][] = [
    ['Ghostlight', data.version],
    ['Collectors send to', data.base_url],
    ['Dashboard and API', data.app_base_url],
    ['Hits are kept for', counted(data.retention_days, 'day')],
  ];
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="number break">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function HealthSection() {
  const { data, error, isPending, refetch } = useQuery(healthQuery());
  if (isPending) return <Skeleton lines={1} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <ul className="health-states" aria-label="Health">
      {sentencesOf(data).map(({ tone, text }) => (
        <li key={text}>
          <Mark tone={tone} title={text} />
        </li>
      ))}
    </ul>
  );
}
