import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queries } from '../../../api/queries.ts';
import type { Property } from '../../../api/types.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { useMay } from '../../../features/session/useSession.ts';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { webmcpQueries } from '../api.ts';
import type { WebmcpState } from '../types.ts';
import { HostStatusRow } from './HostStatusRow.tsx';

export function HostStatusPanel({ property, state }: { property: Property; state: WebmcpState }) {
  // It makes the service ask hosts over the network.
  const mayAsk = useMay('change');
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...webmcpQueries.status(property.id),
    enabled: mayAsk,
  });
  const config = useQuery(queries.config()).data;
  const announce = useAnnounce();
  const asked = useRef(false);
  useEffect(() => {
    if (isFetching || !asked.current || data === undefined) return;
    asked.current = false;
    const good = data.filter((one) => one.state === 'current').length;
    announce(`${good} of ${counted(data.length, 'host')} current`);
  }, [isFetching, data, announce]);
  const check = () => {
    asked.current = true;
    void refetch();
  };
  const manifestService = `${config?.app_base_url ?? location.origin}/api/v1/webmcp`;
  const notServed = data?.some((one) => one.state === 'not_served' || one.state === 'not_json') ?? false;
  return (
    <section className="card panel" aria-label="Hosts">
      <header className="panel-head">
        <div>
          <h2>{counted(state.hosts.length, 'host')}</h2>
          <p className="quiet">
            Each is asked for /.well-known/webmcp.json, as an agent would, and the signature is checked.
          </p>
        </div>
        <ForWhoMay>
          <button type="button" className="button" disabled={isFetching} onClick={check}>
            {isFetching ? 'Checking…' : 'Check now'}
          </button>
        </ForWhoMay>
      </header>
      {mayAsk && isPending && <Skeleton lines={state.hosts.length * 2} label="Asking the hosts" />}
      {!mayAsk && <p className="aside">Who may change things here can have them asked.</p>}
      {error !== null && <ErrorState error={error} onRetry={check} />}
      {data !== undefined && (
        <ul className="host-states">
          {data.map((status) => (
            <HostStatusRow key={status.host} status={status} />
          ))}
        </ul>
      )}
      {notServed && (
        <p className="setting">
          <code className="break">SERVICE_MANIFEST_URL={manifestService}</code>
          <CopyButton text={manifestService} what="the manifest address" />
        </p>
      )}
    </section>
  );
}
