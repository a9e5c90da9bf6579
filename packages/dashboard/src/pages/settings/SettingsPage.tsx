import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { useMay } from '../../features/session/useSession.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { DangerRow, DangerZone } from '../../parts/DangerZone.tsx';
import { Section, SectionGroup } from '../../parts/Section.tsx';
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
        <SectionGroup title="This property">
          <Section
            title="Property"
            about="What it is called, which site it stands for, and where its days begin."
          >
            <RequirePermission>
              <PropertySection property={property} />
            </RequirePermission>
          </Section>
          <Section title="Attribution ID" about="Senders, the SDK and the API name this property by it.">
            <p className="identifier">
              <code className="break">{property.id}</code>
              <CopyButton text={property.id} what="the attribution ID" />
            </p>
          </Section>
          <Section
            title="Search crawlers"
            about="Stores Googlebot and others beside the AI bots; off by default."
          >
            <RequirePermission>
              <SearchEnginesSection property={property} />
            </RequirePermission>
          </Section>
          {!isWaiting && (
            <>
              <Section title="Quota" about="How many visits a day the operator lets this property store.">
                <QuotaSection property={property} />
              </Section>
              <Section title="Retention" about="Deletes data of each class once it is so many days old.">
                <RequirePermission permission="organization">
                  <RetentionSection property={property} />
                </RequirePermission>
              </Section>
            </>
          )}
        </SectionGroup>
        {isWaiting ? (
          <Skeleton lines={12} label="Loading" />
        ) : (
          <>
            <SectionGroup title="This browser">
              <Section title="Theme" about="Light, dark, or as the system says. Others see their own.">
                <ThemeSection />
              </Section>
            </SectionGroup>
            <SectionGroup title="This installation">
              <Section title="Lists" about="Tell AI bots from impersonators. They are refreshed daily.">
                <ListsSection />
              </Section>
              {mayList && (
                <Section title="Bots of this installation" about="Adds bots that the list doesn’t know yet.">
                  <CustomBotsSection />
                </Section>
              )}
              <Section title="Health" about="How the server that answered is doing.">
                <HealthSection />
              </Section>
              <Section title="Installation" about="Set by the operator, the same for every property.">
                <InstallationSection />
              </Section>
            </SectionGroup>
            <DangerZone>
              <DangerRow
                title="Delete this property"
                about="Deletes its visits, reports, conversions, keys and destinations. Its keys stop working at once. This can’t be undone."
              >
                <RequirePermission permission="organization">
                  <DangerSection property={property} />
                </RequirePermission>
              </DangerRow>
            </DangerZone>
          </>
        )}
      </div>
    </>
  );
}
