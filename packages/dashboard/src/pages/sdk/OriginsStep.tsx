import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { ForWhoMay } from '../../features/session/ForWhoMay.tsx';
import { Step } from '../../parts/Section.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { sdkQueries } from './api.ts';
import { OriginsForm } from './OriginsForm.tsx';

export function OriginsStep({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(sdkQueries.settings(property.id));
  return (
    <Step number={4} title="Say where events may come from">
      <p>
        Pages of <code>{property.domain}</code> and of everything below it always may. Name other hosts of
        yours, such as a checkout or a landing-page builder.
      </p>
      {isPending && <Skeleton lines={2} label="Loading origins" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <ForWhoMay>
          <OriginsForm property={property} settings={data} />
        </ForWhoMay>
      )}
    </Step>
  );
}
