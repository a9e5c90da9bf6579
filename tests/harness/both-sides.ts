/** A visit on both sides of the wire, without the wire: what the edge posts of it, and what the service makes of the post. */
import {
  type CompiledLists,
  classify,
  type SignatureAgent,
  type StoredHit,
  type Verdict,
} from '@ghostlight/core';
import { isbot } from 'isbot';
import type { LogObject } from '../../packages/collector/src/forward/index.ts';
import { createObserver } from '../../packages/collector/src/observe/index.ts';
import { parseQuery } from '../../packages/collector/src/observe/text.ts';
import { classifiable, traitsOf } from '../../packages/collector/src/observe/visit.ts';
import { ATTRIBUTION_ID } from '../../packages/collector/src/testing/values.ts';
import { runPipeline } from '../../packages/server/src/ingest/pipeline.ts';
import { decodeElement } from '../../packages/server/src/sources/edge_worker/decode.ts';
import { isRejection } from '../../packages/server/src/sources/index.ts';

/** The UTC day of every visit here. */
export const TODAY = '2026-11-21';
const NOW = Date.parse(`${TODAY}T12:00:00Z`);

const ORGANIZATION = '6a0f8d52-91c7-4e0b-8a55-3c1f0e2d7b44';
const KEY = { id: '', organizationId: ORGANIZATION, attributionId: null, prefix: 'svc_cf_' };
const OWNERS = new Map([[ATTRIBUTION_ID, ORGANIZATION]]);

/** A visit as the edge meets it. */
export interface Arrival {
  readonly visit: DescribedVisit;
  readonly request: Request;
  readonly url: URL;
}

export interface DescribedVisit {
  readonly url: string;
  /** Latin-1, as header values are. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every visit is drawn where it is above 0.5. */
  readonly sampleRate: number;
  /** Whose signature it carries; it holds. */
  readonly signer?: { readonly agent: SignatureAgent; readonly identity: string };
}

export function arrive(visit: DescribedVisit): Arrival {
  const { identity } = visit.signer ?? {};
  const headers = {
    'cf-ray': '8f2a6c1d9e4b7a35-FRA',
    ...visit.headers,
    ...(identity === undefined
      ? {}
      : {
          signature: 'sig1=:AA==:',
          'signature-input': 'sig1=();tag="web-bot-auth"',
          'signature-agent': `"${identity}"`,
        }),
  };
  const url = new URL(visit.url);
  return { visit, request: new Request(url, { headers }), url };
}

/** @returns what the collector posts; null where it posts nothing */
export async function reportedBy(
  { visit, request, url }: Arrival,
  lists: CompiledLists,
): Promise<LogObject | null> {
  const posted: LogObject[] = [];
  const background: Promise<unknown>[] = [];
  const inUse = { compiled: lists, origin: 'served' } as const;
  const observer = createObserver({
    lists: { current: () => inUse, renewed: async () => inUse },
    signatures: {
      verify: async () =>
        visit.signer === undefined
          ? { outcome: 'absent', reason: 'none' }
          : { outcome: 'verified', ...visit.signer },
    },
    forwarder: { forward: async (hit) => void posted.push(hit) },
    isBot: isbot,
    now: () => NOW,
    random: () => 0.5,
    sleep: async () => {},
  });
  const ctx = {
    waitUntil: (promise: Promise<unknown>) => void background.push(promise),
    passThroughOnException: () => {},
  };
  const { sampleRate } = visit;
  const to = { ingestUrl: '', apiKey: '', attributionId: ATTRIBUTION_ID, botlistUrl: '', sampleRate };
  const sighting = observer.look(request, url, to, ctx);
  if (sighting !== null) observer.report(sighting, new Response(null), ctx);
  await Promise.all(background);
  return posted[0] ?? null;
}

/** The edge's own verdict, of which the wire carries the class alone. */
export function judgedAtTheEdge({ visit, request, url }: Arrival, lists: CompiledLists): Verdict {
  return classify(classifiable(traitsOf(request, url), visit.signer?.identity ?? null), lists, isbot);
}

/**
 * @param report as it was sent
 * @param searchEngines of a property that tells search crawlers apart: the lists with those behind the bots
 * @returns the row, null where the service drops it
 * @throws when the service rejects it
 */
export function storedFrom(
  report: object,
  lists: CompiledLists,
  searchEngines: CompiledLists | null = null,
): StoredHit | null {
  const decoded = decodeElement(JSON.parse(JSON.stringify(report)), NOW);
  if (isRejection(decoded)) throw new Error(`rejected: ${decoded.field} ${decoded.reason}`);
  let row: StoredHit | null = null;
  const outcome = runPipeline(decoded, {
    key: KEY,
    owners: OWNERS,
    domainsOf: () => [],
    searchEnginesOf: () => searchEngines,
    signatures: { check: (hit) => hit },
    lists,
    isBot: isbot,
    toRow: (stored) => {
      if (stored.class !== 'counted') row = stored;
      return '';
    },
    receivedAt: NOW,
  });
  if (outcome.kind === 'rejected') throw new Error(`rejected: ${outcome.field} ${outcome.reason}`);
  return row;
}

/** The service's verdict of the whole visit, as a collector without any lists of its own would send it: nothing cut away, and no sample. */
export function storedWhole({ visit, request, url }: Arrival, lists: CompiledLists): StoredHit | null {
  const { userAgent, referrer } = traitsOf(request, url);
  return storedFrom(
    {
      timestamp: NOW,
      attribution_id: ATTRIBUTION_ID,
      host: url.host,
      pathname: url.pathname,
      query_params: Object.fromEntries(parseQuery(url.search)),
      user_agent: userAgent,
      referer: referrer,
      ...(visit.signer === undefined
        ? {}
        : { verified: true, verified_by: 'signature', signature_agent: visit.signer.identity }),
    },
    lists,
  );
}
