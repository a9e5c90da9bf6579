import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';
import { ErrorState } from '../parts/ErrorState.tsx';
import { Skeleton } from '../parts/Skeleton.tsx';
import { Time } from '../parts/Time.tsx';

export function ListsSection() {
  const { data, error, isPending, refetch } = useQuery(queries.botList());
  const version = useQuery(queries.config()).data?.version;
  if (isPending) return <Skeleton lines={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const prefixes = data.ip_ranges.reduce((count, { prefixes: each }) => count + each.length, 0);
  const rows: [string, string][] = [
    ['AI bots known', data.bot_patterns.length.toLocaleString('en')],
    ['AI referrer domains', data.ai_referrer_domains.length.toLocaleString('en')],
    ['Engines that can be verified', data.verifiable_engines.length.toLocaleString('en')],
    ['Published address ranges', prefixes.toLocaleString('en')],
    ['List version', String(data.version)],
  ];
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
      <div>
        <dt>Renewed</dt>
        <dd>
          <Time value={data.generated_at} form="ago" />
        </dd>
      </div>
      {version !== undefined && (
        <div>
          <dt>Ghostlight</dt>
          <dd className="number">{version}</dd>
        </div>
      )}
    </dl>
  );
}
