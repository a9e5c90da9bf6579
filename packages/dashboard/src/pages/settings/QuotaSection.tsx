import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { QuotaNotice, quotaQuery } from '../../features/property/QuotaNotice.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';

/** What the operator allows; only the operator changes it. */
export function QuotaSection({ property: { id } }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(quotaQuery(id));
  if (isPending) return <Skeleton lines={2} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.hits_per_day === null) return <p className="quota-none">No limit</p>;
  return (
    <>
      <QuotaNotice propertyId={id} />
      <dl className="facts">
        <div>
          <dt>Visits a day{data.of === 'organization' && ', of the organization'}</dt>
          <dd className="number">{data.hits_per_day.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>Stored today</dt>
          <dd className="number">{data.used.toLocaleString('en')}</dd>
        </div>
        {data.until !== null && (
          <div>
            <dt>The day ends</dt>
            <dd>
              <Time value={data.until} form="date" />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
