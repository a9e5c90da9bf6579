/** Replicas: whether all answer, are in step, and reach Keeper. */
import { counted } from '../../common/index.ts';
import { exceptionCode } from '../errors.ts';
import {
  bad,
  type Check,
  type Examined,
  good,
  isDenied,
  type Known,
  note,
  type Outcome,
  reasonOf,
} from './check.ts';

const REPLICAS = ['replica', 'replicas'] as const;
/** A replica that lags is asked like the others; its reports are that old. Seconds. */
const LAG_NOTE_S = 30;
const LAG_BAD_S = 300;
const LONG_QUEUE = 1_000;
const KEEPER_ERRORS = new Set([225, 999]);

/** Questions to every replica, past a balancer. Without the rights, to the one that answers. */
async function everywhere<Row>(
  { ask }: Examined,
  { clusterName }: Known,
  table: string,
  sql: (from: string) => string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly rows: readonly Row[]; readonly all: boolean }> {
  if (clusterName !== null) {
    try {
      const rows = await ask<Row>(sql(`clusterAllReplicas('${clusterName}', ${table})`), params, {
        skip_unavailable_shards: 1,
      });
      return { rows, all: true };
    } catch (error) {
      if (!isDenied(error)) throw error;
    }
  }
  return { rows: await ask<Row>(sql(table), params), all: false };
}

interface Member {
  readonly host: string;
  readonly errors: string;
}

export const members: Check = {
  name: 'replicas',
  grant: 'SELECT ON system.clusters',
  async run(on, known) {
    if (known.clusterName === null) return [];
    const listed = await on.ask<Member>(
      'SELECT host_name AS host, toString(errors_count) AS errors FROM system.clusters WHERE cluster = {cluster:String} ORDER BY replica_num',
      { cluster: known.clusterName },
    );
    if (listed.length === 1)
      return [note(`The cluster ${known.clusterName} has one replica: hits wait whenever it is down.`)];
    const { rows, all } = await everywhere<{ host: string }>(
      on,
      known,
      'system.one',
      (from) => `SELECT hostName() AS host FROM ${from}`,
    );
    if (!all)
      return [
        note(
          'Only the replica that answered was asked. To check the others, GRANT REMOTE ON *.* and CREATE TEMPORARY TABLE ON *.*.',
        ),
      ];
    const answering = new Set(rows.map(({ host }) => host));
    if (answering.size >= listed.length)
      return [good(`All ${counted(listed.length, REPLICAS)} of ${known.clusterName} answer.`)];
    const named = listed.filter(({ host, errors }) => !answering.has(host) && Number(errors) > 0);
    const silent = named.length > 0 ? named : listed.filter(({ host }) => !answering.has(host));
    return [
      bad(
        `${answering.size} of ${counted(listed.length, REPLICAS)} of ${known.clusterName} answer each other. Missing: ${silent
          .map(({ host }) => host)
          .join(', ')}. Start it, and check that replicas reach each other on their native port.`,
      ),
    ];
  },
};

interface Replica {
  readonly host: string;
  readonly table: string;
  readonly is_readonly: number;
  readonly is_session_expired: number;
  readonly delay: string;
  readonly queue: string;
  readonly total: number;
  readonly active: number;
  readonly inactive: readonly string[];
  readonly lost_parts: string;
  readonly trouble: string;
}

const REPLICA_ROWS = (from: string) => `SELECT hostName() AS host, table, toUInt8(is_readonly) AS is_readonly,
  toUInt8(is_session_expired) AS is_session_expired, toString(absolute_delay) AS delay, toString(queue_size) AS queue,
  toUInt32(total_replicas) AS total, toUInt32(active_replicas) AS active,
  arrayFilter(name -> replica_is_active[name] = 0, mapKeys(replica_is_active)) AS inactive,
  toString(lost_part_count) AS lost_parts, concat(zookeeper_exception, last_queue_update_exception) AS trouble
FROM ${from} WHERE database = {database:String} ORDER BY host, table`;

export const replication: Check = {
  name: 'replication',
  grant: 'SELECT ON system.replicas',
  async run(on, known) {
    if (known.standing !== 'replicated' || known.isCloud) return [];
    const { rows } = await everywhere<Replica>(on, known, 'system.replicas', REPLICA_ROWS, {
      database: known.database,
    });
    if (rows.length === 0) return [];
    const found = onePerTrouble(rows);
    if (found.length > 0) return found;
    const hosts = new Set(rows.map(({ host }) => host)).size;
    return [
      good(
        `Replication is in step on ${counted(hosts, REPLICAS)}: none is read-only, behind, or out of Keeper.`,
      ),
    ];
  },
};

