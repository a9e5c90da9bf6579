/**
 * `ghostlight move`: the stores of an installation copied to others, while no service runs. The source is only read. It may be killed
 * at any moment and run again; the target has a mark until all of it was compared, and no service starts on it before
 * (docs/decisions/0028-move.md).
 */
import { copyFileSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, counted, type Log, StartError } from './common/index.ts';
import { codeOf } from './composition/warehouse-gate.ts';
import type { Config } from './config.ts';
import { type DataDir, takeDataDir } from './data-dir.ts';
import {
  type Database,
  endMove,
  installationOf,
  isDatabaseAway,
  lastHeardOf,
  openDatabase,
  positionOf,
  versionOf,
} from './database/index.ts';
import { createLogger } from './logger.ts';
import {
  beginDatabase,
  beginWarehouse,
  createProgress,
  type Difference,
  type MovedStore,
  type MovedTable,
  moveDatabase,
  moveWarehouse,
} from './moving/index.ts';
import { rowsLeftBehind } from './spool/index.ts';
import {
  markMove,
  openWarehouse,
  type Warehouse,
  WarehouseUnavailable,
  warehouseVersion,
} from './warehouse/index.ts';

/** Where stores go. A store that no member names stays where it is. */
export interface MoveTarget {
  readonly databaseUrl: string | null;
  readonly warehouseUrl: string | null;
  /** CLICKHOUSE_CLUSTER of `warehouseUrl`. */
  readonly cluster: string | null;
  /** Takes the stores that the other members don't name, embedded, and the spool. */
  readonly dataDir: string | null;
}

export interface MoveReport {
  readonly tables: readonly MovedTable[];
  /** Empty: everything is there. */
  readonly differences: readonly Difference[];
  /** Rows and seconds of what this run copied. */
  readonly copied: { readonly rows: number; readonly seconds: number };
  /** What the service needs to start on the target. An empty value: not set. Passwords are left out. */
  readonly settings: Readonly<Record<string, string>>;
  /** What happens with hits that wait in a spool. */
  readonly spool: string;
}

export interface MoveOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/** Settings of the stores, as `Config` has them. */
type Stores = Pick<Config, 'databaseUrl' | 'clickhouseUrl' | 'clickhouseCluster' | 'dataDir'>;

interface Plan {
  readonly target: Stores;
  readonly database: boolean;
  readonly warehouse: boolean;
}

/** In a target directory, until the move has ended: the spool in it is this move's copy. */
const SPOOL_MARK = 'unfinished-move';
const SECRETS = ['secret-key', 'admin-token'] as const;

/** @throws StartError where it must not begin, with what to do; the error of a store that fails: then run it again */
export async function move(config: Config, to: MoveTarget, options: MoveOptions): Promise<MoveReport> {
  const plan = planOf(config, to);
  refuseMissingSource(config, plan);
  const opened = new Opened(config.retentionDays, options.clock, createLogger(config.logLevel));
  try {
    return await run(config, plan, opened, options);
  } catch (error) {
    const [store, reason] = storeThatIsAway(error) ?? [null, ''];
    if (store === null) throw error;
    throw new StartError(
      `${store} does not answer (${reason}). Check its address, name and password, then run the same command again: it goes on from here.`,
      { cause: error },
    );
  } finally {
    await opened.close();
  }
}

