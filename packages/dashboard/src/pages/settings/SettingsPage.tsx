import { useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { ThemeSection } from '../../features/page/ThemeSection.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { useMay } from '../../features/session/useSession.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { DangerRow, DangerZone } from '../../parts/DangerZone.tsx';
import { Section } from '../../parts/Section.tsx';
import { CustomBotsSection } from './bots/CustomBotsSection.tsx';
import { HealthSection, InstallationSection } from './InstallationSection.tsx';
import { ListsSection } from './ListsSection.tsx';
import { DangerSection, PropertySection, SearchEnginesSection } from './PropertySection.tsx';
import { QuotaSection } from './QuotaSection.tsx';
import { RetentionSection } from './RetentionSection.tsx';
import { SettingsIndex } from './SettingsIndex.tsx';
import type { SettingsSearch, SettingsView } from './search.ts';
import './settings.css';

/** The settings by topic, one at a time. */
export function SettingsPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const { view = 'general' }: SettingsSearch = useSearch({ strict: false });
  const Shown = VIEWS[view];
  return (
    <>
      <PageHead title="Settings" about={SCOPES[view](property)} />
      <div className="settings">
        <SettingsIndex current={view} />
        <div className="sections" key={view}>
          <Shown property={property} />
        </div>
      </div>
    </>
  );
}

/** Whom a change reaches. */
const ofProperty = ({ name }: Property) => `For ${name}.`;
const ofInstallation = () => 'For every property of this installation.';
const SCOPES: Readonly<Record<SettingsView, (property: Property) => string>> = {
  general: ofProperty,
  data: ofProperty,
  appearance: () => 'For you, in this browser.',
  lists: ofInstallation,
  installation: ofInstallation,
};

const VIEWS: Readonly<Record<SettingsView, ComponentType<{ property: Property }>>> = {
  general: General,
  data: Data,
  appearance: () => (
    <Section id="theme" title="Theme" about="Applies to this browser only.">
      <ThemeSection />
    </Section>
  ),
  lists: Lists,
  installation: () => (
    <>
      <Section id="health" title="Health" about="Status of this server, checked every 15 seconds.">
        <HealthSection />
      </Section>
      <Section id="installation" title="About" about="Set by the operator, the same for every property.">
        <InstallationSection />
      </Section>
    </>
  ),
};

function General({ property }: { property: Property }) {
  return (
    <>
      <Section
        id="property"
        title="Property"
        about="The name and domain of the site, and when its days begin."
      >
        <RequirePermission>
          <PropertySection property={property} />
        </RequirePermission>
      </Section>
      <Section
        id="attribution-id"
        title="Attribution ID"
        about="Identifies this property in the API and in the set-up of collectors."
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
              <DangerSection property={property} />
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
      <Section id="retention" title="Retention" about="How many days each kind of data is kept.">
        <RequirePermission permission="organization">
          <RetentionSection property={property} />
        </RequirePermission>
      </Section>
      <Section
        id="quota"
        title="Quota"
        about="The most visits that this property stores per day, set by the operator."
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
      <Section
        id="lists"
        title="Bot lists"
        about="Names, addresses and keys that publishers list. They tell AI bots from fakes."
      >
        <ListsSection />
      </Section>
      {mayAdd && (
        <Section id="own-bots" title="Custom bots" about="Bots that are on none of the lists above.">
          <CustomBotsSection />
        </Section>
      )}
    </>
  );
}
