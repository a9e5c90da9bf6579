import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { useHeldKeys } from '../../features/keys/HeldKeys.tsx';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { Checker } from './Checker.tsx';
import { CurlPanel } from './CurlPanel.tsx';
import { KeyStep } from './KeyStep.tsx';
import { LogpushPanel } from './LogpushPanel.tsx';
import type { SnippetValues } from './snippets.ts';
import { useWay } from './useWay.ts';
import { WayChooser } from './WayChooser.tsx';
import { WorkerPanel } from './WorkerPanel.tsx';

/** How a property's traffic comes here, with every value filled in, and beside it whether it does. */
export function SetupPage() {
  const property = useProperty();
  const [way, choose] = useWay();
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
  return (
    <>
      <PageHead
        title="Set-up"
        about={`Bring the traffic of ${property.domain} here. Choose one way; you can use several.`}
      />
      <div className="setup">
        <div className="setup-steps">
          <WayChooser way={way} onChoose={choose} />
          <KeyStep property={property} provider={way === 'logpush' ? 'edge_logpush' : 'edge_worker'} />
          {way === 'worker' && <WorkerPanel values={values} />}
          {way === 'logpush' && <LogpushPanel values={values} />}
          {way === 'curl' && <CurlPanel values={values} />}
        </div>
        <Checker propertyId={property.id} />
      </div>
    </>
  );
}
