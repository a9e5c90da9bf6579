import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { formatCount, formatMoney, isZero } from '../../features/conversions/money.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { CompanyMark } from '../../features/marks/CompanyMark.tsx';
import { useItsTurn } from '../../features/page/rest.ts';
import { INTENTS, reportQuery } from '../../features/reports/api.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { countText } from '../../features/reports/figures.ts';
import { IntentKey } from '../../features/reports/IntentKey.tsx';
import { NotFiltered } from '../../features/reports/NoBots.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import { ErrorState, failed, Skeleton } from '../../parts/states.tsx';
import type { FunnelItem } from './columns.tsx';

export const FUNNEL = {
  title: 'Crawled, referred, converted',
  about: 'What each engine crawls, and the visits and sales that it sends. One need not lead to the other.',
} as const;

interface FunnelPanelProps {
  property: Property;
  query: Readonly<Record<string, string>>;
}

/** Crawls, referrals and conversions per engine, side by side, without claiming that one led to the other. */
export function FunnelPanel({ property, query }: FunnelPanelProps) {
  const box = useRef<HTMLElement>(null);
  const report = useQuery({ ...reportQuery(property.id, 'funnel', query), enabled: useItsTurn(box) });
  const [isWhole, setWhole] = useState(false);
  const items = report.data?.items ?? [];
  const fruitful = items.filter(sentAnybody);
  const silent = items.length - fruitful.length;
  // Without any that sent people there is nothing to fold the others under.
  const shown = isWhole || fruitful.length === 0 ? items : fruitful;
  return (
    <section ref={box} className="card panel" aria-label={FUNNEL.title}>
      <header className="panel-head keyed">
        <div>
          <h2>{FUNNEL.title}</h2>
          <p className="aside">{FUNNEL.about}</p>
          <NotFiltered by={report.data?.not_filtered.referrals} what="Referrals" />
          <NotFiltered by={report.data?.not_filtered.conversions} what="Conversions" />
          {report.data?.conversions.available === false && (
            <p className="aside">
              There were no conversions in this period.{' '}
              <Link to="/p/$propertyId/webhooks" params={{ propertyId: property.id }}>
                Connect your shop’s orders
              </Link>{' '}
              to see who buys.
            </p>
          )}
        </div>
        {items.length > 0 && <IntentKey />}
        {report.data !== undefined && report.data.items.length > 0 && (
          <ChartFiles title="Engines" table={() => tableOf(report.data.items)} />
        )}
      </header>
      {report.isPending && <Skeleton lines={4} label="Loading the engines" />}
      {failed(report) && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
      {report.data !== undefined &&
        (report.data.items.length === 0 ? (
          <p className="report-none">No engines in this period.</p>
        ) : (
          <div className="table-card">
            <table className="table data-table funnel" aria-label="Engines, side by side">
              <thead>
                <tr>
                  <th scope="col">
                    <Term name="engine">Engine</Term>
                  </th>
                  <th scope="col" className="cell-picture" data-rank="3">
                    <Term name="intent">Crawls by intent</Term>
                  </th>
                  <th scope="col" className="cell-figure">
                    <Term name="crawled">Crawled</Term>
                  </th>
                  <th scope="col" className="cell-figure">
                    <Term name="referral">Referred</Term>
                  </th>
                  <th scope="col" className="cell-figure" data-rank="3">
                    <Term name="crawls per referral">Crawls per referral</Term>
                  </th>
                  <th scope="col" className="cell-figure">
                    <Term name="conversion">Converted</Term>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((item) => (
                  <Row
                    key={item.key}
                    property={property}
                    item={item}
                    most={Math.max(...report.data.items.map(({ crawled }) => crawled.hits))}
                  />
                ))}
              </tbody>
            </table>
            {shown.length < items.length && (
              <button type="button" className="button button-plain" onClick={() => setWhole(true)}>
                {silent} {silent === 1 ? 'vendor' : 'vendors'} crawled without referring anyone: show{' '}
                {silent === 1 ? 'it' : 'them'}
              </button>
            )}
          </div>
        ))}
    </section>
  );
}

