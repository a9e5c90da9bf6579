import { useState } from 'react';
import type { Property } from '../../api/types.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { PageHead } from '../../features/page/PageHead.tsx';
import { Tabs } from '../../features/page/Tabs.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { periodIn, periodOf } from '../../format/period.ts';
import { daysOfZone } from '../../format/time.ts';
import { PeriodNotice } from '../../parts/PeriodNotice.tsx';
import { PeriodPicker } from '../../parts/PeriodPicker.tsx';
import '../../styles/workspace.css';
import './styles/index.css';
import { ListView } from './list/ListView.tsx';
import { AccuracyView } from './report/AccuracyView.tsx';
import { type DeliverySearch, useDeliverySearch } from './search.ts';

const NAMES = { list: 'Deliveries', accuracy: 'Accuracy' } as const;

export function DeliveriesPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const [search, change] = useDeliverySearch();
  // The period stays the same at midnight, until something is chosen.
  const [now] = useState(() => Date.now());
  const period = periodOf(search, now, property.time_zone);
  const { view = 'list' } = search;
  return (
    <>
      <PageHead
        title="Deliveries"
        about={
          <>
            The outcome of every <Term name="matched">matched</Term> conversion at each platform, with the
            reason. {daysOfZone(property.time_zone)}
          </>
        }
      >
        <PeriodPicker period={period} timeZone={property.time_zone} onChange={change} />
      </PageHead>
      <PeriodNotice period={period} />
      <Tabs label="Deliveries" names={NAMES} current={view} searchOf={(name) => periodAnd(search, name)} />
      {view === 'list' ? (
        <ListView property={property} search={search} period={period} onChange={change} />
      ) : (
        <AccuracyView property={property} search={search} period={period} onChange={change} />
      )}
    </>
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