async function run(config: Config, plan: Plan, opened: Opened, options: MoveOptions): Promise<MoveReport> {
  const { signal, clock, print } = options;
  const progress = createProgress(print);
  const own = opened.hold(config.dataDir);
  const source = {
    database: await opened.database(config, false),
    warehouse: plan.warehouse ? await opened.warehouse(config) : null,
  };
  const from = await checkSource(config, own, source.database, clock());
  if (source.warehouse !== null) refuseVersion('warehouse', await warehouseVersion(source.warehouse));
  if (plan.target.dataDir !== config.dataDir) {
    opened.hold(plan.target.dataDir);
    claimSpool(plan.target.dataDir, from);
  }

  // Both targets are refused, or marked, before anything is copied into one.
  const database = plan.database ? await opened.database(plan.target, true) : null;
  const position = database === null ? null : await beginDatabase(database, from);
  const warehouse = plan.warehouse ? await opened.warehouse(plan.target) : null;
  if (warehouse !== null) await warehouse.migrate();
  const resumes = warehouse !== null && (await beginWarehouse(warehouse, from));

  const parts: MovedStore[] = [];
  if (database !== null && position !== null)
    parts.push(await moveDatabase(source.database, database, { from, position, progress, signal }));
  if (warehouse !== null && source.warehouse !== null) {
    const { retentionDays } = config;
    const asked = { from, resumes, retentionDays, progress, signal };
    parts.push(await moveWarehouse(source.warehouse, warehouse, asked));
  }
  const differences = parts.flatMap((part) => part.differences);
  const spool = takeSpool(config, plan.target.dataDir);
  if (differences.length === 0) {
    takeSecrets(config, plan.target.dataDir);
    if (warehouse !== null) await markMove(warehouse, from, 'finished');
    if (database !== null) await endMove(database);
    rmSync(join(plan.target.dataDir, SPOOL_MARK), { force: true });
  }
  return {
    tables: parts.flatMap((part) => part.tables),
    differences,
    copied: progress.rate(),
    settings: settingsOf(config, plan.target),
    spool,
  };
}

function storeThatIsAway(error: unknown): readonly [store: string, reason: string] | null {
  const reason = codeOf(error) ?? 'no answer';
  if (error instanceof WarehouseUnavailable) return ['A warehouse', reason];
  return isDatabaseAway(error) ? ['A state database', reason] : null;
}

