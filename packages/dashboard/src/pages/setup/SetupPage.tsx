import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { useHeldKeys } from '../../features/keys/HeldKeys.tsx';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { useSources } from '../../parts/useSources.ts';
import { Checker } from './Checker.tsx';
import { CurlPanel } from './CurlPanel.tsx';
import { KeyStep } from './KeyStep.tsx';
import { PANELS } from './panels.ts';
import { SourcePanel } from './SourcePanel.tsx';
import { chosenSource, TRY_IT } from './search.ts';
import type { SnippetValues } from './snippets.ts';
import { useWay } from './useWay.ts';
import { WayChooser } from './WayChooser.tsx';

/** How a property's traffic comes here, with every value filled in, and beside it whether it does. */
export function SetupPage() {
  const property = useProperty();
  const [way, choose] = useWay();
  const source = chosenSource(way, useSources());
  const { keyFor } = useHeldKeys();
  const config = useQuery(queries.config()).data;
  if (property === null) return null;
  const values: SnippetValues = {
    baseUrl: config?.base_url ?? location.origin,
    appBaseUrl: config?.app_base_url ?? location.origin,
    propertyId: property.id,
    domain: property.domain,
    searchEngines: property.search_engines,
    key: keyFor(property.id),
  };
  const OwnPanel = source === null ? undefined : PANELS[source.name];
  return (
    <>
      <PageHead
        title="Set-up"
        about={`Bring the traffic of ${property.domain} here. Choose one way; you can use several.`}
      />
      <div className="setup">
        <div className="setup-steps">
          <WayChooser way={source?.setup.slug ?? TRY_IT} onChoose={choose} />
          <KeyStep property={property} provider={source?.name} />
          {source === null ? (
            <CurlPanel values={values} />
          ) : OwnPanel === undefined ? (
            <SourcePanel source={source} values={values} />
          ) : (
            <OwnPanel values={values} />
          )}
        </div>
        <Checker propertyId={property.id} />
      </div>
    </>
  );
}
