import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import type { Property } from '../../api/types.ts';
import { type Envelope, reportQuery } from './api.ts';
import { ComparisonContext } from './comparison.ts';
import { pointsText, shareText } from './figures.ts';
import { capital } from './Stat.tsx';
import { useReportSearch } from './useReportSearch.ts';

interface ShareDeltaProps {
  property: Property;
  answer: Pick<Envelope, 'period'>;
  of: 'pages' | 'requests';
  /** Whose share it is; absent: that of AI bots. */
  part?: 'ai_bots' | 'ai_referrals' | 'other_bots' | 'people';
  /** null: it is not known. */
  share: number | null;
}

/**
 * By how many percentage points a share changed. It is compared whole, also where today is not over: an unfinished day lacks
 * visits of every kind. Nothing where either share is not known, and a dash where nothing is compared.
 */
export function ShareDelta({ property, answer: { period }, of, part = 'ai_bots', share }: ShareDeltaProps) {
  const { query } = useReportSearch();
  const { than, gap, without, isOff } = useContext(ComparisonContext);
  const { previous } = period;
  const before = useQuery({
    ...reportQuery(property.id, 'ai-share', {
      ...query,
      ...(previous === null ? {} : { from: previous.from, to: previous.to }),
    }),
    enabled: previous !== null && gap === null && !isOff && share !== null,
  });
  const past = before.data?.[of][part].share ?? null;
  if (share === null || isOff) return null;
  if (gap !== null)
    return (
      <span className="delta-gap quiet" title={gap.why}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{capital(gap.brief)}</span>
      </span>
    );
  if (past === null || before.isPlaceholderData) return null;
  const change = pointsText(share - past, share);
  const shown = change === '0' ? 'no change' : `${change} points`;
  return (
    <span
      className="delta number quiet"
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
