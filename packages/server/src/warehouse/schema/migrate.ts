/** Brings a warehouse to the newest schema. Safe to repeat; the caller holds the lock that keeps two nodes apart. */
import type { Log } from '../../kit/index.ts';
import type { Warehouse } from '../warehouse.ts';
import { FACT_TABLES, MIGRATIONS, type Replication, retention, schemaMigrations } from './migrations.ts';

export async function migrate(
  warehouse: Pick<Warehouse, 'rows' | 'command' | 'clock'>,
  replicated: Replication,
  retentionDays: number,
  log: Log,
): Promise<void> {
  const options = { replicated, retentionDays };
  await warehouse.command({ sql: schemaMigrations(options) });
  const applied = new Set(
    (
      await warehouse.rows<{ version: number }>('write', { sql: 'SELECT version FROM schema_migrations' })
    ).map(({ version }) => version),
  );
  for (const { version, name, statements } of MIGRATIONS) {
    if (applied.has(version)) continue;
    // Each statement can be repeated (IF NOT EXISTS): a crash before the record below leads here again.
    for (const sql of statements(options)) await warehouse.command({ sql });
    await warehouse.command({
      sql: `INSERT INTO schema_migrations SELECT {version:UInt32}, {name:String}, fromUnixTimestamp64Milli({at:Int64})`,
      params: { version, name, at: warehouse.clock() },
    });
    log.info({ version, name }, 'warehouse schema step applied');
  }
  for (const table of FACT_TABLES) await applyRetention(warehouse, table, replicated, retentionDays, log);
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
  const cluster = replicated === false ? '' : ` ON CLUSTER \`${replicated.cluster}\``;
  await warehouse.command({ sql: `ALTER TABLE ${table}${cluster} MODIFY TTL ${retention(days)}` });
  log.info({ table, days }, 'warehouse retention changed');
}
