import { SplitBar } from '../../charts/SplitBar.tsx';
import { countText } from '../common/figures.ts';
import { METHODS, REASONS, type TrustAnswer } from './types.ts';
import { METHOD_WORDS, REASON_WORDS } from './words.ts';

/** By what the verified ones were known, and why the others were not. */
export function ProofPanel({ totals }: { totals: TrustAnswer['totals'] }) {
  const rows = [
    ...METHODS.map((method) => ({
      ...METHOD_WORDS[method],
      key: method,
      paint: 'verified',
      hits: totals.methods[method],
    })),
    ...REASONS.map((reason) => ({
      ...REASON_WORDS[reason],
      key: reason,
      paint: reason === 'outside_published_ranges' ? 'spoofed' : 'unknown',
      hits: totals.reasons[reason],
    })),
  ].filter(({ hits }) => hits > 0);
  const most = Math.max(1, ...rows.map(({ hits }) => hits));
  return (
    <section className="card panel" aria-label="How it was judged">
      <header className="panel-head">
        <h2>How it was judged</h2>
      </header>
      <ul className="rank-list">
        {rows.map(({ key, name, about, paint, hits }) => (
          <li key={key}>
            <div>
              {name}
              <span className="cell-detail">{about}</span>
            </div>
            <SplitBar width={72} of={most} parts={[{ key, paint, value: hits }]} />
            <span className="rank-figure number">{countText(hits)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
