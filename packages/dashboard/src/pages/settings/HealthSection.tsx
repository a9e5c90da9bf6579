import { useQuery } from '@tanstack/react-query';
import { Mark } from '../../parts/Sign.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { healthQuery, sentencesOf } from './health.ts';

export function HealthSection() {
  const { data, error, isPending, refetch } = useQuery(healthQuery());
  if (isPending) return <Skeleton lines={1} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <ul className="health" aria-label="Health">
      {sentencesOf(data).map(({ tone, text }) => (
        <li key={text}>
          <Mark tone={tone} title={text} />
        </li>
      ))}
    </ul>
  );
}
