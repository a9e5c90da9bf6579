import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { ForWhoMay } from '../../features/session/ForWhoMay.tsx';
import { useMay } from '../../features/session/useSession.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Section } from '../../parts/Section.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { CustomBotsSection } from './bots/CustomBotsSection.tsx';
import { healthQuery } from './health.ts';
import { HealthSection, InstallationSection } from './InstallationSection.tsx';
import { ListsSection } from './ListsSection.tsx';
import { DangerSection, PropertySection, SearchEnginesSection } from './PropertySection.tsx';
import { ThemeSection } from './ThemeSection.tsx';

export function SettingsPage() {
  const property = useProperty();
  const installation = useMay('installation');
  // What is below grows with what it shows: it comes as a whole, so that nothing moves under the reader's eye.
  const answers = [useQuery(queries.lists()), useQuery(queries.config()), useQuery(healthQuery())];
  const isWaiting = answers.some(({ isPending }) => isPending);
  if (property === null) return null;
  return (
    <>
      <PageHead title="Settings" />
      <div className="sections">
        <Section title="Property" about="What it is called here, and where it lives.">
          <ForWhoMay>
            <PropertySection property={property} />
          </ForWhoMay>
        </Section>
        <Section title="Attribution ID" about="Names this property on the wire.">
          <p className="identifier">
            <code className="break">{property.id}</code>
            <CopyButton text={property.id} what="the attribution ID" />
          </p>
        </Section>
        <Section title="Search crawlers" about="A class of their own, off by default.">
          <ForWhoMay>
            <SearchEnginesSection property={property} />
          </ForWhoMay>
        </Section>
        <Section title="Theme" about="For this browser.">
          <ThemeSection />
        </Section>
        {isWaiting ? (
          <Skeleton lines={12} label="Loading" />
        ) : (
          <>
            <Section title="Lists" about="Lists that tell AI bots from impersonators, renewed daily.">
              <ListsSection />
            </Section>
            {installation && (
              <Section title="Bots of this installation" about="Crawlers that you add to the list yourself.">
                <CustomBotsSection />
              </Section>
            )}
            <Section title="Health" about="Of the server that answers now.">
              <HealthSection />
            </Section>
            <Section title="Installation" about="The same for every property.">
              <InstallationSection />
            </Section>
            <Section title="Delete" about="The property and its set-up.">
              <ForWhoMay>
                <DangerSection property={property} />
              </ForWhoMay>
            </Section>
          </>
        )}
      </div>
    </>
  );
}
