import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queries } from '../../api/queries.ts';
import type { LiveBuffer } from './buffer.ts';
import { type LiveSummary, summarize } from './summary.ts';

/** Renewed every few seconds, and moved on by each row in between, also by those that wait while the list is paused. */
export function useLiveSummary(propertyId: string, { rows, waiting }: LiveBuffer): LiveSummary | null {
  const { data } = useQuery(queries.liveSummary(propertyId));
  return useMemo(
    () => (data === undefined ? null : summarize(data, [...waiting, ...rows])),
    [data, rows, waiting],
  );
}
