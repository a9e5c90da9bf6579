import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '../../../format/names.ts';
import { useProperty } from '../../property/useProperty.ts';
import { useShared } from '../../session/shared.ts';
import { VisitsLink } from '../../visits/VisitsLink.tsx';
import type { FixFirst, OverviewAnswer } from '../api.ts';
import { countText } from '../figures.ts';
import { PagePath } from '../PagePath.tsx';
import { ReportLink } from '../ReportLink.tsx';

export function FailuresPanel({ answer: { failures, population } }: { answer: OverviewAnswer }) {
  return (
    <section className="card panel" aria-label="Fix these first">
      <header className="panel-head">
        <h2>Fix these first</h2>
        <ReportLink to="failures" className="quiet-link">
          All failures
        </ReportLink>
      </header>
      {failures.fix_first.length === 0 ? (
        <p className="aside">
          <Nothing failures={failures} population={population} />
        </p>
      ) : (
        <FixList items={failures.fix_first} />
      )}
    </section>
  );
}

/** Failures of spoofed visits are not listed, because they cost nothing; the sentence says how many there were. */
function Nothing({
  failures: { failures, spoofed, estimates },
  population,
}: Pick<OverviewAnswer, 'failures' | 'population'>) {
  if (Math.round(spoofed) === 0)
    return failures === 0 ? 'No AI bot visit failed.' : 'Some visits failed; see All failures.';
  const which = (
    <ReportLink to="failures" narrow={{ include: 'spoofed' }}>
      {countText(spoofed, estimates['spoofed'])} spoofed {Math.round(spoofed) === 1 ? 'visit' : 'visits'}
    </ReportLink>
  );
  const isCounted = population === 'all';
  if (Math.round(isCounted ? failures - spoofed : failures) > 0)
    return <>Some visits failed, as did {which}. See All failures.</>;
  return isCounted ? (
    <>Of the visits counted here, only {which} hit an error.</>
  ) : (
    <>Only {which} hit an error; spoofed visits are not counted.</>
  );
}

interface FixListProps {
  items: readonly FixFirst[];
  /** How many are shown at once. */
  first?: number;
  /** So many of each group at most, so that the heads of all are seen. */
  each?: number;
}

/** Pages to fix first, each with what its failures cost, below what likely fixes them. */
export function FixList({ items, first = 5, each = first }: FixListProps) {
  const [isWhole, setWhole] = useState(false);
  const groups = byFix(items);
  const shown = isWhole
    ? items
    : groups.flatMap(([, pages]) => pages.slice(0, each)).slice(0, each < first ? undefined : first);
  return (
    <>
      <div className="fix-groups">
        {groups
          .filter(([, [page]]) => page !== undefined && shown.includes(page))
          .map(([fix, pages]) => (
            <div key={fix} className="fix-group">
              <h3>
                <span>
                  {pages[0]?.title} <small>· {counted(pages.length, 'page')}</small>
                </span>
                <span className="number">
                  {countText(sumOf(pages, 'failures'), sumOf(pages, 'estimated'))} <small>failures</small>
                </span>
              </h3>
              <p className="fix-about">
                {fix} {pages.every(({ path }) => path === MANIFEST) && <ToWebmcp />}
              </p>
              <ol className="fix-list">
                {pages
                  .filter((page) => shown.includes(page))
                  .map((page) => (
                    <FixRow key={`${page.host}${page.path}`} page={page} />
                  ))}
              </ol>
            </div>
          ))}
      </div>
      {shown.length < items.length && (
        <button type="button" className="button button-small" onClick={() => setWhole(true)}>
          Show {items.length - shown.length} more
        </button>
      )}
    </>
  );
}

const sumOf = (pages: readonly FixFirst[], figure: 'failures' | 'estimated'): number =>
  pages.reduce((sum, page) => sum + page[figure], 0);

/** In the order of the most urgent page of each; what is optional comes last. */
function byFix(items: readonly FixFirst[]): (readonly [fix: string, pages: readonly FixFirst[]])[] {
  return [...Map.groupBy(items, ({ fix }) => fix)].toSorted(
    ([, one], [, other]) => Number(isOptional(one)) - Number(isOptional(other)),
  );
}

/** Assistants ask every site for it, and few need it. */
const OPTIONAL = '/llms.txt';
const isOptional = (pages: readonly FixFirst[]): boolean => pages.every(({ path }) => path === OPTIONAL);

/** Where the manifest of a WebMCP site is asked for. */
const MANIFEST = '/.well-known/webmcp.json';

function ToWebmcp() {
  const property = useProperty();
  const shared = useShared();
  if (shared !== null || property === null) return null;
  return (
    <Link to="/p/$propertyId/webmcp" params={{ propertyId: property.id }} className="quiet-link">
      Open WebMCP
    </Link>
  );
}

function FixRow({ page }: { page: FixFirst }) {
  const { host, path, status, reason, failures, estimated } = page;
  return (
    <li data-reason={reason}>
      <span className="fix-status number" data-status={Math.floor(status / 100)}>
        {status}
      </span>
      <span>
        <ReportLink to="failures" narrow={{ page: path, host }}>
          <PagePath host={host} path={path} />
        </ReportLink>
      </span>
      <span className="fix-why" data-short={page.on_demand > 0}>
        {costOf(page)}
      </span>
      <span className="fix-count number">
        <VisitsLink narrow={{ host, page: path, status: 'error' }} of="that failed">
          {countText(failures, estimated)}
        </VisitsLink>
      </span>
    </li>
  );
}

/** Beside the failures: how many of them a person waited for; where there are none, what makes the page urgent. */
function costOf({ on_demand: answering, why, estimated, estimates }: FixFirst): string {
  if (answering > 0) return `${countText(answering, estimates['on_demand'])} while a person waited`;
  return estimated > 0 || (estimates['hits'] ?? 0) > 0 ? `${why}, estimated from samples` : why;
}
