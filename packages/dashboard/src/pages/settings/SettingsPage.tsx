import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { useMay } from '../../features/session/useSession.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Section } from '../../parts/Section.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { CustomBotsSection } from './bots/CustomBotsSection.tsx';
import { healthQuery } from './health.ts';
import { HealthSection, InstallationSection } from './InstallationSection.tsx';
import { ListsSection } from './ListsSection.tsx';
import { DangerSection, PropertySection, SearchEnginesSection } from './PropertySection.tsx';
import { QuotaSection } from './QuotaSection.tsx';
import { RetentionSection } from './RetentionSection.tsx';
import { ThemeSection } from './ThemeSection.tsx';

export function SettingsPage() {
  const property = useProperty();
  const mayList = useMay('lists');
  // The sections below grow with their content, so they are shown together when all have loaded.
  const answers = [useQuery(queries.lists()), useQuery(queries.config()), useQuery(healthQuery())];
  const isWaiting = answers.some(({ isPending }) => isPending);
  if (property === null) return null;
  return (
    <>
      <PageHead title="Settings" />
      <div className="sections">
        <Section title="Property" about="Name, domain and time zone.">
          <RequirePermission>
            <PropertySection property={property} />
          </RequirePermission>
        </Section>
        <Section title="Attribution ID" about="Identifies this property in requests.">
          <p className="identifier">
            <code className="break">{property.id}</code>
            <CopyButton text={property.id} what="the attribution ID" />
          </p>
        </Section>
        <Section title="Search crawlers" about="A separate class, off by default.">
          <RequirePermission>
            <SearchEnginesSection property={property} />
          </RequirePermission>
        </Section>
        <Section title="Theme" about="For this browser.">
          <ThemeSection />
        </Section>
        {isWaiting ? (
          <Skeleton lines={12} label="Loading" />
        ) : (
          <>
            <Section title="Lists" about="Lists that identify AI bots and impersonators, refreshed daily.">
              <ListsSection />
            </Section>
            {mayList && (
              <Section title="Bots of this installation" about="Your additions to the bot list.">
                <CustomBotsSection />
              </Section>
            )}
            <Section title="Health" about="The server that answered.">
              <HealthSection />
            </Section>
            <Section title="Installation" about="The same for every property.">
              <InstallationSection />
            </Section>
            <Section title="Quota" about="How many visits the operator allows.">
              <QuotaSection property={property} />
            </Section>
            <Section title="Retention" about="How long this property keeps its data.">
              <RequirePermission permission="organization">
                <RetentionSection property={property} />
              </RequirePermission>
            </Section>
            <Section title="Delete" about="Deletes the property with everything in it.">
              <RequirePermission permission="organization">
                <DangerSection property={property} />
              </RequirePermission>
            </Section>
          </>
        )}
      </div>
    </>
  );
}
