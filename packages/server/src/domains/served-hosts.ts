/** Which hosts are custom domains: asked at every request, so it is answered from memory, refreshed every second. */

import type { Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';

const NONE: readonly string[] = [];
const REFRESH_MS = 1_000;
/** Far beyond what one installation serves; what is beyond it is answered as any unknown host, and logged. */
const MAX_DOMAINS = 10_000;

export interface ServedDomain {
  readonly domain: string;
  readonly attributionId: string;
}

export interface ServedHosts {
  of(host: string): ServedDomain | null;
  /** The domains of a property. */
  domainsOf(attributionId: string): readonly string[];
  /** A failure is logged and leaves what was known. */
  refresh(): Promise<void>;
  start(): Promise<void>;
  close(): void;
}

export function createServedHosts({
  database,
  ownHosts,
  log,
}: {
  database: Database;
  ownHosts: () => readonly string[];
  log: Log;
}): ServedHosts {
  let served: ReadonlyMap<string, ServedDomain> = new Map();
  let byProperty: ReadonlyMap<string, readonly string[]> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let failing = false;

  const refresh = async (): Promise<void> => {
    try {
      const rows = await database.reader
        .selectFrom('tracking_domains')
        .innerJoin('properties', 'properties.id', 'tracking_domains.attribution_id')
        .select(['tracking_domains.domain', 'attribution_id'])
        .where('verified_at', 'is not', null)
        .where('deleted_at', 'is', null)
        .limit(MAX_DOMAINS + 1)
        .execute();
      if (rows.length > MAX_DOMAINS && served.size < MAX_DOMAINS)
        log.error({ limit: MAX_DOMAINS }, 'more custom domains are verified than are served');
      served = new Map(
        rows
          .slice(0, MAX_DOMAINS)
          .map(({ domain, attribution_id: attributionId }) => [domain, { domain, attributionId }]),
      );
      byProperty = new Map(
        [...Map.groupBy(served.values(), ({ attributionId }) => attributionId)].map(([id, domains]) => [
          id,
          domains.map(({ domain }) => domain),
        ]),
      );
      failing = false;
    } catch (error) {
      // Once per outage: this comes every second.
      if (!failing) log.warn({ err: error }, 'custom domains could not be read; the last known are served');
      failing = true;
    }
  };

  return {
    // A name that became the service's own after it was claimed stays the service's.
    of: (host) => (served.size === 0 || ownHosts().includes(host) ? null : (served.get(host) ?? null)),
    domainsOf: (attributionId) => byProperty.get(attributionId) ?? NONE,
    refresh,
    async start() {
      await refresh();
      timer = setInterval(() => void refresh(), REFRESH_MS);
      timer.unref();
    },
    close: () => clearInterval(timer),
  };
}
