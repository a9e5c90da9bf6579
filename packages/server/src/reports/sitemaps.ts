/** A property's sitemap: what is known of it, and reading it again, daily or on request. */
import { createHash } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import { type Clock, type Log, ServiceError } from '../common/index.ts';
import { audit, auditChange, type Database, type Row } from '../database/index.ts';
import type { Download } from '../outbound/index.ts';
import type { Owner } from '../properties/index.ts';
import { removeSitemaps, type SitemapPage, storeSitemap, type Warehouse } from '../warehouse/index.ts';
import { moment } from './numbers.ts';
import { type Robots, readRobots } from './robots.ts';
import { readRobotsOf } from './robots-reader.ts';
import { readSitemap, SitemapError } from './sitemap-reader.ts';

/** What `readSitemap` is asked with. */
export interface Site extends Owner {
  readonly domain: string;
}

export interface SitemapState {
  readonly state: 'none' | 'waiting' | 'ok' | 'failed';
  readonly url: string | null;
  readonly configured_url: string | null;
  readonly pages: number;
  readonly truncated: boolean;
  readonly skipped: number;
  readonly fetched_at: string | null;
  readonly tried_at: string | null;
  readonly error: string | null;
}

/** A node that died while it read blocks others no longer; a reading ends by itself long before. */
const READING_LEASE_MS = 10 * MINUTE_MS;
const AGAIN_AFTER_MS = MINUTE_MS;
const DAILY_AFTER_MS = 20 * HOUR_MS;
const PAGE = 200;

/** A reading that was begun: nothing of it is stored once the row waits for another. */
interface Claim {
  /** Names it: `reading_since` of the row. */
  readonly since: number;
  /** What a person configured at that moment. */
  readonly url: string | null;
  readonly version: number | null;
  readonly digest: string | null;
}

export interface Sitemaps {
  state(site: Site): Promise<SitemapState>;
  /** Version of the last good reading; null: there is none. */
  version(site: Owner): Promise<number | null>;
  /** By host, as the last good reading found it; a host whose robots.txt could not be read is absent. */
  robots(site: Owner): Promise<ReadonlyMap<string, Robots>>;
  /** Begins to read there; what was being read before is given up. @throws ServiceError `invalid` for an address that is not this site's */
  configure(site: Site, actor: string, url: string | null): Promise<SitemapState>;
  /** Begins to read, and answers before it has. @throws ServiceError `rate_limited` within a minute of the last time */
  refresh(site: Site, actor: string): Promise<SitemapState>;
  /** The daily round over all properties that were not read today. One that fails keeps no other waiting. */
  refreshAll(signal?: AbortSignal): Promise<void>;
  /** Waits for what is being read, after telling it to end. */
  close(): Promise<void>;
}

