/** `ghostlight doctor --warehouse`: asks the ClickHouse server itself, whether or not a service runs. */
import type { Log } from '../common/index.ts';
import type { Config } from '../config.ts';
import type { Finding } from './doctor-storage.ts';

/** A right that is missing, a server that is down: each is a finding, and needs no line of a log besides. */
const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

export async function warehouseFindings(config: Config): Promise<readonly Finding[]> {
  if (config.clickhouseUrl === null)
    return [
      {
        check: 'reachable',
        level: 'note',
        text: 'CLICKHOUSE_URL is not set: hits are in the embedded engine in DATA_DIR, which “ghostlight doctor” checks.',
      },
    ];
  // Not at import: it loads the client of ClickHouse, which no other check needs.
  const { examineWarehouse } = await import('../warehouse/index.ts');
  return await examineWarehouse({
    url: config.clickhouseUrl,
    cluster: config.clickhouseCluster,
    retentionDays: config.retentionDays,
    clock: Date.now,
    log: silent,
  });
}
