import { shareText } from '../../features/reports/figures.ts';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { rangeLabel } from '../../format/period.ts';
import type { TrustAnswer } from './messages.ts';
import { burstOf, claimOf } from './spoofing.ts';

interface SpoofingLineProps {
  answer: Pick<TrustAnswer, 'items' | 'total' | 'series'>;
  /** The page is about one bot, whose name every spoofed visit then used. */
  ofOneBot: boolean;
  /** Spoofed visits of the period. */
  spoofed: number;
  /** Opens days. */
  onNarrow: (from: string, to: string) => void;
}

/** Whose name most of the spoofed visits used, and when most of them came; nothing where neither stands out. */
export function SpoofingLine({
  answer: { items, total, series },
  ofOneBot,
  spoofed,
  onNarrow,
}: SpoofingLineProps) {
  // The rows of one bot may be on several pages of the list.
  const claim = ofOneBot || items.length < total ? null : claimOf(items, spoofed);
  const burst = burstOf(series);
  if (claim === null && burst === null) return null;
  return (
    <p className="aside">
      {claim !== null && (
        <>
          {shareText(claim.share)} of spoofed visits used the name{' '}
          <ReportLink to="trust" narrow={{ bot: claim.bot }}>
            {claim.bot}
          </ReportLink>
        </>
      )}
      {claim !== null && burst !== null && ', and '}
      {burst !== null && (
        <>
          {shareText(burst.share)} {claim === null && 'of spoofed visits '}came on{' '}
          <button type="button" className="report-link" onClick={() => onNarrow(burst.from, burst.to)}>
            {rangeLabel(burst)}
          </button>
        </>
      )}
      .
    </p>
  );
}
