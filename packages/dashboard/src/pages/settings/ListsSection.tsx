import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { ListSourceRow } from './ListSourceRow.tsx';

/** The bot list, and what makes a bot verifiable: each source, how fresh it is, and why it isn't fresher. */
export function ListsSection() {
  const { data, error, isPending, refetch } = useQuery(queries.lists());
  if (isPending) return <Skeleton lines={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Version of the AI bot list</dt>
          <dd className="number">{data.version}</dd>
        </div>
      </dl>
      <ul className="list-sources" aria-label="Sources">
        {data.sources.map((source) => (
          <ListSourceRow key={source.source} source={source} />
        ))}
      </ul>
    </>
  );
}
