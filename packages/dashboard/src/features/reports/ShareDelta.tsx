import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import type { Property } from '../../api/types.ts';
import { type Envelope, type ReportAnswer, reportQuery } from './api.ts';
import { ComparisonContext, comparisonOf } from './comparison.ts';
import { pointsText, shareText } from './figures.ts';
import { Gap } from './Stat.tsx';
import { type ReportAddress, useReportSearch } from './useReportSearch.ts';

interface ShareDeltaProps {
  property: Property;
  answer: Pick<Envelope, 'period'>;
  of: 'pages' | 'requests';
  /** Whose share it is; absent: that of AI bots. */
  part?: 'ai_bots' | 'ai_referrals' | 'other_bots' | 'people';
  /** null: it is not known. */
  share: number | null;
}

/** Whether the shares of the period compared with are still to come, of a report that has come. */
export function useIsShareAwaited(
  property: Property,
  { query, period }: Pick<ReportAddress, 'query' | 'period'>,
  answer: ReportAnswer<'ai-share'> | undefined,
): boolean {
  const isCompared =
    answer !== undefined &&
    comparisonOf(answer, period.compare === 'none').gap === null &&
    period.compare !== 'none';
  const previous = answer?.period.previous ?? null;
  const { isLoading } = useQuery({
    ...reportQuery(property.id, 'ai-share', {
      ...query,
      ...(previous === null ? {} : { from: previous.from, to: previous.to }),
    }),
    enabled: isCompared && previous !== null,
  });
  return isLoading;
}

/** The shares of the period compared with; undefined: nothing is compared, or not known yet. */
export function useShareBefore(
  property: Property,
  { previous }: Pick<Envelope['period'], 'previous'>,
  isWanted: boolean,
): ReportAnswer<'ai-share'> | undefined {
  const { query } = useReportSearch();
  const { gap, isOff } = useContext(ComparisonContext);
  const { data, isPlaceholderData } = useQuery({
    ...reportQuery(property.id, 'ai-share', {
      ...query,
      ...(previous === null ? {} : { from: previous.from, to: previous.to }),
    }),
    enabled: previous !== null && gap === null && !isOff && isWanted,
  });
  return isPlaceholderData ? undefined : data;
}

/**
 * By how many percentage points a share changed. It is compared whole, also where today is not over: an unfinished day lacks
 * visits of every kind. Nothing where either share is not known.
 */
export function ShareDelta({ property, answer: { period }, of, part = 'ai_bots', share }: ShareDeltaProps) {
  const { than, gap, without, isOff } = useContext(ComparisonContext);
  const before = useShareBefore(property, period, share !== null);
  const past = before?.[of][part].share ?? null;
  if (share === null || isOff) return null;
  if (gap !== null) return <Gap gap={gap} isShown={false} />;
  if (past === null) return null;
  const change = pointsText(share - past, share);
  const shown = change === '0' ? 'no change' : `${change} points`;
  return (
    <span
      className="delta number"
      data-tone="none"
      title={`${shareText(past)} in ${than}${without === '' ? '' : `; this share includes ${without}`}`}
    >
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">
        {change} percentage points compared with {than}
      </span>
    </span>
  );
}
