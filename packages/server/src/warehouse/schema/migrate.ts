/** Brings a warehouse to the newest schema. Safe to repeat; the caller holds the lock that keeps two nodes apart. */
import type { Log } from '../../common/index.ts';
import { exceptionCode } from '../errors.ts';
import type { Warehouse } from '../warehouse.ts';
import {
  FACT_TABLES,
  MIGRATIONS,
  type Replication,
  retention,
  SCHEMA_STEP,
  schemaMigrations,
} from './migrations.ts';

const TIMEOUT_EXCEEDED = 159;

/** A newer Ghostlight has written to this warehouse. */
export class SchemaTooNew extends Error {
  constructor(found: number, newest: number) {
    super(
      `The warehouse's tables are of a newer Ghostlight (step ${found}; this version knows ${newest}). Start that version or a later one.`,
    );
    this.name = 'SchemaTooNew';
  }
}

/** @throws SchemaTooNew; and as the statements do */
export async function migrate(
  warehouse: Pick<Warehouse, 'rows' | 'command' | 'clock'>,
  replicated: Replication,
  retentionDays: number,
  log: Log,
): Promise<void> {
  const options = { replicated, retentionDays };
  const applied = await appliedVersions(warehouse);
  const unknown = Math.max(0, ...(applied ?? []));
  if (unknown > SCHEMA_STEP) throw new SchemaTooNew(unknown, SCHEMA_STEP);
  // Statements for the whole cluster wait for every replica: a start that has nothing to change makes none.
  if (applied === null) await change(warehouse, schemaMigrations(options), log);
  for (const { version, name, statements } of MIGRATIONS) {
    if (applied?.has(version) === true) continue;
    // Each statement can be repeated (IF NOT EXISTS): a crash before the record below leads here again.
    for (const sql of statements(options)) await change(warehouse, sql, log);
    await warehouse.command({
      sql: `INSERT INTO schema_migrations SELECT {version:UInt32}, {name:String}, fromUnixTimestamp64Milli({at:Int64})`,
      params: { version, name, at: warehouse.clock() },
    });
    log.info({ version, name }, 'warehouse schema step applied');
  }
  for (const table of FACT_TABLES) await applyRetention(warehouse, table, replicated, retentionDays, log);
}

/** @returns null: the warehouse has no tables yet */
async function appliedVersions(warehouse: Pick<Warehouse, 'rows'>): Promise<ReadonlySet<number> | null> {
  const [table] = await warehouse.rows('write', {
    sql: `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migrations'`,
  });
  if (table === undefined) return null;
  const rows = await warehouse.rows<{ version: number }>('write', {
    sql: 'SELECT version FROM schema_migrations',
  });
  return new Set(rows.map(({ version }) => version));
}

/** A statement for every replica. One that is down runs it when it comes back: the cluster keeps it in a queue. */
async function change(warehouse: Pick<Warehouse, 'command'>, sql: string, log: Log): Promise<void> {
  try {
    await warehouse.command({ sql });
  } catch (error) {
    const waiting = exceptionCode(error) === TIMEOUT_EXCEEDED && sql.includes(' ON CLUSTER ');
    if (!waiting) throw error;
    log.warn({ err: error }, 'a replica is down: it changes its tables when it comes back');
  }
}

/** RETENTION_DAYS may have changed since the table was made; old parts are rewritten in the background. */
async function applyRetention(
  warehouse: Pick<Warehouse, 'rows' | 'command'>,
  table: (typeof FACT_TABLES)[number],
  replicated: Replication,
  days: number,
  log: Log,
): Promise<void> {
  const [standing] = await warehouse.rows<{ engine_full: string }>('write', {
    sql: `SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = {table:String}`,
    params: { table },
  });
  if (standing === undefined || standing.engine_full.includes(retention(days))) return;
  const cluster = typeof replicated === 'object' ? ` ON CLUSTER \`${replicated.cluster}\`` : '';
  await change(warehouse, `ALTER TABLE ${table}${cluster} MODIFY TTL ${retention(days)}`, log);
  log.info({ table, days }, 'warehouse retention changed');
}
