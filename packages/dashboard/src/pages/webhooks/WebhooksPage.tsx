import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { Views as ViewLinks } from '../../features/page/Tabs.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { useKeyPress } from '../../parts/shortcuts.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import '../../styles/workspace.css';
import './webhooks.css';
import { type WebhookSettings, webhooksQueries } from '../../features/webhooks/api.ts';
import { ActivityView } from './activity/ActivityView.tsx';
import { RequestDrawer } from './activity/RequestDrawer.tsx';
import { EnableIntro } from './receive/EnableIntro.tsx';
import { ReceiveView } from './receive/ReceiveView.tsx';
import { useChoice, type WebhooksView } from './search.ts';
import { SettingsView } from './settings/SettingsView.tsx';
import { ShopsView } from './shops/ShopsView.tsx';

const NAMES: Readonly<Record<WebhooksView, string>> = {
  receive: 'Endpoint',
  shops: 'Shops',
  activity: 'Recent activity',
  settings: 'Settings',
};

export function WebhooksPage() {
  const property = useProperty();
  return property === null ? null : <Loaded key={property.id} property={property} />;
}

/** The page, and beside all of it the request that is open. */
function Loaded({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(webhooksQueries.settings(property.id));
  const [{ view = 'receive', request = null }, choose] = useChoice();
  const open = view === 'activity' ? request : null;
  const close = () => choose({ request: undefined });
  useKeyPress((event) => {
    if (event.key === 'Escape' && open !== null) close();
  });
  return (
    <div className={view === 'activity' ? 'live' : undefined} data-open={open !== null}>
      <div>
        <PageHead
          title="Webhooks"
          about="Your server, shop or CRM posts conversions, and Ghostlight matches each to the visit that led to it."
        >
          {data?.enabled === false && <NotReceiving />}
        </PageHead>
        {data !== undefined && <Views property={property} settings={data} view={view} />}
        {data === undefined && error === null && <Skeleton lines={7} label="Loading webhooks" />}
        {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      </div>
      {open !== null && <RequestDrawer key={open} property={property} requestId={open} onClose={close} />}
    </div>
  );
}

interface ViewsProps {
  property: Property;
  settings: WebhookSettings;
  view: WebhooksView;
}

function Views({ property, settings, view }: ViewsProps) {
  return (
    <>
      <ViewLinks label="Webhooks" names={NAMES} current={view} />
      {view === 'receive' && !settings.enabled && <EnableIntro property={property} />}
      {view === 'receive' && settings.enabled && <ReceiveView property={property} settings={settings} />}
      {view === 'shops' && <ShopsView property={property} enabled={settings.enabled} />}
      {view === 'activity' && <ActivityView property={property} enabled={settings.enabled} />}
      {view === 'settings' && <SettingsView property={property} settings={settings} />}
    </>
  );
}

/** That it receives is the rule, and needs no mark. */
function NotReceiving() {
  return (
    <span className="state-mark" data-state="off">
      <span className="state-lamp" aria-hidden="true" />
      Not receiving
    </span>
  );
}
