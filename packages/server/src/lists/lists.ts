/** The lists in use: embedded at first, then what the installation's nodes have published; renewed once a day. */
import {
  type BotLists,
  type CompiledLists,
  compileLists,
  embeddedLists,
  embeddedListsReadAt,
  embeddedSearchEngines,
  type SearchEngines,
  withSearchEngines,
} from '@ghostlight/core';
import { type Clock, type Log, ServiceError } from '../common/index.ts';
import { type Audit, changesOf, type Database } from '../database/index.ts';
import type { Download } from '../outbound/index.ts';
import { compose, composeSearchEngines, dayOf } from './compose.ts';
import { type CustomBot, type CustomBotFields, checkCustomBot } from './custom-bots.ts';
import { createPublication, createSearchPublication, type Publication } from './publication.ts';
import { readSource } from './read-source.ts';
import { createSnapshotStore, type SourceState } from './snapshots.ts';
import { type ListSource, listSources } from './sources.ts';
import { createWantedDirectories, type WantedDirectories } from './wanted-directories.ts';

/** Other nodes' publications are seen within this. */
const POLL_MS = 30_000;
const TIMEOUT_MS = 15_000;
const CONCURRENCY = 4;
/** Held while lists are composed: two nodes must not give one version number to two contents. */
const LOCK = 'lists:publish';

export interface SourceStatus extends SourceState {
  readonly id: string;
  readonly kind: ListSource['kind'];
  readonly url: string;
  /** The bots that it tells from fakes, by name; empty: it holds the names of all. */
  readonly bots: readonly string[];
  /** Its bots are crawlers of search engines. */
  readonly searchCrawlers: boolean;
  /** Age of the release's copy, while it is in use; in the list's format. Null: not in use, or unknown. */
  readonly asOf: string | null;
}

export interface RefreshReport {
  readonly version: number;
  readonly changed: boolean;
  readonly read: number;
  readonly failed: number;
}

export interface Lists {
  /** The lists for classifying hits; never waits. */
  current(): CompiledLists;
  /** The same as they travel. */
  inUse(): BotLists;
  /** What `GET /v1/config/ai-bots` sends. */
  publication(): Publication;
  /** The lists with the search crawlers behind them; made when they are first asked for. */
  withSearchEngines(): CompiledLists;
  /** What `GET /v1/config/ai-bots?search_engines=1` sends. */
  searchPublication(): Publication;
  /** What both are made of, for another thread: the same objects until they change. */
  plain(): BotLists;
  plainWithSearchEngines(): BotLists;
  /** Loads what is published (or publishes the embedded lists), then looks every 30 s. Before it, the embedded lists are in use. */
  start(): Promise<void>;
  /**
   * The daily job: reads every source, keeps the last good reading where that fails, publishes when the content changed. A call while one
   * is under way joins it. @throws only when the database fails
   */
  refresh(): Promise<RefreshReport>;
  /** Looks now whether another node has published. */
  poll(): Promise<void>;
  /** Bots that the operator added, oldest first; at most 100. */
  customBots(): Promise<readonly CustomBot[]>;
  /** In use here at once, by other nodes within 30 s, by collectors within six hours. @throws ServiceError `invalid` */
  addCustomBot(actor: string, fields: CustomBotFields): Promise<CustomBot>;
  /** @throws ServiceError `not_found` */
  removeCustomBot(actor: string, token: string): Promise<void>;
  /** Key directories that signed requests name beyond the list. */
  readonly directories: WantedDirectories;
  /** Every source with its last good reading and last error. */
  status(): Promise<SourceStatus[]>;
  close(): Promise<void>;
}

export interface ListsOptions {
  readonly database: Database;
  readonly download: Download;
  readonly clock: Clock;
  readonly log: Log;
  /** The project's own list file and the key of its signatures (`LISTS_URL`, `LISTS_KEY`); null: none. */
  readonly published?: { readonly url: string; readonly key: string } | null;
  /** Default: every source that travels with the code. */
  readonly sources?: readonly ListSource[];
  /** Default: the lists that travel with the code. */
  readonly embedded?: BotLists;
  /** As though what travels with the code had been read then, where made-up visitors come from it; epoch milliseconds. */
  readonly readAt?: number;
  /** Per source, milliseconds. */
  readonly timeoutMs?: number;
}

