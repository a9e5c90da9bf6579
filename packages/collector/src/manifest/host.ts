import type { EdgeCache, KvNamespace, WorkerContext } from '../platform.ts';
import type { ManifestSource } from '../settings/index.ts';
import { newestUsable, type UsableCopy } from './copy.ts';
import { createDataCentre, type DataCentre, type Place } from './data-centre.ts';
import { etagOf } from './etag.ts';
import { type KeyValueCopies, keyValueCopies } from './key-value.ts';
import { type CacheState, manifestResponse, wantsToPassCache } from './response.ts';
import { createManifestService, type ManifestService, type ServiceAnswer } from './service.ts';
import { BYPASS_EVERY_MS, CHECK_AFTER_MS } from './times.ts';

/** Where agents look for a site's tools. */
export const MANIFEST_PATH = '/.well-known/webmcp.json';

export interface ManifestHost {
  /**
   * Answers a GET or HEAD of `MANIFEST_PATH` with the signed manifest. Never rejects, and waits for the service at most 3 s.
   * @param kv undefined: nothing is cached, each request is passed to the service
   * @returns null when the request is for the origin: another path or method, nothing published, or nothing to be had
   */
  respond(
    request: Request,
    source: ManifestSource,
    kv: KvNamespace | undefined,
    ctx: WorkerContext,
  ): Promise<Response | null>;
}

interface Deps {
  readonly fetch: typeof fetch;
  readonly openCache: () => Promise<EdgeCache | null>;
  readonly now: () => number;
  /** Says a sentence once. */
  readonly log: (sentence: string) => void;
}

/** The parts that serve a request, and what of the request they need. */
interface Visit {
  readonly source: ManifestSource;
  readonly place: Place;
  readonly kv: KeyValueCopies | null;
  readonly service: ManifestService;
  readonly dataCentre: DataCentre;
  readonly now: () => number;
  readonly log: (sentence: string) => void;
  /** Work that the visitor does not wait for. */
  readonly later: (work: Promise<void>) => void;
}

interface Found extends UsableCopy {
  readonly state: CacheState;
}

/** Keeps the newest document of its property in memory: one per isolate. */
export function createManifestHost(deps: Deps): ManifestHost {
  const service = createManifestService(deps);
  const dataCentre = createDataCentre(deps);

  return {
    async respond(request, source, kv, ctx) {
      try {
        const { pathname, hostname, origin } = new URL(request.url);
        if (pathname !== MANIFEST_PATH || !['GET', 'HEAD'].includes(request.method)) return null;
        const found = await find(wantsToPassCache(request.headers), {
          source,
          place: { siteOrigin: origin, attributionId: source.attributionId },
          kv: kv === undefined ? null : keyValueCopies(kv, source.attributionId),
          service,
          dataCentre,
          now: deps.now,
          log: deps.log,
          later: (work) => ctx.waitUntil(work.catch(() => {})),
        });
        if (found === null) return null;
        const { text, hosts } = found.document;
        if (!hosts.includes(hostname)) {
          // It would verify nowhere: an agent compares the host that it asked with the list.
          deps.log(`the manifest is for ${someOf(hosts)}; requests for it on other hosts go to the origin`);
          return null;
        }
        return manifestResponse(request, text, found.etag ?? (await etagOf(text)), found.state);
      } catch (error) {
        deps.log(
          `the manifest could not be served (${error instanceof Error ? error.name : 'unknown error'})`,
        );
        return null;
      }
    },
  };
}

/** The edge's copy, else the service's document, else a copy that outlived its hour. */
async function find(passCache: boolean, visit: Visit): Promise<Found | null> {
  const past =
    passCache &&
    visit.kv !== null &&
    (await visit.dataCentre.takeTurn(visit.place, 'bypass', BYPASS_EVERY_MS));
  const cached = past ? null : await cachedCopy(visit);
  if (cached !== null) {
    visit.later(checkWhenDue(cached, visit));
    return { ...cached, state: 'HIT' };
  }
  const asked = visit.now();
  // Without `If-None-Match`: there is no copy, or one that the agent could not verify, whatever its ETag says.
  const answer = await visit.service.ask(visit.source, null);
  visit.later(keep(answer, null, asked, visit));
  if (answer.outcome === 'document') return { ...answer, at: asked, state: past ? 'REVALIDATED' : 'MISS' };
  if (answer.outcome === 'gone') return null;
  const kept = await anyCopy(visit);
  return kept === null ? null : { ...kept, state: 'STALE' };
}

/** KV says whether there is an entry; this data centre's own copy may be a newer one (see times.ts). */
async function cachedCopy(visit: Visit): Promise<UsableCopy | null> {
  const [entry, own] = await Promise.all([
    visit.kv?.fresh() ?? null,
    visit.kv === null ? [] : visit.dataCentre.copies(visit.place),
  ]);
  if (entry === null) return null;
  return newestUsable([entry, ...own], visit.source.attributionId, visit.now());
}

/** For an outage. Without a namespace nothing is kept, as nothing is cached. */
async function anyCopy(visit: Visit): Promise<UsableCopy | null> {
  if (visit.kv === null) return null;
  const [fresh, stale, own] = await Promise.all([
    visit.kv.fresh(),
    visit.kv.stale(),
    visit.dataCentre.copies(visit.place),
  ]);
  return newestUsable([fresh, stale, ...own], visit.source.attributionId, visit.now());
}

/** Asks whether the copy that was just served is still the newest, once a minute in a data centre. */
async function checkWhenDue(copy: UsableCopy, visit: Visit): Promise<void> {
  const asked = visit.now();
  // The distance and not the age: a time of the future, by whatever clock, is no reason never to ask.
  if (Math.abs(asked - copy.at) < CHECK_AFTER_MS) return;
  if (!(await visit.dataCentre.takeTurn(visit.place, 'check', CHECK_AFTER_MS))) return;
  await keep(await visit.service.ask(visit.source, copy.etag), copy, asked, visit);
}

/**
 * Brings every copy in line with what the service said.
 * @param had the copy that an `unchanged` is about
 * @param at when the service was asked: what it said was true then, and a rotation may have followed before its answer came
 */
async function keep(answer: ServiceAnswer, had: UsableCopy | null, at: number, visit: Visit): Promise<void> {
  const { dataCentre, kv, place } = visit;
  if (answer.outcome === 'trouble') visit.log(`no manifest from the service: ${answer.reason}`);
  if (kv === null) return;
  switch (answer.outcome) {
    case 'document': {
      const { document, etag } = answer;
      await Promise.all([
        dataCentre.remember(place, { text: document.text, etag, at }),
        kv.write(document, etag, at),
      ]);
      return;
    }
    case 'unchanged':
      if (had !== null) await dataCentre.remember(place, { text: had.document.text, etag: had.etag, at });
      return;
    case 'gone':
      await Promise.all([dataCentre.remember(place, { text: null, etag: null, at }), kv.remove()]);
      return;
  }
}

/** The first hosts of a list that may be long. */
function someOf(hosts: readonly string[]): string {
  const shown = hosts.slice(0, 5).join(', ') || 'no host';
  return hosts.length > 5 ? `${shown} and ${hosts.length - 5} more` : shown;
}
