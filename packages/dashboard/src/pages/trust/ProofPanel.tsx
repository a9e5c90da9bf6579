import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { countText } from '../../features/reports/figures.ts';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { METHOD_WORDS, METHODS, REASON_WORDS, type Reason, type TrustAnswer } from './messages.ts';

/** Verified ones first, then those that are refuted. */
const PAINTS = ['verified', 'spoofed', 'unknown'];
const REASONS = Object.keys(REASON_WORDS) as Reason[];

/** Spoofed and unknown visits without a reason; verified ones have a method. */
const unexplained = ({ spoofed, unknown, reasons }: TrustAnswer['totals']): number =>
  REASONS.reduce(
    (left, reason) => left - (reason === 'not_recorded' ? 0 : reasons[reason]),
    spoofed + unknown,
  );

/** The methods of verified visits, and the reasons of the others. */
export function ProofPanel({ totals }: { totals: TrustAnswer['totals'] }) {
  const rows = [
    ...METHODS.map((method) => ({
      ...METHOD_WORDS[method],
      key: method,
      paint: 'verified',
      narrow: { verdict: 'verified', verified_by: method } as VisitChange,
      hits: totals.methods[method],
      estimated: totals.estimates[`methods.${method}`],
    })),
    ...REASONS.map((reason) => ({
      ...REASON_WORDS[reason],
      key: reason,
      paint: REASON_WORDS[reason].verdict,
      // The explorer has no filter for a reason that was not recorded.
      narrow:
        reason === 'not_recorded'
          ? null
          : ({ verdict: REASON_WORDS[reason].verdict, verdict_reason: reason } as VisitChange),
      hits: reason === 'not_recorded' ? unexplained(totals) : totals.reasons[reason],
      estimated: totals.estimates[`reasons.${reason}`],
    })),
  ]
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => PAINTS.indexOf(a.paint) - PAINTS.indexOf(b.paint) || b.hits - a.hits);
  const most = Math.max(1, ...rows.map(({ hits }) => hits));
  return (
    <section className="card panel" aria-label="Verification method">
      <header className="panel-head">
        <h2>Verification method</h2>
      </header>
      <ul className="rank-list">
        {rows.map(({ key, name, about, paint, narrow, hits, estimated }) => (
          <li key={key}>
            <div>
              {name}
              <span className="cell-detail">{about}</span>
            </div>
            <SplitBar width={240} of={most} parts={[{ key, paint, value: hits }]} />
            <span className="rank-figure number">
              {narrow === null ? (
                countText(hits, estimated)
              ) : (
                <VisitsLink narrow={narrow}>{countText(hits, estimated)}</VisitsLink>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