const tableOf = (items: readonly FunnelItem[]) => ({
  head: ['Engine', 'Crawled', 'Pages crawled', 'Referred', 'Pages referred to', 'Converted', 'Value'],
  rows: items.map(({ name, crawled, referred, converted }) => [
    ...[name, crawled.hits, crawled.pages, referred.visits, referred.pages],
    ...[
      converted?.conversions ?? '',
      converted?.values.map(({ value, currency }) => `${value} ${currency}`).join(', ') ?? '',
    ],
  ]),
});

/** One decimal place in every row, so that they can be compared. */
const RATIO = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Engines that read the site with a crawler which is no AI bot, by key. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  google: 'Googlebot isn’t counted as an AI bot',
  microsoft: 'Bingbot isn’t counted as an AI bot',
};

/** People came from it, or conversions are attributed to it. */
const sentAnybody = ({ referred, converted }: FunnelItem): boolean =>
  referred.visits > 0 || (converted !== null && !isZero(converted.conversions));

/** Of how many pages a figure is made. No pages say nothing beside a 0. */
function Pages({ count }: { count: number }) {
  return count === 0 ? null : <span className="cell-detail">{counted(count, 'page')}</span>;
}

function Row({ property, item, most }: { property: Property; item: FunnelItem; most: number }) {
  const carriedOver = useCarriedOver();
  const { name, products, crawled, referred, converted, crawls_per_referral: ratio } = item;
  const [product] = products;
  // The engine, as in every list; below it the company, where it has another name.
  const engine = products.join(', ') || name;
  return (
    <tr>
      <th scope="row" className="cell-name">
        <div className="marked">
          <CompanyMark of={name} size={24} />
          <div>
            {engine}
            {engine !== name && <span className="cell-detail">{name}</span>}
            {crawled.hits === 0 && NOT_COUNTED[item.key] !== undefined && (
              <span className="cell-detail">{NOT_COUNTED[item.key]}</span>
            )}
          </div>
        </div>
      </th>
      <td className="cell-picture" data-rank="3">
        {/* An empty bar looks like a fault. */}
        {crawled.hits > 0 && (
          <SplitBar
            width={140}
            of={Math.max(most, 1)}
            parts={INTENTS.map((intent) => ({ key: intent, paint: intent, value: crawled[intent] }))}
          />
        )}
      </td>
      <td className="cell-figure" data-label="Crawled">
        {crawled.hits === 0 ? (
          <span className="quiet">{item.key in NOT_COUNTED ? '–' : '0'}</span>
        ) : (
          <VisitsLink narrow={{ vendor: name }} of={`of ${name}’s bots`}>
            {countText(crawled.hits, crawled.estimated)}
          </VisitsLink>
        )}
        <Pages count={crawled.pages} />
      </td>
      <td className="cell-figure" data-label="Referred">
        {product === undefined || products.length > 1 ? (
          countText(referred.visits, referred.estimated)
        ) : (
          <VisitsLink narrow={{ class: 'ai_referral', engine: product }} of={`that ${product} sent`}>
            {countText(referred.visits, referred.estimated)}
          </VisitsLink>
        )}
        <Pages count={referred.pages} />
      </td>
      <td className="cell-figure" data-rank="3" data-label="Crawls per referral">
        {ratio === null || crawled.hits === 0 ? <span className="quiet">–</span> : RATIO.format(ratio)}
      </td>
      <td className="cell-figure" data-label="Converted">
        {converted === null ? (
          <span className="quiet">–</span>
        ) : (
          <>
            {isZero(converted.conversions) ? (
              formatCount(converted.conversions)
            ) : (
              <Link
                to="/p/$propertyId/conversions"
                params={{ propertyId: property.id }}
                search={{
                  ...carriedOver('conversions'),
                  engine: products.length > 1 ? item.key : (product ?? item.key),
                }}
                className="figure-link"
                title={`Show the conversions of ${name}, and what they bought`}
              >
                {formatCount(converted.conversions)}
              </Link>
            )}
            {converted.values.map((amount) => (
              <span key={amount.currency} className="cell-detail">
                {formatMoney(amount)}
              </span>
            ))}
          </>
        )}
      </td>
    </tr>
  );
}
