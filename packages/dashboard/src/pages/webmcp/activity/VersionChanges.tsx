import { useQueries } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { webmcpQueries } from '../api.ts';
import { ChangeList } from '../editor/ChangeList.tsx';
import { differenceOf, isSame } from '../model/difference.ts';
import type { HistoryEntry } from '../types.ts';

interface VersionChangesProps {
  property: Property;
  entry: HistoryEntry;
  previous: HistoryEntry | null;
}

/** One publication against what agents got before it. */
export function VersionChanges({ property, entry, previous }: VersionChangesProps) {
  // A withdrawn document is kept with its withdrawal, but agents got nothing.
  const before = previous === null || previous.action === 'unpublished' ? [] : [previous.version];
  const [now, then] = useQueries({
    queries: [entry.version, ...before].map((version) => webmcpQueries.version(property.id, version)),
  });
  const error = now?.error ?? then?.error ?? null;
  if (error !== null) return <ErrorState error={error} onRetry={() => void now?.refetch()} />;
  if (now?.data === undefined || (then !== undefined && then.data === undefined))
    return <Skeleton lines={2} />;
  const difference = differenceOf(then?.data ?? { hosts: [], tools: [] }, now.data);
  return isSame(difference) ? (
    <p className="quiet">Nothing: signed again.</p>
  ) : (
    <ChangeList difference={difference} />
  );
}
