/**
 * What is behind CLICKHOUSE_URL: one server, replicas of one shard, a Replicated database, or ClickHouse Cloud. It decides how tables
 * are made and how a batch whose answer was lost is distinguished from one that was never stored. Replicas that are taken for one server lose and
 * double rows without an error, so what looks like that is refused with a sentence.
 */
import type { Log } from '../common/index.ts';
import { ACCESS_DENIED, exceptionCode, WarehouseMisconfigured } from './errors.ts';
import type { Replication } from './schema/migrations.ts';
import type { Standing, Warehouse } from './warehouse.ts';

export interface Topology {
  readonly standing: Standing;
  /** How tables are made. */
  readonly ddl: Replication;
  /** `ON CLUSTER` of statements that every replica has to run for itself; empty: none. */
  readonly everywhere: string;
}

/** The value of CLICKHOUSE_CLUSTER that says: one server, though it knows of a cluster. */
export const NO_CLUSTER = 'none';
const EMBEDDED: Topology = { standing: 'embedded', ddl: false, everywhere: '' };
/** Connections that ask for their host's name: a balancer gives them to different hosts. */
const HOSTS_ASKED = 8;

type Asks = Pick<Warehouse, 'rows'>;

/**
 * @param configured CLICKHOUSE_CLUSTER; null: not set
 * @throws WarehouseMisconfigured, WarehouseUnavailable
 */
export async function findTopology(
  warehouse: Asks,
  { embedded, configured, log }: { embedded: boolean; configured: string | null; log: Log },
): Promise<Topology> {
  if (embedded) return EMBEDDED;
  const [engine = ''] = await values(
    warehouse,
    'SELECT engine AS value FROM system.databases WHERE name = currentDatabase()',
  );
  const cloud = await values(
    warehouse,
    "SELECT value FROM system.settings WHERE name = 'cloud_mode' AND value = '1'",
  );
  const [hits] = await values(
    warehouse,
    "SELECT engine AS value FROM system.tables WHERE database = currentDatabase() AND name = 'hits'",
  );
  // On ClickHouse Cloud every table is replicated by the platform, and a cluster's name is nothing to set.
  if (cloud.length > 0 || engine === 'Shared') return { standing: 'replicated', ddl: false, everywhere: '' };
  if (engine === 'Replicated') {
    if (hits !== undefined && !hits.startsWith('Replicated')) throw plainTables();
    return { standing: 'replicated', ddl: 'database', everywhere: '' };
  }
  if (configured !== null && configured !== NO_CLUSTER) {
    await checkCluster(warehouse, configured, log);
    if (hits !== undefined && !/^(?:Replicated|Shared)/.test(hits)) throw plainTables();
    return {
      standing: 'replicated',
      ddl: { cluster: configured },
      everywhere: ` ON CLUSTER \`${configured}\``,
    };
  }
  if (hits?.startsWith('Replicated') === true)
    throw new WarehouseMisconfigured(
      'The tables in CLICKHOUSE_URL are replicated, and CLICKHOUSE_CLUSTER is not set. Set it to the name of their cluster.',
    );
  await refuseSeveralHosts(warehouse);
  if (configured === null) await refuseMemberOfCluster(warehouse, log);
  return { standing: 'single', ddl: false, everywhere: '' };
}

const plainTables = () =>
  new WarehouseMisconfigured(
    'The tables in CLICKHOUSE_URL were made without replication: each replica would hold other hits. Name a new database in CLICKHOUSE_URL, or leave CLICKHOUSE_CLUSTER out and address one server.',
  );

async function checkCluster(warehouse: Asks, cluster: string, log: Log): Promise<void> {
  // A name made of macros is known to the server alone.
  if (cluster.includes('{')) return;
  const shards = await told(log, () =>
    values(
      warehouse,
      'SELECT toString(shard_num) AS value FROM system.clusters WHERE cluster = {cluster:String}',
      { cluster },
    ),
  );
  if (shards !== null && shards.length === 0)
    throw new WarehouseMisconfigured(
      `The server knows no cluster “${cluster}”. Set CLICKHOUSE_CLUSTER to a name in its table system.clusters.`,
    );
  if (shards !== null && new Set(shards).size > 1)
    throw new WarehouseMisconfigured(
      `The cluster “${cluster}” has ${new Set(shards).size} shards. Ghostlight supports one shard with any number of replicas.`,
    );
  const macros = await told(log, () => values(warehouse, 'SELECT macro AS value FROM system.macros'));
  const missing = macros === null ? [] : ['shard', 'replica'].filter((name) => !macros.includes(name));
  if (missing.length > 0)
    throw new WarehouseMisconfigured(
      `The server has no macro ${missing.map((name) => `{${name}}`).join(' and ')}: replicated tables are named by them. Add them to the configuration of every replica.`,
    );
}

async function refuseSeveralHosts(warehouse: Asks): Promise<void> {
  const asked = await Promise.all(
    Array.from({ length: HOSTS_ASKED }, () => values(warehouse, 'SELECT hostName() AS value')),
  );
  const hosts = [...new Set(asked.flat())].toSorted();
  if (hosts.length > 1)
    throw new WarehouseMisconfigured(
      `Several servers answer at CLICKHOUSE_URL (${hosts.join(', ')}), and CLICKHOUSE_CLUSTER is not set: each would hold other hits. Set it to the name of their cluster, or address one server.`,
    );
}

/** Clusters of the samples that ClickHouse used to ship name one machine several times. */
async function refuseMemberOfCluster(warehouse: Asks, log: Log): Promise<void> {
  const clusters = await told(log, () =>
    values(
      warehouse,
      `SELECT cluster AS value FROM system.clusters
WHERE NOT startsWith(cluster, 'test_') AND host_address NOT IN ('127.0.0.1', '::1')
GROUP BY cluster, shard_num HAVING max(is_local) = 1 AND uniqExact(host_name) > 1 ORDER BY cluster`,
    ),
  );
  if (clusters === null || clusters.length === 0) return;
  throw new WarehouseMisconfigured(
    `The server is a replica in the cluster “${clusters[0]}”, and CLICKHOUSE_CLUSTER is not set: hits would be stored on this replica alone. Set it to that name, or to “${NO_CLUSTER}” if that is what you want.`,
  );
}

async function values(
  warehouse: Asks,
  sql: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const rows = await warehouse.rows<{ value: string }>('live', {
    sql,
    params,
    settings: { max_execution_time: 10 },
  });
  return rows.map(({ value }) => value);
}

/** null: the service may not read it; what it would show is left unchecked. */
async function told<Value>(log: Log, ask: () => Promise<Value>): Promise<Value | null> {
  try {
    return await ask();
  } catch (error) {
    if (exceptionCode(error) !== ACCESS_DENIED) throw error;
    log.warn(
      { err: error },
      'the setup of the warehouse could not be checked: docs/clickhouse.md has the rights',
    );
    return null;
  }
}
