/** From what was observed to a diagnosis: is it working, and if not, why and what to do. Pure; the sentences are in `findings.ts`. */
import { DAY_MS } from '@ghostlight/core/time';
import { type Finding, signalFindings } from './findings.ts';
import type { Observations, SourceArrival } from './observations.ts';

export interface Diagnosis {
  /** `waiting`: nothing has ever arrived; `stale`: something has, but not within 24 h; `active` otherwise. */
  readonly state: 'waiting' | 'active' | 'stale';
  readonly sources: readonly SourceArrival[];
  /** Errors first, then by how recent they are. */
  readonly findings: readonly Finding[];
}

const SEVERITIES = ['error', 'warning', 'info'] as const;

export function diagnose(seen: Observations): Diagnosis {
  const last = Math.max(0, ...seen.arrivals.map(({ last_received_at }) => last_received_at));
  const state = last === 0 ? 'waiting' : seen.now - last > DAY_MS ? 'stale' : 'active';
  const findings = [
    ...keyFindings(seen, state),
    ...silence(seen, state, last),
    ...signalFindings(seen, state),
    ...twoSources(seen),
    ...foreignHosts(seen),
    ...untrustedProxies(seen),
  ];
  findings.sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || (b.last_at ?? 0) - (a.last_at ?? 0),
  );
  return { state, sources: seen.arrivals, findings };
}

function keyFindings({ keys, property }: Observations, state: Diagnosis['state']): Finding[] {
  const usable = keys.filter(
    ({ revokedAt, attributionId }) =>
      revokedAt === null && (attributionId === null || attributionId === property.id),
  );
  if (usable.length === 0) {
    return [
      {
        code: 'no_key',
        severity: 'error',
        title: 'There is no ingest key.',
        detail:
          'Senders need a key of this organization that is not revoked, and there is none for this property.',
        action: 'Issue an ingest key and put it into the collector’s secret or the log push job.',
        count: 0,
        last_at: null,
      },
    ];
  }
  if (state !== 'waiting' || usable.some(({ lastUsedAt }) => lastUsedAt !== null)) return [];
  const names = usable.slice(0, 3).map(({ name, prefix }) => `“${name}” (${prefix}…)`);
  return [
    {
      code: 'key_never_used',
      severity: 'warning',
      title: 'No request with a valid key has arrived yet.',
      detail: `The service has not yet been reached with ${names.join(', ')}: either nothing is deployed, no route sends requests through the collector, or this address can’t be reached from the edge.`,
      action:
        'Check that the collector has a route on your zone (deploying alone captures nothing), and that BASE_URL is an https address that the edge can reach.',
      count: 0,
      last_at: null,
    },
  ];
}

function silence({ keys, property, now }: Observations, state: Diagnosis['state'], last: number): Finding[] {
  const used = keys
    .filter(({ attributionId }) => attributionId === null || attributionId === property.id)
    .map(({ lastUsedAt }) => lastUsedAt ?? 0);
  const lastUse = Math.max(0, ...used);
  if (state === 'stale') {
    const days = Math.floor((now - last) / DAY_MS);
    const alive = now - lastUse <= DAY_MS;
    return [
      {
        code: 'stale',
        severity: 'error',
        title: `Nothing has arrived for ${days === 1 ? 'a day' : `${days} days`}.`,
        detail: alive
          ? 'A key of this organization is still being used, so the sender works; its hits go to another property, are dropped, or are rejected.'
          : 'Hits used to arrive, and the key has not been used since either: the sender has stopped.',
        action: alive
          ? 'Compare the attribution ID in the sender’s settings with this property’s, and look at the other findings.'
          : 'Look whether the collector is still deployed and routed, or whether the log push job was switched off after errors.',
        count: 0,
        last_at: last,
      },
    ];
  }
  if (state === 'waiting' && lastUse > 0) {
    return [
      {
        code: 'nothing_kept',
        severity: 'info',
        title: 'The key works, but no hit was kept yet.',
        detail:
          'Requests with a good key arrive. Only AI bots, visits from AI engines and samples are kept, and these requests had none for this property.',
        action:
          'Ask for a page of the site as a bot would: curl -A "GPTBot/1.2" https://' +
          `${property.domain}/ and look at Live.`,
        count: 0,
        last_at: lastUse,
      },
    ];
  }
  return [];
}

/** A zone with the collector and log push sends each visit twice; only visits with a ray id from both sides are recognised as one. */
function twoSources({ arrivals, hosts, now }: Observations): Finding[] {
  const byHost = new Map<string, Set<string>>();
  const note = (host: string, source: string): void => {
    if (host !== '') byHost.set(host, (byHost.get(host) ?? new Set()).add(source));
  };
  const fresh = arrivals.filter(({ last_received_at }) => now - last_received_at <= DAY_MS);
  for (const { host, source } of fresh) note(host, source);
  for (const [source, names] of hosts) for (const host of names) note(host, source);
  const doubled = [...byHost].filter(([, sources]) => sources.size > 1).map(([host]) => host);
  if (doubled.length === 0) return [];
  return [
    {
      code: 'two_sources',
      severity: 'warning',
      title: 'One host is sent by both the collector and log push.',
      detail: `${doubled.slice(0, 3).join(', ')} reach${doubled.length === 1 ? 'es' : ''} the service twice. Visits are counted once only where both sides send the edge’s request id; an old collector, or a job without RayID, counts them twice.`,
      action: 'Keep one of the two for this host, or update the collector and add RayID to the job’s fields.',
      count: doubled.length,
      last_at: Math.max(...fresh.map(({ last_received_at }) => last_received_at)),
    },
  ];
}

function foreignHosts({ arrivals, property }: Observations): Finding[] {
  const foreign = arrivals.filter(
    ({ host }) =>
      host !== '' &&
      host !== property.domain &&
      !host.endsWith(`.${property.domain.replace(/^www\./, '')}`) &&
      host !== property.domain.replace(/^www\./, ''),
  );
  const [first] = foreign;
  if (first === undefined) return [];
  return [
    {
      code: 'foreign_host',
      severity: 'info',
      title: 'Hits of another host arrive under this property.',
      detail: `The newest hit is of ${first.host}, while the property’s domain is ${property.domain}.`,
      action:
        'If that is another site of yours, give it a property and an attribution ID of its own; otherwise nothing is to be done.',
      count: foreign.length,
      last_at: first.last_received_at,
    },
  ];
}

function untrustedProxies({ untrustedProxy }: Observations): Finding[] {
  if (untrustedProxy === null) return [];
  return [
    {
      code: 'untrusted_proxy',
      severity: 'warning',
      title: 'Requests arrive with X-Forwarded-For, but TRUST_PROXY is empty.',
      detail:
        'All clients of that proxy count as one address, so the limits for one address hold for all of them together, and wrong keys of one slow the others.',
      action:
        'Set TRUST_PROXY to the proxy’s address or to the number of proxies. If there is no proxy in front of this service, other clients send the header, and there is nothing to do.',
      count: untrustedProxy.count,
      last_at: untrustedProxy.lastAt,
    },
  ];
}
