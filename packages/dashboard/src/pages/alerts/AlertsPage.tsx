import { Link, useSearch } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import '../../styles/workspace.css';
import './alerts.css';
import { ChannelsView } from './channels/ChannelsView.tsx';
import { AlertsList } from './list/AlertsList.tsx';
import { RulesView } from './rules/RulesView.tsx';
import { type AlertsSearch, type AlertsView, VIEWS } from './search.ts';

const NAMES: Readonly<Record<AlertsView, string>> = {
  alerts: 'Alerts',
  rules: 'Rules',
  channels: 'Channels',
};

export function AlertsPage() {
  const property = useProperty();
  return property === null ? null : <View key={property.id} property={property} />;
}

function View({ property }: { property: Property }) {
  const { view = 'alerts' }: AlertsSearch = useSearch({ strict: false });
  return (
    <div className="alerts">
      <PageHead
        title="Alerts"
        about={`Unusual activity at this property, checked every five minutes. Each alert is sent once. Times are in ${property.time_zone}.`}
      />
      <nav className="tabs" aria-label="Alerts">
        {VIEWS.map((name) => (
          <Link
            key={name}
            to="."
            search={name === 'alerts' ? {} : { view: name }}
            className="tab"
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === view ? 'page' : undefined}
          >
            {NAMES[name]}
          </Link>
        ))}
      </nav>
      {view === 'alerts' && <AlertsList property={property} />}
      {view === 'rules' && <RulesView property={property} />}
      {view === 'channels' && <ChannelsView property={property} />}
    </div>
  );
}
