import { Section } from '../../../parts/Section.tsx';
import { AccountForm } from './AccountForm.tsx';
import { CredentialsPanel } from './CredentialsPanel.tsx';
import { DeleteDestination } from './DeleteDestination.tsx';
import type { DestinationViewProps } from './view-props.ts';

export function SettingsView({ property, platform, destination }: DestinationViewProps) {
  return (
    <div className="sections destination-settings">
      <Section title="Account" about="Where its events go.">
        <AccountForm property={property} platform={platform} destination={destination} />
      </Section>
      <Section title="Credentials" about="What it signs in with.">
        <CredentialsPanel property={property} platform={platform} destination={destination} />
      </Section>
      <Section title="Delete" about="For good.">
        <DeleteDestination property={property} destination={destination} />
      </Section>
    </div>
  );
}