export function createSitemaps({
  database,
  warehouse,
  download,
  clock,
  log,
}: {
  database: Database;
  warehouse: Warehouse;
  download: Download;
  clock: Clock;
  log: Log;
}): Sitemaps {
  const stopped = new AbortController();
  const reading = new Set<Promise<void>>();

  const rowOf = async (
    { id, organizationId }: Owner,
    from: Pick<Database['kysely'], 'selectFrom'> = database.reader,
  ): Promise<Row<'sitemaps'> | undefined> =>
    await from
      .selectFrom('sitemaps')
      .selectAll()
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();

  /** What is being read by this node, to be given up when its address is no longer the one. */
  const readings = new Map<string, AbortController>();

  const rowExists = async (kysely: Database['kysely'], { id, organizationId }: Owner): Promise<void> => {
    await kysely
      .insertInto('sitemaps')
      .values({ ...EMPTY, attribution_id: id, organization_id: organizationId })
      .onConflict((conflict) => conflict.column('attribution_id').doNothing())
      .execute();
  };

  /** Changes the row as long as the reading is the one that it waits for. @returns false: it was replaced, or took too long */
  const finish = async (
    { id, organizationId }: Owner,
    { since, url }: Claim,
    values: Partial<Row<'sitemaps'>>,
  ): Promise<boolean> => {
    const done = await database.kysely
      .updateTable('sitemaps')
      .set({ ...values, reading_since: null })
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('reading_since', '=', since)
      .where((eb) => (url === null ? eb('configured_url', 'is', null) : eb('configured_url', '=', url)))
      .executeTakeFirst();
    return done.numUpdatedRows > 0n;
  };

  /**
   * @param to the address to be read from now on, even if another is being read; absent: the current one, unless it is being read
   * @returns null: it is being read
   */
  const claim = async (
    site: Owner,
    to?: { readonly url: string | null },
    kysely = database.kysely,
  ): Promise<Claim | null> => {
    const now = clock();
    await rowExists(kysely, site);
    const taken = await kysely
      .updateTable('sitemaps')
      .set({
        // Later than the claim before, so that it names this reading alone.
        reading_since: sql<number>`CASE WHEN reading_since >= ${now} THEN reading_since + 1 ELSE ${now} END`,
        ...(to === undefined ? {} : { configured_url: to.url, tried_at: null }),
      })
      .where('attribution_id', '=', site.id)
      .where('organization_id', '=', site.organizationId)
      .$if(to === undefined, (query) =>
        query.where(({ eb, or }) =>
          or([eb('reading_since', 'is', null), eb('reading_since', '<', now - READING_LEASE_MS)]),
        ),
      )
      .returning(['reading_since', 'configured_url', 'version', 'digest'])
      .executeTakeFirst();
    if (taken === undefined || taken.reading_since === null) return null;
    const { reading_since: since, configured_url: url, version, digest } = taken;
    return { since, url, version, digest };
  };

  const read = async (site: Site, claimed: Claim, stop = stopped.signal): Promise<void> => {
    const replaced = new AbortController();
    readings.get(site.id)?.abort();
    readings.set(site.id, replaced);
    const signal = AbortSignal.any([stop, replaced.signal]);
    const scope = { organizationId: site.organizationId, attributionId: site.id };
    try {
      const found = await readSitemap(download, site.domain, claimed.url, signal);
      const robots = await readRobotsOf(download, found.pages, signal);
      signal.throwIfAborted();
      const digest = digestOf(found.pages);
      const changed = digest !== claimed.digest;
      const version = changed ? Math.max(claimed.since, (claimed.version ?? 0) + 1) : claimed.version;
      if (changed && version !== null) await storeSitemap(warehouse, scope, version, found.pages);
      const isKnown = await finish(site, claimed, {
        ...{ url: found.url, version, digest, error: null },
        ...{ pages: found.pages.length, skipped: found.skipped, truncated: found.truncated ? 1 : 0 },
        ...{ tried_at: clock(), fetched_at: clock(), robots: JSON.stringify(robots) },
      });
      if (changed && version !== null)
        await removeSitemaps(warehouse, scope, isKnown ? { before: version } : { only: version });
    } catch (error) {
      // A stop says nothing about the sitemap: the next node reads it. Nor does an address that was changed meanwhile.
      if (signal.aborted) return void (await finish(site, claimed, {}));
      const word = error instanceof SitemapError ? error.word : null;
      if (word === null) log.warn({ err: error, attributionId: site.id }, 'a sitemap could not be stored');
      await finish(site, claimed, { error: word ?? 'unavailable', tried_at: clock() });
    } finally {
      if (readings.get(site.id) === replaced) readings.delete(site.id);
    }
  };

  /** In the background, known to `close`. */
  const begin = (site: Site, claimed: Claim | null): void => {
    if (stopped.signal.aborted || claimed === null) return;
    const work = read(site, claimed)
      .catch((error: unknown) =>
        log.warn({ err: error, attributionId: site.id }, 'a sitemap could not be read'),
      )
      .finally(() => reading.delete(work));
    reading.add(work);
  };

  const state = async (site: Site): Promise<SitemapState> => view(await rowOf(site), clock());

  return {
    state,
    async version(site) {
      return (await rowOf(site))?.version ?? null;
    },
    async robots(site) {
      const texts: Record<string, string> = JSON.parse((await rowOf(site))?.robots ?? '{}');
      return new Map(Object.entries(texts).map(([host, text]) => [host, readRobots(text)]));
    },
    async configure(site, actor, url) {
      if (url !== null && !isOwnAddress(url, site.domain))
        throw new ServiceError('invalid', 'The sitemap must be on this property’s site.', {
          errors: [{ pointer: '/url', message: `Enter an https URL at or below ${site.domain}.` }],
        });
      const claimed = await database.kysely.transaction().execute(async (trx) => {
        const before = await rowOf(site, trx);
        const claimed = await claim(site, { url }, trx);
        await auditChange(trx, {
          at: clock(),
          actor,
          action: 'sitemap.configured',
          subject: site.id,
          organizationId: site.organizationId,
          before: { url: before?.configured_url ?? null },
          after: { url },
        });
        return claimed;
      });
      begin(site, claimed);
      return await state(site);
    },
    async refresh(site, actor) {
      const row = await rowOf(site);
      const wait = (row?.tried_at ?? 0) + AGAIN_AFTER_MS - clock();
      if (wait > 0)
        throw new ServiceError('rate_limited', 'It was read a moment ago; try again in a minute.', {
          headers: { 'Retry-After': String(Math.ceil(wait / 1_000)) },
        });
      await audit(database.kysely, {
        at: clock(),
        actor,
        action: 'sitemap.refreshed',
        subject: site.id,
        organizationId: site.organizationId,
      });
      begin(site, await claim(site));
      return await state(site);
    },
    async refreshAll(signal) {
      const end = signal === undefined ? stopped.signal : AbortSignal.any([stopped.signal, signal]);
      for (let after = ''; !end.aborted; ) {
        const properties = await database.reader
          .selectFrom('properties')
          .leftJoin('sitemaps', 'sitemaps.attribution_id', 'properties.id')
          .select(['properties.id', 'properties.organization_id', 'properties.domain', 'sitemaps.tried_at'])
          .where('properties.deleted_at', 'is', null)
          .where('properties.id', '>', after)
          .orderBy('properties.id')
          .limit(PAGE)
          .execute();
        for (const { id, organization_id: organizationId, domain, tried_at: triedAt } of properties) {
          const site = { id, organizationId, domain };
          if (end.aborted) return;
          if ((triedAt ?? 0) >= clock() - DAILY_AFTER_MS) continue;
          const claimed = await claim(site);
          if (claimed !== null) await read(site, claimed, end);
        }
        const last = properties.at(-1);
        if (last === undefined || properties.length < PAGE) return;
        after = last.id;
      }
    },
    async close() {
      stopped.abort();
      await Promise.allSettled(reading);
    },
  };
}

