import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queries } from '../../../api/queries.ts';
import type { Property } from '../../../api/types.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { useMay } from '../../../features/session/useSession.ts';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Sign, type Tone } from '../../../parts/Sign.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { webmcpQueries } from '../api.ts';
import type { HostState, HostStatus, WebmcpState } from '../types.ts';

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

function HostStatusRow({ status }: { status: HostStatus }) {
  const { host, url, state, detail, cache, checked_at } = status;
  const { tone, title, action } = wordsFor(state);
  return (
    <li className="host-state">
      <Sign tone={tone} />
      <div className="host-state-body">
        <p className="host-state-head">
          <a className="mono break" href={url} target="_blank" rel="noreferrer">
            {host}
          </a>
          <strong>{title}</strong>
        </p>
        {detail !== '' && <p className="host-detail break">{detail}</p>}
        {action !== '' && <p className="host-action">{action}</p>}
        <p className="quiet">
          Checked <Time value={checked_at} form="ago" />
          {cache !== null && cache !== '' && ` · cache: ${cache}`}
        </p>
      </div>
    </li>
  );
}

/** What each state of a host means, and what to do about it. */
interface StateWords {
  readonly tone: Tone;
  readonly title: string;
  /** What to do; empty when there is nothing to do. */
  readonly action: string;
}

const STATES: Readonly<Record<HostState, StateWords>> = {
  current: { tone: 'good', title: 'Serves the current document', action: '' },
  outdated: {
    tone: 'wait',
    title: 'Serves an earlier document',
    action:
      'After publishing, edges follow within about two minutes; check again then. If it stays, the collector can’t reach this service, or it serves from a cache in front of it.',
  },
  invalid: {
    tone: 'bad',
    title: 'Does not verify',
    action:
      'Right after Rotate keys this is expected for up to two minutes: cached copies carry the old signature. If it stays, something on the zone changes the document on its way, or serves a copy of its own.',
  },
  not_served: {
    tone: 'bad',
    title: 'Not served',
    action:
      'Deploy the collector on this zone with a route that covers the host, and set SERVICE_MANIFEST_URL to the address below.',
  },
  not_json: {
    tone: 'bad',
    title: 'Something else answers',
    action:
      'A page answers where the document should be: the route does not cover this host or path, or SERVICE_MANIFEST_URL is empty and the site answers every address itself.',
  },
  unreachable: {
    tone: 'bad',
    title: 'Not reachable',
    action:
      'Check that the name resolves, that its certificate is valid, and that no rule of the zone blocks this service.',
  },
  private_address: {
    tone: 'unknown',
    title: 'Private address',
    action:
      'The name leads to a private network, which this service does not look into. Check it from inside with ghostlight manifest verify.',
  },
};

/** A state that a newer service may know and this page doesn't is shown as it came. */
function wordsFor(state: string): StateWords {
  return STATES[state as HostState] ?? { tone: 'unknown', title: state.replaceAll('_', ' '), action: '' };
}
