import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import '../../styles/workspace.css';
import { OutOfReach } from '../../features/property/OutOfReach.tsx';
import { webhooksQueries } from '../../features/webhooks/api.ts';
import './sdk.css';
import { EventCheck } from './EventCheck.tsx';
import { ConsentStep, InstallStep } from './InstallStep.tsx';
import { OriginsStep } from './OriginsStep.tsx';
import { readSdkSearch, type SdkSearch } from './search.ts';
import { SafariStep, VisitorStep } from './VisitorStep.tsx';

/** The steps to the first event, with a live check beside them. */
export function SdkPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const search = useSearch({ from: '/signed-in/p/$propertyId/sdk' });
  const { form = 'script', consent = 'asked' } = search;
  const navigate = useNavigate();
  const choose = (change: SdkSearch) =>
    void navigate({
      to: '/p/$propertyId/sdk',
      params: { propertyId: property.id },
      search: readSdkSearch({ ...search, ...change }),
      replace: true,
      resetScroll: false,
    });
  const baseUrl = useQuery(queries.config()).data?.base_url ?? location.origin;
  const domains = useQuery(webhooksQueries.domains(property.id));
  const verified = domains.data?.find(({ state }) => state === 'verified')?.domain ?? null;
  // Pages should send to a custom domain as soon as there is one.
  const endpoint = verified === null ? baseUrl : `https://${verified}`;
  return (
    <>
      <PageHead
        title="Browser script"
        about={`Records how people arrive on ${property.domain}, so that conversions can be matched to visits.`}
      />
      <div className="setup">
        <div className="setup-steps">
          <OutOfReach address={endpoint} />
          <InstallStep
            form={form}
            consent={consent}
            values={{ attributionId: property.id, endpoint }}
            onChoose={choose}
          />
          <ConsentStep form={form} consent={consent} onChoose={choose} />
          <VisitorStep property={property} form={form} />
          <OriginsStep property={property} />
          <SafariStep property={property} verified={verified} />
        </div>
        <EventCheck property={property} />
      </div>
    </>
  );
}
