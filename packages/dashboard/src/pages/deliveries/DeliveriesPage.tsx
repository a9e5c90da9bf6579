import { useId, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { PageHead } from '../../features/page/PageHead.tsx';
import { Views } from '../../features/page/Tabs.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { periodIn, periodOf } from '../../format/period.ts';
import { daysOfZone } from '../../format/time.ts';
import { PeriodNotice } from '../../parts/PeriodNotice.tsx';
import { PeriodPicker } from '../../parts/PeriodPicker.tsx';
import { useKeyPress } from '../../parts/shortcuts.ts';
import '../../styles/workspace.css';
import '../../features/reports/styles/index.css';
import './styles/index.css';
import { ListExport } from '../../features/charts/FileLinks.tsx';
import { deliveriesUrl } from '../../features/deliveries/api.ts';
import { holdRow, openRow } from '../../features/lists/hold-row.ts';
import { FiltersButton } from '../../features/reports/FiltersButton.tsx';
import { PeriodLine } from '../../features/reports/PeriodLine.tsx';
import { DeliveryDrawer } from './detail/DeliveryDrawer.tsx';
import { ListView } from './list/ListView.tsx';
import { AccuracyView } from './report/AccuracyView.tsx';
import { type DeliverySearch, filtersSet, listQuery, useDeliverySearch } from './search.ts';

const NAMES = { list: 'Log', accuracy: 'Delivery rate' } as const;

export function DeliveriesPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const [search, change] = useDeliverySearch();
  // The period stays the same at midnight, until something is chosen.
  const [now] = useState(() => Date.now());
  const period = periodOf(search, now, property.time_zone);
  const { view = 'list' } = search;
  const open = view === 'list' ? search.open : undefined;
  const views = (
    <Views label="Deliveries" names={NAMES} current={view} searchOf={(name) => periodAnd(search, name)} />
  );
  const [isFiltering, setFiltering] = useState(false);
  const filtersId = useId();
  const close = () => {
    holdRow(openRow());
    change({ open: undefined });
  };
  useKeyPress((event) => {
    if (event.key === 'Escape' && open !== undefined) close();
  });
  return (
    <div className="live" data-open={open !== undefined}>
      <div className="live-main list-page deliveries">
        <PageHead
          title="Deliveries"
          folds
          beside={<PeriodLine period={period} comparison={null} />}
          about={
            <>
              {view === 'list' ? (
                <>
                  The outcome of every <Term name="matched">matched</Term> conversion at each platform, with
                  the reason.
                </>
              ) : (
                'The share of finished deliveries that each platform accepted, and why others failed.'
              )}{' '}
              {daysOfZone(property.time_zone)}
            </>
          }
        >
          <PeriodPicker period={period} timeZone={property.time_zone} onChange={change} />
          {view === 'list' && (
            <>
              <FiltersButton
                id={filtersId}
                count={filtersSet(search)}
                isOpen={isFiltering}
                onOpen={setFiltering}
              />
              <ListExport
                what="All deliveries, with these filters"
                name="deliveries"
                href={(format) => deliveriesUrl(property.id, { ...listQuery(search, period), format })}
              />
            </>
          )}
        </PageHead>
        <PeriodNotice period={period} />
        {view === 'list' ? (
          <ListView
            property={property}
            search={search}
            period={period}
            views={views}
            filtersId={filtersId}
            isFiltering={isFiltering}
            onChange={change}
          />
        ) : (
          <>
            <div className="views-row">{views}</div>
            <AccuracyView property={property} search={search} period={period} onChange={change} />
          </>
        )}
      </div>
      {open !== undefined && (
        <DeliveryDrawer key={open} property={property} deliveryId={open} onClose={close} />
      )}
    </div>
  );
}

/** The search parameters of the other view, with the same period and destination. */
function periodAnd(search: DeliverySearch, view: 'list' | 'accuracy'): DeliverySearch {
  const { destination } = search;
  return {
    ...periodIn(search),
    ...(destination === undefined ? {} : { destination }),
    ...(view === 'accuracy' ? { view } : {}),
  };
}
