import type { Property } from '../../../api/types.ts';
import type { WebhookSettings } from '../../../features/webhooks/api.ts';
import { Step } from '../../../parts/Section.tsx';
import { WebhookKeys } from '../keys/WebhookKeys.tsx';
import { EndpointStep } from './EndpointStep.tsx';
import { LatestRequests } from './LatestRequests.tsx';
import { SampleStep } from './SampleStep.tsx';

/** From nothing to the first conversion, with what arrived last beside it. */
export function ReceiveView({ property, settings }: { property: Property; settings: WebhookSettings }) {
  return (
    <div className="setup">
      <div className="setup-steps">
        <Step number={1} title="Issue a key">
          <WebhookKeys property={property} />
        </Step>
        <EndpointStep property={property} endpoint={settings.endpoint} />
        <SampleStep property={property} endpoint={settings.endpoint} />
      </div>
      <LatestRequests property={property} />
    </div>
  );
}
