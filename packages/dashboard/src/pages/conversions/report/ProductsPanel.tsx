import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import { type BoughtProduct, conversionsQueries } from '../../../features/conversions/api.ts';
import { formatCount, formatMoney } from '../../../features/conversions/money.ts';
import { useAtRest } from '../../../features/page/rest.ts';
import { counted } from '../../../format/names.ts';
import { visible } from '../../../format/visible.ts';
import { ErrorState, failed, ofThisChoice } from '../../../parts/states.tsx';

/** Products at first; the rest is one click away. */
const FIRST = 10;

interface ProductsPanelProps {
  property: Property;
  /** The period and the filters of the page. */
  query: Readonly<Record<string, string>>;
}

/** What the conversions of the page bought, as far as they list products. Nothing is drawn where none does. */
export function ProductsPanel({ property, query }: ProductsPanelProps) {
  const [isWhole, setWhole] = useState(false);
  const isAtRest = useAtRest();
  const bought = ofThisChoice(
    useQuery({ ...conversionsQueries.products(property.id, query), enabled: isAtRest }),
  );
  if (failed(bought)) return <ErrorState error={bought.error} onRetry={() => void bought.refetch()} />;
  const { items, totals, cut } = bought.data ?? { items: [], totals: null, cut: false };
  return (
    <section
      className="card panel"
      hidden={items.length === 0}
      aria-label="What they bought"
      data-stale={bought.isPlaceholderData}
    >
      {totals !== null && items.length > 0 && (
        <>
          <header className="panel-head">
            <div>
              <h2>What they bought</h2>
              <p className="aside">
                Products of {formatCount(String(totals.with_products))} of{' '}
                {counted(totals.conversions, 'conversion')}; the others were sent without. Value is price by
                quantity, before discounts and refunds.
                {cut && ' Only the newest conversions, and at most 5,000 products, were counted.'}
              </p>
            </div>
            <ChartFiles title="Products" table={() => tableOf(items)} />
          </header>
          <div className="table-card">
            <table className="table report-table" aria-label="Products bought">
              <thead>
                <tr>
                  <th scope="col">Product</th>
                  <th scope="col" className="cell-number" data-sorted="true" aria-sort="descending">
                    <span aria-hidden="true">↓ </span>Conversions
                  </th>
                  <th scope="col" className="cell-number">
                    Quantity
                  </th>
                  <th scope="col" className="cell-number">
                    Value
                  </th>
                </tr>
              </thead>
              <tbody>
                {(isWhole ? items : items.slice(0, FIRST)).map((item) => (
                  <Row key={`${item.id === null} ${item.id ?? item.name}`} item={item} />
                ))}
              </tbody>
            </table>
            {items.length > FIRST && !isWhole && (
              <button type="button" className="button button-plain show-all" onClick={() => setWhole(true)}>
                Show all {items.length}
              </button>
            )}
          </div>
        </>
      )}
    </section>
  );
}

/** Names and ids are untrusted and rendered as text. */
function Row({ item: { id, name, conversions, quantity, values } }: { item: BoughtProduct }) {
  return (
    <tr>
      <th scope="row" className="break">
        <span className="report-name">
          {visible(name ?? id ?? 'unnamed')}
          {name !== null && id !== null && <code className="quiet">{visible(id)}</code>}
        </span>
      </th>
      <td className="cell-number" data-label="Conversions">
        {formatCount(String(conversions))}
      </td>
      <td className="cell-number" data-label="Quantity">
        {formatCount(quantity)}
      </td>
      <td className="cell-number" data-label="Value">
        {values.length === 0 && <span className="quiet">–</span>}
        {values.map((amount) => (
          <span key={amount.currency} className="amount">
            {formatMoney(amount)}
          </span>
        ))}
      </td>
    </tr>
  );
}

const tableOf = (items: readonly BoughtProduct[]) => ({
  head: ['ID', 'Name', 'Conversions', 'Quantity', 'Currency', 'Value'],
  rows: items.flatMap(({ id, name, conversions, quantity, values }) =>
    (values.length === 0 ? [{ currency: '', value: '' }] : values).map(({ currency, value }) => [
      ...[id ?? '', name ?? '', conversions, quantity],
      ...[currency, value],
    ]),
  ),
});