/** What this run has open, closed in the reverse order. */
class Opened {
  readonly #closing: (() => Promise<void> | void)[] = [];
  readonly #retentionDays: number;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(retentionDays: number, clock: Clock, log: Log) {
    this.#retentionDays = retentionDays;
    this.#clock = clock;
    this.#log = log;
  }

  /** No service starts on the directory meanwhile. @throws DataDirInUse */
  hold(path: string): DataDir {
    const dataDir = takeDataDir(path);
    this.#closing.push(() => dataDir.release());
    return dataDir;
  }

  async database({ databaseUrl: url, dataDir }: Stores, migrates: boolean): Promise<Database> {
    const [log, clock] = [this.#log, this.#clock];
    const database = await openDatabase({ url, dataDir, migrates, log, clock, poolSize: 4 });
    this.#closing.push(() => database.close());
    return database;
  }

  async warehouse({ clickhouseUrl: url, clickhouseCluster: cluster, dataDir }: Stores): Promise<Warehouse> {
    const [log, clock] = [this.#log, this.#clock];
    const retentionDays = this.#retentionDays;
    const warehouse = await openWarehouse({ url, cluster, dataDir, retentionDays, log, clock });
    this.#closing.push(() => warehouse.close());
    return warehouse;
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
  }
}

function planOf(config: Config, to: MoveTarget): Plan {
  const isElsewhere = to.dataDir !== null && to.dataDir !== config.dataDir;
  const moves = (url: string | null, own: string | null) =>
    url !== null || (to.dataDir !== null && (own !== null || isElsewhere));
  const plan = {
    database: moves(to.databaseUrl, config.databaseUrl),
    warehouse: moves(to.warehouseUrl, config.clickhouseUrl),
  };
  if (!plan.database && !plan.warehouse)
    throw new StartError('Both stores are already there: there is nothing to move.');
  for (const [option, url, own] of [
    ['--to-database', to.databaseUrl, config.databaseUrl],
    ['--to-warehouse', to.warehouseUrl, config.clickhouseUrl],
  ] as const)
    if (url !== null && url === own) throw new StartError(`${option} is the address of the source.`);
  return {
    ...plan,
    target: {
      databaseUrl: plan.database ? to.databaseUrl : config.databaseUrl,
      clickhouseUrl: plan.warehouse ? to.warehouseUrl : config.clickhouseUrl,
      clickhouseCluster:
        to.warehouseUrl !== null ? to.cluster : plan.warehouse ? null : config.clickhouseCluster,
      dataDir: to.dataDir ?? config.dataDir,
    },
  };
}

/** Opening an embedded store would make one. */
function refuseMissingSource(config: Config, plan: Plan): void {
  const { dataDir } = config;
  if (config.databaseUrl === null && !existsSync(join(dataDir, 'state.sqlite')))
    throw new StartError(
      `DATA_DIR: ${dataDir} holds no installation. Run this command with the settings of the service that you want to move.`,
    );
  if (plan.warehouse && config.clickhouseUrl === null && !existsSync(join(dataDir, 'warehouse')))
    throw new StartError(
      `DATA_DIR: ${dataDir} holds no warehouse. If it is on a server, set CLICKHOUSE_URL.`,
    );
}

function refuseVersion(store: string, version: Awaited<ReturnType<typeof versionOf>>): void {
  if (version === 'this') return;
  throw new StartError(
    version === 'older'
      ? `The ${store} of the source is of an older version. Start this version on it once, or run "ghostlight migrate"; then move.`
      : version === 'empty'
        ? `The ${store} of the source is empty: no service has started on it.`
        : `The ${store} of the source is of a newer version. Move with that version.`,
  );
}

/** @returns what names the installation */
async function checkSource(config: Config, own: DataDir, source: Database, now: number): Promise<string> {
  refuseVersion('state database', await versionOf(source));
  if ((await positionOf(source)) !== null)
    throw new StartError('The state database of the source is the target of a move that has not ended.');
  const from = await installationOf(source);
  if (from === null)
    throw new StartError('The state database of the source is empty: no service has started on it.');
  if (!source.adapter.isShared) return from;
  const heard = await lastHeardOf(source, now);
  if (heard !== null)
    throw new StartError(
      `A node used the source ${counted((now - heard) / 1_000, ['second', 'seconds'])} ago. Run "ghostlight spool drain" on every node and stop it; after a crash, wait three minutes.`,
    );
  const waiting = await rowsLeftBehind(config.spoolDatabaseUrl ?? config.databaseUrl ?? '', own.nodeId());
  if (waiting > 0)
    throw new StartError(
      `${counted(waiting, ['acknowledged row waits', 'acknowledged rows wait'])} in the spool in PostgreSQL, which is not moved. Start the service, run "ghostlight spool drain", stop it, then move.`,
    );
  return from;
}

/** A spool that is there already holds rows of another installation, or is the copy of an earlier run. @throws StartError */
function claimSpool(dataDir: string, from: string): void {
  const mark = join(dataDir, SPOOL_MARK);
  if (existsSync(join(dataDir, 'spool')) && !existsSync(mark))
    throw new StartError(
      `The target directory is not empty: ${join(dataDir, 'spool')} may hold acknowledged hits. Name an empty directory.`,
    );
  writeFileSync(mark, `${from}\n`, { mode: 0o600 });
}

/** Acknowledged rows that are in no warehouse yet go where the next start looks for them. */
function takeSpool(config: Config, dataDir: string): string {
  const spool = join(config.dataDir, 'spool');
  if (config.spoolDatabaseUrl !== null || !existsSync(spool)) return 'No hits wait in a spool.';
  const to = join(dataDir, 'spool');
  if (to === spool)
    return `Hits that wait in ${spool} stay there: the next start with this DATA_DIR ships them into the new stores.`;
  rmSync(to, { recursive: true, force: true });
  cpSync(spool, to, { recursive: true, preserveTimestamps: true });
  return `Hits that wait in ${spool} were copied to ${to}: the next start ships them. Don’t start the source again, or it ships its own copy into the old stores.`;
}

/** Without them nothing that is encrypted in the database could be read. */
function takeSecrets(config: Config, dataDir: string): void {
  for (const name of SECRETS) {
    const [own, there] = [join(config.dataDir, name), join(dataDir, name)];
    if (own !== there && existsSync(own)) copyFileSync(own, there);
  }
}

function settingsOf(config: Config, target: Stores): Readonly<Record<string, string>> {
  const secret = (value: string | null, name: (typeof SECRETS)[number]): string => {
    if (value !== null) return '(as it is set now)';
    return target.databaseUrl === null ? '' : `(the content of ${join(target.dataDir, name)})`;
  };
  return {
    DATA_DIR: target.dataDir,
    DATABASE_URL: withoutPassword(target.databaseUrl),
    CLICKHOUSE_URL: withoutPassword(target.clickhouseUrl),
    CLICKHOUSE_CLUSTER: target.clickhouseCluster ?? '',
    SECRET_KEY: secret(config.secretKey, 'secret-key'),
    ADMIN_TOKEN: secret(config.adminToken, 'admin-token'),
  };
}

function withoutPassword(address: string | null): string {
  if (address === null) return '';
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  return url.href;
}
