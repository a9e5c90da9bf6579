import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { countText, shareText } from '../../features/reports/figures.ts';
import { useShared } from '../../features/session/shared.ts';
import { searchOf } from '../../features/settings/topics.ts';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { METHOD_WORDS, METHODS, REASON_WORDS, type Reason, type TrustAnswer } from './messages.ts';

const REASONS = Object.keys(REASON_WORDS) as Reason[];
type Verdict = 'verified' | 'spoofed' | 'unknown';
const TITLES: readonly (readonly [Verdict, string])[] = [
  ['verified', '✓ Verified'],
  ['spoofed', '✕ Spoofed'],
  ['unknown', '? Unknown'],
];
/** Reasons that end once the lists of the installation are fresh and whole. */
const OF_LISTS: readonly string[] = ['ranges_not_read', 'ranges_stale', 'partial_ranges'] satisfies Reason[];

/** Spoofed and unknown visits without a reason; verified ones have a method. */
const unexplained = ({ spoofed, unknown, reasons }: TrustAnswer['totals']): number =>
  REASONS.reduce(
    (left, reason) => left - (reason === 'not_recorded' ? 0 : reasons[reason]),
    spoofed + unknown,
  );

interface Row {
  readonly key: string;
  readonly verdict: Verdict;
  readonly name: string;
  readonly about?: string;
  /** null: the explorer has no filter for it. */
  readonly narrow: VisitChange | null;
  readonly hits: number;
  readonly estimated: number | undefined;
}

function rowsOf(totals: TrustAnswer['totals']): Row[] {
  return [
    ...METHODS.map((method) => ({
      ...METHOD_WORDS[method],
      key: method,
      verdict: 'verified' as const,
      narrow: { verdict: 'verified', verified_by: method } as VisitChange,
      hits: totals.methods[method],
      estimated: totals.estimates[`methods.${method}`],
    })),
    ...REASONS.map((reason) => ({
      ...REASON_WORDS[reason],
      key: reason,
      narrow:
        reason === 'not_recorded'
          ? null
          : ({ verdict: REASON_WORDS[reason].verdict, verdict_reason: reason } as VisitChange),
      hits: reason === 'not_recorded' ? unexplained(totals) : totals.reasons[reason],
      estimated: totals.estimates[`reasons.${reason}`],
    })),
  ].filter(({ hits }) => hits > 0);
}

/** The methods of verified visits, and the reasons of the others, each as a part of all visits. */
export function ProofPanel({ totals }: { totals: TrustAnswer['totals'] }) {
  const rows = rowsOf(totals);
  return (
    <section className="card panel" aria-label="How identity was checked">
      <header className="panel-head">
        <h2>How identity was checked</h2>
      </header>
      <div className="proofs">
        {TITLES.map(([verdict, title]) => {
          const of = rows.filter((row) => row.verdict === verdict).toSorted((a, b) => b.hits - a.hits);
          return (
            of.length > 0 && (
              <Proofs
                key={verdict}
                title={title}
                hits={of.reduce((sum, { hits }) => sum + hits, 0)}
                estimated={totals.estimates[verdict]}
                all={totals.hits}
              >
                {of.map((row) => (
                  <ProofRow key={row.key} row={row} all={totals.hits} />
                ))}
              </Proofs>
            )
          );
        })}
      </div>
    </section>
  );
}

interface ProofsProps extends Pick<Row, 'hits' | 'estimated'> {
  title: string;
  all: number;
  children: ReactNode;
}

function Proofs({ title, hits, estimated, all, children }: ProofsProps) {
  return (
    <div>
      <h3>
        {title}
        <span className="quiet number">
          {countText(hits, estimated)} · {shareText(hits / Math.max(1, all))}
        </span>
      </h3>
      <ul className="rank-list">{children}</ul>
    </div>
  );
}

function ProofRow({ row, all }: { row: Row; all: number }) {
  const { key, name, about, verdict, narrow, hits, estimated } = row;
  const count = countText(hits, estimated);
  return (
    <li>
      <div>
        {name}
        {about !== undefined && (
          <span className="cell-detail">
            {about} {OF_LISTS.includes(key) && <ToLists />}
          </span>
        )}
      </div>
      <SplitBar width={240} of={all} parts={[{ key, paint: verdict, value: hits }]} />
      <span className="rank-figure number">
        {narrow === null ? count : <VisitsLink narrow={narrow}>{count}</VisitsLink>}
      </span>
      <span className="quiet number proof-share" title="Of all visits">
        {shareText(hits / Math.max(1, all))}
      </span>
    </li>
  );
}

/** Where the ranges are loaded. */
function ToLists() {
  const property = useProperty();
  const shared = useShared();
  return shared !== null || property === null ? null : (
    <Link
      to="/p/$propertyId/settings"
      params={{ propertyId: property.id }}
      search={searchOf('lists')}
      hash="lists"
      className="report-link"
    >
      Settings › Bot lists
    </Link>
  );
}
