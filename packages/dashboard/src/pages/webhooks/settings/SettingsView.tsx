import type { Property } from '../../../api/types.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import type { WebhookSettings } from '../../../features/webhooks/api.ts';
import { Section } from '../../../parts/Section.tsx';
import { ConsentForm } from './ConsentForm.tsx';
import { DomainsPanel } from './DomainsPanel.tsx';
import { LookbackForm } from './LookbackForm.tsx';
import { ReceivingControl } from './ReceivingControl.tsx';

export function SettingsView({ property, settings }: { property: Property; settings: WebhookSettings }) {
  return (
    <div className="sections webhook-sections">
      <Section title="Receiving" about="Whether conversions are taken at all.">
        <ForWhoMay>
          <ReceivingControl property={property} enabled={settings.enabled} />
        </ForWhoMay>
      </Section>
      <Section title="Look-back" about="How old a click may be to be credited.">
        <ForWhoMay>
          <LookbackForm key={settings.lookback_days} property={property} days={settings.lookback_days} />
        </ForWhoMay>
      </Section>
      <Section title="Consent" about="What it means when a conversion says nothing about consent.">
        <ForWhoMay>
          <ConsentForm property={property} chosen={settings.consent_default} />
        </ForWhoMay>
      </Section>
      <Section title="Custom tracking domains" about="A name of yours in front of this service.">
        <DomainsPanel property={property} />
      </Section>
    </div>
  );
}