const EMPTY = {
  ...{ configured_url: null, url: null, reading_since: null, tried_at: null, fetched_at: null },
  ...{ error: null, version: null, digest: null, pages: 0, skipped: 0, truncated: 0, robots: null },
} as const;

function view(row: Row<'sitemaps'> | undefined, now: number): SitemapState {
  const { url, configured_url, pages, skipped, error, tried_at, fetched_at, reading_since } = row ?? EMPTY;
  const isReading = reading_since !== null && reading_since > now - READING_LEASE_MS;
  const state = isReading ? 'waiting' : error !== null ? 'failed' : fetched_at !== null ? 'ok' : 'none';
  return {
    state,
    url,
    configured_url,
    pages,
    truncated: row?.truncated === 1,
    skipped,
    fetched_at: moment(fetched_at ?? 0),
    tried_at: moment(tried_at ?? 0),
    error,
  };
}

function isOwnAddress(address: string, domain: string): boolean {
  const url = URL.parse(address);
  const site = domain.replace(/^www\./, '');
  return (
    url?.protocol === 'https:' &&
    url.username === '' &&
    (url.hostname === site || url.hostname.endsWith(`.${site}`))
  );
}

function digestOf(pages: readonly SitemapPage[]): string {
  const hash = createHash('sha256');
  for (const { host, path } of pages) hash.update(`${host}${path}\n`);
  return hash.digest('hex');
}
