/** What the service's user must be allowed on a ClickHouse server; docs/clickhouse.md lists the same, and a test compares them. */
import type { Log } from '../common/index.ts';
import type { Standing, Warehouse } from './warehouse.ts';

export interface Right {
  /** As GRANT and CHECK GRANT take it; `db` stands for the database of CLICKHOUSE_URL. */
  readonly grant: string;
  /** `optional`: the service does without, and says what it loses. */
  readonly needed: 'always' | 'replicated' | 'optional';
  readonly why: string;
}

export const RIGHTS: readonly Right[] = [
  { grant: 'SELECT ON db.*', needed: 'always', why: 'reports, Live, exports' },
  { grant: 'INSERT ON db.*', needed: 'always', why: 'hits, events, daily rows' },
  { grant: 'CREATE TABLE ON db.*', needed: 'always', why: 'the tables' },
  {
    grant: 'ALTER ON db.*',
    needed: 'always',
    why: 'new columns, retention, erasure of a visitor, removal of old daily rows',
  },
  { grant: 'OPTIMIZE ON db.*', needed: 'always', why: 'daily rows in few parts' },
  { grant: 'CLUSTER ON *.*', needed: 'replicated', why: 'tables on every replica' },
  {
    grant: 'SYSTEM SYNC REPLICA ON db.*',
    needed: 'optional',
    why: 'a replica catches up before it is counted',
  },
  {
    grant: 'SELECT ON system.processes',
    needed: 'optional',
    why: 'an insert whose answer was lost is waited for as long as it runs, not for 75 s',
  },
  { grant: 'KILL QUERY ON *.*', needed: 'optional', why: 'a report whose reader has left ends at once' },
  {
    grant: 'SELECT ON system.clusters',
    needed: 'optional',
    why: 'a wrong CLICKHOUSE_CLUSTER is found at the start',
  },
  { grant: 'SELECT ON system.macros', needed: 'optional', why: 'a missing macro is found at the start' },
  { grant: 'SELECT ON system.detached_parts', needed: 'optional', why: 'damaged files are reported' },
];

/** What `ghostlight doctor --warehouse` asks besides. A check whose right is missing says so. */
export const DOCTOR_RIGHTS = [
  'SELECT ON system.parts',
  'SELECT ON system.mutations',
  'SELECT ON system.disks',
  'SELECT ON system.replicas',
  'SELECT ON system.zookeeper_connection',
  'REMOTE ON *.*',
  'CREATE TEMPORARY TABLE ON *.*',
] as const;

/** Rights that are missing. Empty also where the server has no CHECK GRANT (before 24.11). */
export async function missingRights(
  warehouse: Pick<Warehouse, 'rows'>,
  standing: Standing,
): Promise<readonly Right[]> {
  const [database] = await warehouse.rows<{ name: string }>('live', {
    sql: 'SELECT currentDatabase() AS name',
  });
  const name = `\`${(database?.name ?? 'default').replaceAll('`', '')}\``;
  const missing: Right[] = [];
  for (const right of RIGHTS) {
    if (right.needed === 'replicated' && standing !== 'replicated') continue;
    const [answer] = await warehouse.rows<{ result: number }>('live', {
      sql: `CHECK GRANT ${right.grant.replace('db.', `${name}.`)}`,
    });
    if (Number(answer?.result ?? 1) === 0) missing.push(right);
  }
  return missing;
}

/** Says at the start what is missing. Never fails: what can't be asked is no reason not to begin. */
export async function tellMissingRights(
  warehouse: Pick<Warehouse, 'rows'>,
  standing: Standing,
  log: Log,
): Promise<readonly string[]> {
  try {
    const missing = await missingRights(warehouse, standing);
    return missing.map(({ grant, needed, why }) => {
      const sentence = `The user of CLICKHOUSE_URL lacks the right ${grant} (${why}); docs/clickhouse.md lists the rights.`;
      log[needed === 'optional' ? 'warn' : 'error']({ grant }, sentence);
      return sentence;
    });
  } catch (error) {
    log.debug({ err: error }, 'the rights on the warehouse could not be asked for');
    return [];
  }
}
