import { useSearch } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { Tabs } from '../../features/page/Tabs.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import '../../styles/workspace.css';
import './alerts.css';
import { AddAnotherChannel, ChannelsView } from './channels/ChannelsView.tsx';
import { AlertsList } from './list/AlertsList.tsx';
import { RulesView } from './rules/RulesView.tsx';
import type { AlertsSearch, AlertsView } from './search.ts';

const NAMES: Readonly<Record<AlertsView, string>> = {
  alerts: 'Alerts',
  rules: 'Rules',
  channels: 'Channels',
};

/** What each view is about. @param timeZone the property's */
const ABOUT: Readonly<Record<AlertsView, (timeZone: string) => string>> = {
  alerts: (timeZone) =>
    `Unusual activity on this property, checked every five minutes. Times are in ${timeZone}.`,
  rules: () => 'What triggers an alert.',
  channels: () => 'Where alerts are sent.',
};

export function AlertsPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const { view = 'alerts' }: AlertsSearch = useSearch({ strict: false });
  return (
    <div className="alerts">
      <PageHead
        title="Alerts"
        about={ABOUT[view](property.time_zone)}
        tabs={<Tabs label="Alerts" names={NAMES} current={view} />}
      >
        {view === 'channels' && <AddAnotherChannel property={property} />}
      </PageHead>
      {view === 'alerts' && <AlertsList property={property} />}
      {view === 'rules' && <RulesView property={property} />}
      {view === 'channels' && <ChannelsView property={property} />}
    </div>
  );
}