/** Of a bot that is gone, only the log has the name. */
const inTheLog = ({ name, vendor, intent }: CustomBot) => ({ name, vendor, intent });

export function createLists(options: ListsOptions): Lists {
  const { database, download, clock, log, timeoutMs = TIMEOUT_MS } = options;
  const { published: listFile = null, readAt } = options;
  const copiedOn = readAt === undefined ? null : dayOf(readAt);
  const embedded = options.embedded ?? (readAt === undefined ? embeddedLists() : embeddedListsReadAt(readAt));
  const copy = { entries: embedded.bot_patterns.length, as_of: embedded.generated_at.slice(0, 10) };
  const sources: readonly ListSource[] = [
    ...(listFile === null ? [] : [{ kind: 'list', id: 'list', ...listFile, embedded: copy } as const]),
    ...(options.sources ?? listSources()),
  ];
  const isOfSearchEngines = (source: ListSource) => source.kind === 'ranges' && source.searchEngines === true;
  const ofSearchEngines = sources.filter(isOfSearchEngines);
  const ofBots = sources.filter((source) => !isOfSearchEngines(source));
  const store = createSnapshotStore(database);
  const closing = new AbortController();
  const directories = createWantedDirectories({ download, clock, log, timeoutMs });
  let digest = '';
  let inUse: BotLists = embedded;
  let compiled = compileLists(embedded);
  let published = createPublication(embedded, 'embedded'.padEnd(16, '0'));
  let searchEngines: SearchEngines = embeddedSearchEngines();
  /** Of the readings that they were made of. */
  let searchStamp = '';
  /** Made of both lists when a property or a collector first asks: most installations never do. */
  let searchPlain: BotLists | null = null;
  let searchCompiled: CompiledLists | null = null;
  let searchPublished: Publication | null = null;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | null = null;
  let refreshing: Promise<RefreshReport> | null = null;

  const use = (lists: BotLists, newDigest: string): void => {
    // Compiled first: should that throw, nothing is half replaced.
    const nextCompiled = compileLists(lists);
    published = createPublication(lists, newDigest);
    compiled = nextCompiled;
    inUse = lists;
    digest = newDigest;
    searchPlain = searchCompiled = searchPublished = null;
  };

  const loadSearchEngines = async (): Promise<void> => {
    const stamp = await store.readingStamp(ofSearchEngines.map(({ id }) => id));
    if (stamp === searchStamp) return;
    const stored = await store.sources();
    searchEngines = composeSearchEngines(ofSearchEngines.flatMap(({ id }) => stored.get(id) ?? []));
    searchStamp = stamp;
    searchPlain = searchCompiled = searchPublished = null;
  };

  const load = async (): Promise<void> => {
    await loadSearchEngines();
    const found = await store.publishedDigest();
    if (found === null || found === digest) return;
    const publication = await store.publication();
    if (publication === null) return;
    // Nodes only ever go forward: a read that raced with a publication must not bring the old one back.
    if (digest !== '' && publication.lists.version < compiled.version) return;
    use(publication.lists, publication.digest);
    log.info({ version: publication.lists.version }, 'bot list in use');
  };

  const publish = (): Promise<boolean> => database.underLock(LOCK, composeAndPublish);

  /** Under the lock. */
  const composeAndPublish = async (): Promise<boolean> => {
    const stored = await store.sources();
    const readings = ofBots.flatMap(({ id }) => stored.get(id) ?? []);
    const now = clock();
    const next = compose(embedded, readings, await store.customBots(), await store.publication(), now);
    if (next !== null) await store.publish(next, now);
    return next !== null;
  };

  /** Changes the operator's own bots, and publishes. */
  const changeCustom = async (
    change: (standing: readonly CustomBot[]) => { bots: readonly CustomBot[]; audit: Audit },
  ): Promise<void> => {
    await database.underLock(LOCK, async () => {
      const { bots, audit } = change(await store.customBots());
      await store.saveCustomBots(bots, audit);
      await composeAndPublish();
    });
    await load();
  };

  const readAll = async (): Promise<{ read: number; failed: number }> => {
    const waiting = [...sources];
    const last = (await store.sources()).get('list')?.snapshot ?? null;
    const standing = { embedded, last: last?.kind === 'list' ? last.list : null };
    const failed: string[] = [];
    const work = async (): Promise<void> => {
      for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
        const at = clock();
        const reading = await readSource(source, { download, now: at, timeoutMs, standing }, closing.signal);
        // An attempt that the shutdown cut off says nothing about the source.
        if (closing.signal.aborted) return;
        await store.saveReading(source.id, reading, at);
        if (!('error' in reading)) continue;
        failed.push(`${source.id}: ${reading.error}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    // One line for all: without the internet there are dozens, at the first start too, among what its operator has to read.
    if (failed.length > 0)
      log.warn(
        { failed: failed.sort(), of: sources.length },
        'published lists could not be renewed; their last good copies stay in use',
      );
    return { read: sources.length - failed.length, failed: failed.length };
  };

  const refreshOnce = async (): Promise<RefreshReport> => {
    const counts = await readAll();
    const changed = await publish();
    await load();
    return { version: compiled.version, changed, ...counts };
  };

  const poll = (): Promise<void> => {
    polling ??= load().finally(() => {
      polling = null;
    });
    return polling;
  };

  const plainWithSearchEngines = (): BotLists => {
    searchPlain ??= withSearchEngines(inUse, searchEngines);
    return searchPlain;
  };

  return {
    current: () => compiled,
    inUse: () => inUse,
    publication: () => published,
    withSearchEngines() {
      searchCompiled ??= compileLists(plainWithSearchEngines());
      return searchCompiled;
    },
    searchPublication() {
      searchPublished ??= createSearchPublication(plainWithSearchEngines());
      return searchPublished;
    },
    plain: () => inUse,
    plainWithSearchEngines,
    async start() {
      await publish();
      await load();
      timer = setInterval(() => {
        poll().catch((error: unknown) =>
          log.warn({ err: error }, 'the published list could not be looked up'),
        );
      }, POLL_MS);
      timer.unref();
    },
    refresh() {
      refreshing ??= refreshOnce().finally(() => {
        refreshing = null;
      });
      return refreshing;
    },
    poll,
    directories,
    customBots: store.customBots,
    async addCustomBot(actor, fields) {
      const at = clock();
      const bot: CustomBot = { ...fields, addedAt: at };
      await changeCustom((standing) => {
        checkCustomBot(fields, standing, inUse);
        const changes = changesOf({}, inTheLog(bot));
        const about = { at, actor, action: 'custom_bot.added', subject: bot.token, organizationId: null };
        return { bots: [...standing, bot], audit: { ...about, changes } };
      });
      return bot;
    },
    async removeCustomBot(actor, token) {
      await changeCustom((standing) => {
        const bots = standing.filter((bot) => bot.token !== token);
        const removed = standing.find((bot) => bot.token === token);
        if (removed === undefined)
          throw new ServiceError('not_found', 'This installation has no bot of its own with this token.');
        const changes = changesOf(inTheLog(removed), {});
        const about = {
          at: clock(),
          actor,
          action: 'custom_bot.removed',
          subject: token,
          organizationId: null,
        };
        return { bots, audit: { ...about, changes } };
      });
    },
    async status() {
      const stored = await store.sources();
      return sources.map((source) => {
        const { id, kind, url, embedded: copy } = source;
        const { snapshot, ...state } = stored.get(id) ?? NEVER_READ;
        const bots = source.kind === 'list' ? [] : source.bots;
        const about = { id, kind, url, bots, searchCrawlers: isOfSearchEngines(source) };
        return snapshot === null
          ? {
              ...about,
              ...state,
              entries: copy.entries,
              asOf: copy.as_of === '' ? null : (copiedOn ?? copy.as_of),
            }
          : { ...about, ...state, asOf: null };
      });
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      await Promise.allSettled([polling, refreshing, directories.close()]);
    },
  };
}

const NEVER_READ = {
  snapshot: null,
  entries: 0,
  skipped: 0,
  fetchedAt: null,
  checkedAt: 0,
  error: null,
} as const;
