import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import type { Property } from '../../../api/types.ts';
import { isOutOfReach } from '../../../features/property/out-of-reach.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { type TrackingDomain, webhooksApi, webhooksQueries } from '../../../features/webhooks/api.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { RemoveDialog } from '../../../parts/ConfirmDialog.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Field } from '../../../parts/Field.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { DomainRow } from './DomainRow.tsx';

export function DomainsPanel({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(webhooksQueries.domains(property.id));
  const [removing, setRemoving] = useState<TrackingDomain | null>(null);
  return (
    <div className="domains" id="domains">
      <p className="aside">
        On your own domain, ad blockers see no third party, and Safari keeps the visitor cookie for longer
        than seven days.
      </p>
      <p className="aside">
        Add this CNAME record at your DNS provider, or send the domain through your own proxy. Then add the
        domain below, and prove that it’s yours with a TXT record, which is checked daily.
      </p>
      <TargetRecord property={property} />
      {isPending && <Skeleton lines={2} label="Loading domains" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && (
        <ul className="domain-list">
          {data.map((one) => (
            <DomainRow key={one.domain} property={property} domain={one} onRemove={() => setRemoving(one)} />
          ))}
        </ul>
      )}
      <RequirePermission>
        <AddDomainForm property={property} />
      </RequirePermission>
      {removing !== null && (
        <RemoveDomainDialog property={property} domain={removing} onClose={() => setRemoving(null)} />
      )}
    </div>
  );
}

/** Where the domain has to lead: the host of this service. A local one would be wrong in DNS, so it can’t be copied. */
function TargetRecord({ property }: { property: Property }) {
  const baseUrl = useQuery(queries.config()).data?.base_url ?? location.origin;
  const host = isOutOfReach(baseUrl) ? null : new URL(baseUrl).hostname;
  return (
    <dl className="txt-record" aria-label="CNAME record">
      <div className="setting">
        <dt>Name</dt>
        <dd className="mono break">{`track.${property.domain}`}</dd>
      </div>
      <div className="setting">
        <dt>Target</dt>
        {host === null ? (
          <dd className="quiet">
            Set <code>BASE_URL</code> to your public address first
          </dd>
        ) : (
          <>
            <dd className="mono break">{host}</dd>
            <CopyButton text={host} what="the target of the CNAME record" />
          </>
        )}
      </div>
    </dl>
  );
}

/** The longest name in DNS. */
const MAX_DOMAIN = 253;

function AddDomainForm({ property }: { property: Property }) {
  const [domain, setDomain] = useState('');
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => webhooksApi.addDomain(property.id, domain.trim().toLowerCase()),
    onSuccess: async (added) => {
      await queryClient.invalidateQueries(webhooksQueries.domains(property.id));
      announce(`${added.domain} added. Its TXT record is shown in the list`);
      setDomain('');
    },
  });
  const refused = error instanceof ApiError ? error.field('domain') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="form domain-form" onSubmit={submit}>
      <Field
        label="Add a domain"
        required
        maxLength={MAX_DOMAIN}
        className="mono"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder={`track.${property.domain}`}
        value={domain}
        onChange={(event) => setDomain(event.target.value)}
        error={refused}
      />
      <button type="submit" className="button" disabled={isPending}>
        {isPending ? 'Adding…' : 'Add domain'}
      </button>
      {error !== null && refused === undefined && <ErrorState error={error} />}
    </form>
  );
}

interface RemoveDomainDialogProps {
  property: Property;
  domain: TrackingDomain;
  onClose: () => void;
}

function RemoveDomainDialog({ property, domain: { domain }, onClose }: RemoveDomainDialogProps) {
  return (
    <RemoveDialog
      title={`Remove ${domain}?`}
      word={domain}
      action="Remove domain"
      remove={() => webhooksApi.removeDomain(property.id, domain)}
      outdated={[webhooksQueries.domains(property.id)]}
      done={`Removed ${domain}`}
      onClose={onClose}
    >
      <p>
        Pages and servers that still send to this domain are rejected at once. Change them to this service’s
        own address first.
      </p>
    </RemoveDialog>
  );
}
