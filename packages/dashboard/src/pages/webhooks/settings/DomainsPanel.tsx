import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { type TrackingDomain, webhooksQueries } from '../../../features/webhooks/api.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { AddDomainForm } from './AddDomainForm.tsx';
import { DomainRow } from './DomainRow.tsx';
import { RemoveDomainDialog } from './RemoveDomainDialog.tsx';

export function DomainsPanel({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(webhooksQueries.domains(property.id));
  const [removing, setRemoving] = useState<TrackingDomain | null>(null);
  return (
    <div className="domains" id="domains">
      <p className="aside">
        With <code>track.{property.domain}</code> in front of this service, the SDK, events and webhooks come
        from your own site: ad blockers see no stranger, and the visitor cookie is set by a server, which
        Safari keeps for longer than seven days. Point the name here (a CNAME record, or your proxy with its
        certificate), and prove that it is yours with a TXT record, which is looked at again every day.
      </p>
      {isPending && <Skeleton lines={2} label="Loading domains" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && (
        <ul className="domain-list">
          {data.map((one) => (
            <DomainRow key={one.domain} property={property} domain={one} onRemove={() => setRemoving(one)} />
          ))}
        </ul>
      )}
      <ForWhoMay>
        <AddDomainForm property={property} />
      </ForWhoMay>
      {removing !== null && (
        <RemoveDomainDialog property={property} domain={removing} onClose={() => setRemoving(null)} />
      )}
    </div>
  );
}
