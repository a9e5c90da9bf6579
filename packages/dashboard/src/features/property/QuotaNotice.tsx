import { MINUTE_MS } from '@ghostlight/core/time';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { IconWarning } from '../../parts/icons.tsx';
import { useShared } from '../session/shared.ts';

const WARN_AT = 0.8;

export const quotaQuery = (id: string) =>
  queryOptions({
    queryKey: ['quota', id],
    queryFn: ({ signal }) => get('/api/v1/properties/{id}/quota', { params: { id }, signal }),
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
  });

/** How much of the day's quota is used, from four fifths on. */
export function QuotaNotice({ propertyId }: { propertyId: string }) {
  const shared = useShared();
  const { data } = useQuery({ ...quotaQuery(propertyId), enabled: shared === null });
  if (data === undefined || data.hits_per_day === null || data.used < data.hits_per_day * WARN_AT)
    return null;
  const { hits_per_day: limit, used, state, of } = data;
  return (
    <p className="notice" role="status">
      <IconWarning label="Quota" />{' '}
      {of === 'organization' ? 'All properties of the organization have' : 'This property has'} stored{' '}
      {used.toLocaleString('en')} of the {limit.toLocaleString('en')} visits a day that the operator allows.{' '}
      {QUOTA_STATES[state]}
    </p>
  );
}

const QUOTA_STATES = {
  open: 'At the quota, samples are dropped until the day ends.',
  no_samples: 'Samples are dropped until the day ends, so today’s AI share is less exact.',
  closed: 'All visits are dropped until the day ends, so today’s figures are too low.',
} as const;