/** A trouble is most often that of a whole replica: one sentence for all of its tables. */
function onePerTrouble(rows: readonly Replica[]): Outcome[] {
  const hosts = Map.groupBy(rows, ({ host }) => host);
  const found: Outcome[] = [];
  for (const [host, tables] of hosts) {
    const of = (isSo: (row: Replica) => boolean) => tables.filter(isSo).map(({ table }) => table);
    const readonly = of(({ is_readonly, is_session_expired }) => is_readonly + is_session_expired > 0);
    if (readonly.length > 0)
      found.push(
        bad(
          `On ${host} these tables are read-only: ${readonly.join(', ')}. The replica has lost Keeper, or its metadata there; inserts on it fail. If Keeper answers, run SYSTEM RESTART REPLICA for each, or SYSTEM RESTORE REPLICA.`,
        ),
      );
    const delay = Math.max(...tables.map((row) => Number(row.delay)));
    if (delay >= LAG_NOTE_S)
      found.push(
        (delay >= LAG_BAD_S ? bad : note)(
          `${host} is ${counted(delay, ['second', 'seconds'])} behind: reports that it answers lack the newest visits. Look at its disk, its network and system.replication_queue.`,
        ),
      );
    const queue = Math.max(...tables.map((row) => Number(row.queue)));
    if (queue > LONG_QUEUE)
      found.push(
        note(
          `${host} has ${counted(queue, ['entry', 'entries'])} in a replication queue. Look at system.replication_queue there.`,
        ),
      );
    const lost = tables.reduce((sum, row) => sum + Number(row.lost_parts), 0);
    if (lost > 0)
      found.push(
        note(
          `${host} has lost ${counted(lost, ['part', 'parts'])} since its start that no replica had. Look at its log.`,
        ),
      );
    const trouble = tables.find((row) => row.trouble !== '')?.trouble;
    if (trouble !== undefined)
      found.push(note(`${host} reports of its replication: ${trouble.slice(0, 200)}`));
  }
  const weakest = rows.toSorted((a, b) => a.active / a.total - b.active / b.total)[0];
  if (weakest !== undefined && weakest.active < weakest.total) {
    const majority = Math.floor(weakest.total / 2) + 1;
    const which = weakest.inactive.length === 0 ? '' : ` Down: ${weakest.inactive.join(', ')}.`;
    const sentence = `${weakest.active} of ${counted(weakest.total, REPLICAS)} of ${weakest.table} are up.${which}`;
    found.push(
      weakest.active < majority
        ? bad(`${sentence} That is no majority: hits wait in the spool until one more is up.`)
        : note(`${sentence} Hits are stored, because a majority is up.`),
    );
  }
  const single = rows.find(({ total }) => total === 1);
  if (single !== undefined && hosts.size > 1)
    found.push(
      bad(
        `The table ${single.table} has one replica in Keeper, but several servers have it: they hold different hits. Give all servers the same {shard} macro, and each its own {replica}.`,
      ),
    );
  return found;
}

export const keeper: Check = {
  name: 'keeper',
  grant: 'SELECT ON system.zookeeper_connection',
  async run(on, known) {
    if (known.standing !== 'replicated' || known.isCloud) return [];
    try {
      const { rows } = await everywhere<{ replica: string; keeper: string; expired: number }>(
        on,
        known,
        'system.zookeeper_connection',
        (from) =>
          `SELECT hostName() AS replica, concat(host, ':', toString(port)) AS keeper, toUInt8(is_expired) AS expired FROM ${from}`,
      );
      const expired = rows.filter((row) => row.expired > 0);
      if (expired.length > 0)
        return expired.map((row) =>
          bad(
            `${row.replica} has lost its session with Keeper (${row.keeper}): inserts on it fail until it is back.`,
          ),
        );
      return [
        rows.length === 0
          ? bad(
              'The server is connected to no Keeper: replicated tables can’t be written. Configure <zookeeper> on every replica.',
            )
          : good(`Keeper answers (${[...new Set(rows.map((row) => row.keeper))].join(', ')}).`),
      ];
    } catch (error) {
      const code = exceptionCode(error);
      if (code === null || !KEEPER_ERRORS.has(code)) throw error;
      return [
        bad(`Keeper does not answer: inserts and schema changes wait until it does. ${reasonOf(error)}`),
      ];
    }
  },
};
