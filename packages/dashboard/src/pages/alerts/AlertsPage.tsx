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

export function AlertsPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const { view = 'alerts' }: AlertsSearch = useSearch({ strict: false });
  return (
    <div className="alerts">
      <PageHead
        title="Alerts"
        about={`Unusual activity at this property, checked every five minutes. Times are in ${property.time_zone}.`}
        tabs={
          <Tabs label="Alerts" names={NAMES} current={view}>
            {view === 'channels' && <AddAnotherChannel property={property} />}
          </Tabs>
        }
      />
      {view === 'alerts' && <AlertsList property={property} />}
      {view === 'rules' && <RulesView property={property} />}
      {view === 'channels' && <ChannelsView property={property} />}
    </div>
  );
}
