import { useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Property } from '../../api/types.ts';
import { ThemeSection } from '../../features/page/ThemeSection.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { useMay } from '../../features/session/useSession.ts';
import { SettingsFrame } from '../../features/settings/SettingsFrame.tsx';
import { type SettingsSearch, type SettingsView, topicOf } from '../../features/settings/topics.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { DangerRow, DangerZone } from '../../parts/DangerZone.tsx';
import { Section } from '../../parts/Section.tsx';
import { CustomBotsSection } from './bots/CustomBotsSection.tsx';
import { DeleteProperty } from './DeleteProperty.tsx';
import { HealthSection, InstallationSection } from './InstallationSection.tsx';
import { ListsSection } from './ListsSection.tsx';
import { PropertySection, SearchEnginesSection } from './PropertySection.tsx';
import { QuotaSection } from './QuotaSection.tsx';
import { RetentionSection } from './RetentionSection.tsx';
import './settings.css';

/** The settings by topic, one at a time. */
export function SettingsPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const { view = 'general' }: SettingsSearch = useSearch({ strict: false });
  const Shown = VIEWS[view];
  return (
    <SettingsFrame view={view} title={topicOf(view).label} about={ABOUT[view]}>
      <div className="sections" key={view}>
        <Shown property={property} />
      </div>
    </SettingsFrame>
  );
}

/** What each topic is, and whom a change reaches where that is not the property. */
const ABOUT: Readonly<Record<SettingsView, string>> = {
  general: 'What this property is called, and which visits it stores.',
  data: 'How long this property’s data is kept, and how much it may store.',
  appearance: 'How the dashboard looks to you.',
  lists: 'Published IP ranges and keys, used to tell real AI bots from fakes in every property.',
  installation: 'Health and addresses of this server, shared by every property.',
};

const VIEWS: Readonly<Record<SettingsView, ComponentType<{ property: Property }>>> = {
  general: General,
  data: Data,
  appearance: () => (
    <Section id="theme" title="Theme" about="Saved in this browser only.">
      <ThemeSection />
    </Section>
  ),
  lists: Lists,
  installation: () => (
    <>
      <Section id="health" title="Health">
        <HealthSection />
      </Section>
      <Section
        id="installation"
        title="Details"
        about="Addresses and retention are set in the service’s configuration."
      >
        <InstallationSection />
      </Section>
    </>
  ),
};

function General({ property }: { property: Property }) {
  return (
    <>
      <Section id="property" title="Property" about="Shown in reports and in the switcher.">
        <RequirePermission>
          <PropertySection property={property} />
        </RequirePermission>
      </Section>
      <Section
        id="attribution-id"
        title="Attribution ID"
        about="Collectors and the API identify this property by it."
      >
        <p className="identifier attribution-id">
          <code className="break">{property.id}</code>
          <CopyButton text={property.id} what="the attribution ID" />
        </p>
      </Section>
      <Section id="search-crawlers" title="Search crawlers" about="Googlebot, Bingbot and others.">
        <RequirePermission>
          <SearchEnginesSection property={property} />
        </RequirePermission>
      </Section>
      <div id="delete">
        <DangerZone>
          <DangerRow
            title="Delete this property"
            about="Deletes all its data, destinations and manifests. Its keys stop working at once. This can’t be undone."
          >
            <RequirePermission permission="organization">
              <DeleteProperty property={property} />
            </RequirePermission>
          </DangerRow>
        </DangerZone>
      </div>
    </>
  );
}

function Data({ property }: { property: Property }) {
  return (
    <>
      <Section
        id="retention"
        title="Retention"
        about="Data older than this is deleted. If you lower a value, you’ll see what is deleted before you save; it takes effect within two hours."
      >
        <RequirePermission permission="organization">
          <RetentionSection property={property} />
        </RequirePermission>
      </Section>
      <Section
        id="quota"
        title="Quota"
        about="The most visits that this property stores per day, set by the operator of this server."
      >
        <QuotaSection property={property} />
      </Section>
    </>
  );
}

function Lists() {
  const mayAdd = useMay('lists');
  return (
    <>
      <Section id="lists" title="Published lists">
        <ListsSection />
      </Section>
      {mayAdd && <CustomBotsSection />}
    </>
  );
}
