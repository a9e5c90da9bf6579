/** From what was observed to a diagnosis: is it working, and if not, why and what to do. Pure; the sentences are in `findings.ts`. */
import { DAY_MS } from '@ghostlight/core/time';
import { aboutSource } from '../sources/index.ts';
import { type Finding, inWords, signalFindings } from './findings.ts';
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
        action: 'Create an ingest key, and enter it in the settings of your sender.',
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
      detail: `The service has not yet been reached with ${names.join(', ')}: either nothing is deployed, no visits pass through the sender, or it can’t reach this address.`,
      action: [...new Set(usable.map(({ provider }) => firstSteps(provider)))].join(' '),
      count: 0,
      last_at: null,
    },
  ];
}

/** What to check where a sender never sent. */
function firstSteps(source: string): string {
  const about = aboutSource(source);
  if (about?.kind === 'collector' && about.group === 'edge')
    return 'Check that the collector has a route on your zone (deploying alone captures nothing), and that BASE_URL is an https address that the edge can reach.';
  const sender = about === undefined ? 'the sender' : about.inSentences;
  return `Check that ${sender} is running, and that it can reach BASE_URL from where it runs.`;
}

function silence(
  { keys, property, now, testAt }: Observations,
  state: Diagnosis['state'],
  last: number,
): Finding[] {
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
          ? 'A key of this organization is still being used, so the sender works; its visits go to another property, are dropped, or are rejected.'
          : 'Visits used to arrive, but the key has not been used since: the sender has stopped.',
        action: alive
          ? 'Compare the attribution ID in the sender’s settings with this property’s, and look at the other findings.'
          : 'Check the sender: a collector may have lost its route, a platform switches a log job off after errors, and a program may have stopped.',
        count: 0,
        last_at: last,
      },
    ];
  }
  if (state === 'waiting' && testAt !== null) {
    return [
      {
        code: 'test_arrived',
        severity: 'info',
        title: 'A test visit has arrived.',
        detail:
          'The address and the key work. Live shows the test; reports and alerts leave it out, so this page still waits for the first real visit.',
        action: `Connect a source that sends the visits of ${property.domain}.`,
        count: 1,
        last_at: testAt,
      },
    ];
  }
  if (state === 'waiting' && lastUse > 0) {
    return [
      {
        code: 'nothing_kept',
        severity: 'info',
        title: 'The key works, but no visit was kept yet.',
        detail:
          'Requests with a valid key arrive. Only AI bots, visits from AI engines and samples are kept, and these requests had none for this property.',
        action:
          'Request a page of the site as a bot would: curl -A "GPTBot/1.2" https://' +
          `${property.domain}/ and look at Live.`,
        count: 0,
        last_at: lastUse,
      },
    ];
  }
  return [];
}

/** A host with two senders reports each visit twice; only visits with one request id from both are recognised as one. */
function twoSources({ arrivals, hosts, now }: Observations): Finding[] {
  const byHost = new Map<string, Set<string>>();
  const note = (host: string, source: string): void => {
    if (host !== '') byHost.set(host, (byHost.get(host) ?? new Set()).add(source));
  };
  const fresh = arrivals.filter(({ last_received_at }) => now - last_received_at <= DAY_MS);
  for (const { host, source } of fresh) note(host, source);
  for (const [source, names] of hosts) for (const host of names) note(host, source);
  const doubled = [...byHost].filter(([, sources]) => sources.size > 1);
  if (doubled.length === 0) return [];
  const shown = doubled.slice(0, 3).map(([host, sources]) => {
    const names = [...sources].sort().map((source) => aboutSource(source)?.inSentences ?? source);
    return `Visits of ${host} come from ${inWords(names)}`;
  });
  return [
    {
      code: 'two_sources',
      severity: 'warning',
      title: 'More than one source sends the same host’s visits.',
      detail: `${shown.join('; ')}. A visit counts once only where both send the same request ID, and twice otherwise.`,
      action:
        'Keep one source for this host, or have all of them send the ID of the request (RayID of Cloudflare, X-Request-Id of a server).',
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
      title: 'Visits of another host arrive under this property.',
      detail: `The newest visit is of ${first.host}, while the property’s domain is ${property.domain}.`,
      action:
        'If that is another site of yours, give it a property and an attribution ID of its own; otherwise there is nothing to do.',
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
        'All clients of that proxy count as one address, so they share the limits of one address, and one client’s wrong keys slow down the others.',
      action:
        'Set TRUST_PROXY to the proxy’s address or to the number of proxies. If there is no proxy in front of this service, other clients send the header, and there is nothing to do.',
      count: untrustedProxy.count,
      last_at: untrustedProxy.lastAt,
    },
  ];
}
