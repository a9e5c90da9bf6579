import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { queries } from '../../../api/queries.ts';
import type { Property } from '../../../api/types.ts';
import { isOutOfReach } from '../../../features/property/out-of-reach.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { useMay } from '../../../features/session/useSession.ts';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Sign } from '../../../parts/Sign.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { webmcpQueries } from '../api.ts';
import type { HostStatus, WebmcpState } from '../types.ts';
import { isUntrusted, wordsFor } from './host-words.ts';

export function HostStatusPanel({ property, state }: { property: Property; state: WebmcpState }) {
  // The service checks hosts over the network, which viewers may not start.
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
          <h2>Hosts</h2>
          <p className="quiet">
            Ghostlight fetches <span className="path-whole">/.well-known/webmcp.json</span> from each host and
            verifies its signature.
          </p>
        </div>
        <RequirePermission>
          <button type="button" className="button" disabled={isFetching} onClick={check}>
            {isFetching ? 'Checking…' : 'Check now'}
          </button>
        </RequirePermission>
      </header>
      {mayAsk && isPending && <Skeleton lines={state.hosts.length * 2} label="Asking the hosts" />}
      {!mayAsk && <p className="aside">Admins and owners can check the hosts.</p>}
      {error !== null && <ErrorState error={error} onRetry={check} />}
      {data !== undefined && (
        <ul className="host-states">
          {data.map((status) => (
            <HostStatusRow
              key={status.host}
              status={status}
              isLocal={isOutOfReach(config?.app_base_url ?? location.origin)}
            />
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

interface HostStatusRowProps {
  status: HostStatus;
  /** The record would name an address that only this machine can reach. */
  isLocal: boolean;
}

function HostStatusRow({ status, isLocal }: HostStatusRowProps) {
  const { host, url, state, detail, cache, checked_at } = status;
  const { before, time, after } = timeIn(detail);
  const { tone, title, action, notes } = wordsFor(status);
  const needsRecord = isUntrusted(status);
  // The facts of a document that is served are those of the signature, beside this.
  const good = state === 'current';
  return (
    <li className="host-state">
      <Sign tone={tone} {...(needsRecord ? { sign: 'warning' as const } : {})} />
      <div className="host-state-body">
        <p className="host-state-head">
          <a className="mono break" href={url} target="_blank" rel="noreferrer">
            {host}
          </a>
          <strong>
            {needsRecord && isLocal ? 'Not trusted yet: set BASE_URL, then add the DNS record' : title}
          </strong>
        </p>
        {!good && detail !== '' && (
          <p className="host-detail break">
            {before}
            {time !== '' && <Time value={time} form="date" />}
            {after}
          </p>
        )}
        {/* Until it has an address that others reach, the record below says what comes first. */}
        {needsRecord && !isLocal && (
          <p className="host-action">
            <Link to="." search={true} hash="dns-record">
              Add the DNS record
            </Link>
          </p>
        )}
        {action !== '' && <p className="host-action">{action}</p>}
        <p className="quiet">
          {notes.map((note) => `${note} · `).join('')}
          Checked <Time value={checked_at} form="ago" />
          {!good && cache !== null && cache !== '' && ` · Edge cache: ${cache.toLowerCase()}`}
        </p>
      </div>
    </li>
  );
}

/** The service's sentence around its time, `2026-11-21T14:03:27Z`, which is shown in the property's zone. Without one, all is `before`. */
export function timeIn(detail: string): { before: string; time: string; after: string } {
  const [time = ''] = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/.exec(detail) ?? [];
  if (time === '') return { before: detail, time, after: '' };
  const at = detail.indexOf(time);
  return { before: detail.slice(0, at), time, after: detail.slice(at + time.length) };
}
