import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';
import { useHeldKeys } from '../../features/keys/HeldKeys.tsx';
import {
  FirstSteps,
  useFirstStepsKnown,
  useFirstStepsMostlyDone,
} from '../../features/onboarding/FirstSteps.tsx';
import { PageHead } from '../../features/page/PageHead.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { useSources } from '../../parts/useSources.ts';
import '../../styles/workspace.css';
import { Checker } from './Checker.tsx';
import { KeyStep } from './KeyStep.tsx';
import { PANELS } from './panels.ts';
import { SourceGallery } from './SourceGallery.tsx';
import { CurlPanel, SourcePanel } from './SourcePanel.tsx';
import { chosenSlug, TRY_IT, useVia } from './search.ts';
import type { SnippetValues } from './snippets.ts';

/** The setup of a property's traffic: choose a source, copy its configuration, and watch it become active. */
export function SetupPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  // The first steps are at the top: what is below them would move when they come.
  const isKnown = useFirstStepsKnown(property);
  const isMostlyDone = useFirstStepsMostlyDone(property);
  const [via, choose] = useVia();
  const sources = useSources();
  const chosen = chosenSlug(via, sources);
  const source = sources.find(({ setup }) => setup.slug === chosen);
  const { keyFor } = useHeldKeys();
  const config = useQuery(queries.config()).data;
  const values: SnippetValues = {
    baseUrl: config?.base_url ?? location.origin,
    appBaseUrl: config?.app_base_url ?? location.origin,
    propertyId: property.id,
    domain: property.domain,
    searchEngines: property.search_engines,
    key: keyFor(property.id),
  };
  const OwnPanel = source === undefined ? undefined : PANELS[source.name];
  return (
    <>
      <PageHead title="Setup" about={`Connect ${property.domain}. Add as many sources as you like.`} />
      {!isKnown && <Skeleton lines={8} label="Loading setup" />}
      {isKnown && (
        <>
          {/* One line once most are done: the sources come first then. */}
          <FirstSteps property={property} folds={isMostlyDone} />
          <div className="setup">
            <div className="setup-steps">
              <SourceGallery propertyId={property.id} chosen={chosen} onChoose={choose} />
              <KeyStep property={property} source={source} />
              {chosen === TRY_IT && <CurlPanel values={values} />}
              {source === undefined ? null : OwnPanel === undefined ? (
                <SourcePanel source={source} values={values} />
              ) : (
                <OwnPanel values={values} />
              )}
            </div>
            <Checker propertyId={property.id} />
          </div>
        </>
      )}
    </>
  );
}
