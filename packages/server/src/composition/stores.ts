/** The stores: state database, warehouse, spool; opened, migrated and stopped in this order and its reverse. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, counted, type Log, StartError } from '../common/index.ts';
import type { Config } from '../config.ts';
import type { DataDir } from '../data-dir.ts';
import {
  announceKeys,
  checkCanary,
  createSecretCipher,
  type Database,
  DecryptError,
  hasCanary,
  type KeyNotice,
  keyIdsOf,
  openDatabase,
  positionOf,
  type SecretCipher,
} from '../database/index.ts';
import {
  openPostgresSpool,
  openSpool,
  rowsLeftBehind,
  type Spool,
  type SpoolOptions,
  type SpoolStats,
} from '../spool/index.ts';
import {
  openWarehouse,
  SchemaTooNew,
  unfinishedMove,
  type Warehouse,
  WarehouseMisconfigured,
} from '../warehouse/index.ts';
import type { Teardown } from './teardown.ts';
import { codeOf, gateWarehouse } from './warehouse-gate.ts';

export interface Stores {
  readonly database: Database;
  /** Encrypts the secrets in the database. */
  readonly cipher: SecretCipher;
  readonly warehouse: Warehouse;
  readonly spool: Spool;
  /** Browser events: accepted ones on their way into the database, their rows on the way into the warehouse. */
  readonly eventSpools: { readonly accepted: Spool; readonly rows: Spool };
}

/** Of every spool, by its file's name. */
export function statsOf({
  spool,
  eventSpools,
}: Pick<Stores, 'spool' | 'eventSpools'>): Record<string, SpoolStats> {
  return {
    hits: spool.stats(),
    events: eventSpools.accepted.stats(),
    'event-rows': eventSpools.rows.stats(),
  };
}

/** A store that did not let us in at the start. Its message names the setting; never the address, which may hold a password. */
export class StoreUnreachable extends Error {
  constructor(variable: string, code: string, options: { cause: unknown }) {
    super(
      `${variable}: the store does not answer (${code}). Check that it runs, and the address, the name and the password.`,
      options,
    );
    this.name = 'StoreUnreachable';
  }
}

/** No server there; and, of PostgreSQL and ClickHouse, wrong credentials and unknown database. */
const UNREACHABLE = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'],
  ...['28000', '28P01', '3D000', '57P03', '53300'],
  ...['81', '192', '193', '194', '516'],
]);

async function reached<T>(variable: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!UNREACHABLE.has(code)) throw error;
    throw new StoreUnreachable(variable, code, { cause: error });
  }
}

/** How long a start waits for a ClickHouse server before it goes on without; milliseconds. */
const WAREHOUSE_WAIT_MS = 3_000;

/** A newly generated key would decrypt nothing, and hide that the old one is missing. */
const LOST_KEY =
  'The file secret-key is missing from DATA_DIR. Credentials of destinations, signing keys and two-factor secrets are encrypted with it. Put it back from a backup, or set SECRET_KEY to its content. If no copy is left, they can’t be recovered: start with an empty DATA_DIR.';

async function checkKeys(
  database: Database,
  cipher: SecretCipher,
  keyIds: readonly string[],
  options: Parameters<typeof announceKeys>[2],
): Promise<KeyNotice> {
  let notice: KeyNotice | undefined;
  await checkCanary(database, cipher, async () => {
    notice = await announceKeys(database, keyIds, options);
  });
  return notice ?? { close: async () => {} };
}

export interface StoresOptions {
  readonly dataDir: DataDir;
  /** Of the state database and the spools: see their options. */
  readonly durable: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly teardown: Teardown;
  /** False: the start goes on without a ClickHouse server that is down, see `warehouse-gate.ts`. */
  readonly needsWarehouse: boolean;
}

/** Rows that are taken now would be among those that the move still copies, or removes. */
const unfinished = (store: string): string =>
  `The ${store} is the target of a move that has not ended. Run the same "ghostlight move" again until it ends, or start with the settings from before it.`;

const COUNTED_ROWS = ['acknowledged row waits', 'acknowledged rows wait'] as const;

/** Rows that were acknowledged before SPOOL was changed would wait in their file, shipped by no node. @throws StartError */
async function checkDrained(
  directory: string,
  name: string,
  options: Pick<SpoolOptions, 'maxBytes' | 'clock' | 'log'>,
): Promise<void> {
  if (!existsSync(join(directory, `${name}.spool`))) return;
  const file = await openSpool({ ...options, directory, name });
  const { pendingRows } = file.stats();
  await file.close();
  if (pendingRows > 0)
    throw new StartError(
      `SPOOL: ${counted(pendingRows, COUNTED_ROWS)} in ${join(directory, `${name}.spool`)}, and SPOOL=postgres would not ship what is there. Start with SPOOL=file, run \`ghostlight spool drain\`, then start with SPOOL=postgres.`,
    );
}

/** The other way round: rows in the shared tables, and no node that ships them. @throws StartError */
async function checkNoneLeftBehind(url: string, node: string): Promise<void> {
  const rows = await rowsLeftBehind(url, node);
  if (rows > 0)
    throw new StartError(
      `SPOOL: ${counted(rows, COUNTED_ROWS)} in the tables spool_… of PostgreSQL (DATABASE_URL), and SPOOL=file would not ship what is there. Start with SPOOL=postgres, run \`ghostlight spool drain\`, then start with SPOOL=file.`,
    );
}

/** @throws DecryptError, EmbeddedEngineError, StoreUnreachable, each with a sentence */
export async function openStores(
  config: Config,
  { dataDir, durable, clock, log, teardown, needsWarehouse }: StoresOptions,
): Promise<Stores> {
  const database = await reached('DATABASE_URL', () =>
    openDatabase({
      url: config.databaseUrl,
      poolSize: config.databasePoolSize,
      dataDir: config.dataDir,
      log: log.child({ room: 'database' }),
      clock,
      durable,
    }),
  );
  teardown.add('database', () => database.close());
  if ((await positionOf(database)) !== null) throw new StartError(unfinished('state database'));
  // A node with another SECRET_KEY would encrypt what the others can't decrypt: it must not start.
  if (config.secretKey === null && !dataDir.hasSecret('secret-key') && (await hasCanary(database)))
    throw new DecryptError(LOST_KEY);
  const secretKey = config.secretKey ?? dataDir.secret('secret-key').value;
  const cipher = createSecretCipher(secretKey, config.secretKeyPrevious);
  const announced = await checkKeys(database, cipher, keyIdsOf(secretKey, config.secretKeyPrevious), {
    node: dataDir.nodeId(),
    clock,
    log: log.child({ room: 'database' }),
  });
  teardown.add('key notice', () => announced.close());

  const opened = await openWarehouse({
    url: config.clickhouseUrl,
    dataDir: config.dataDir,
    retentionDays: config.retentionDays,
    cluster: config.clickhouseCluster,
    log: log.child({ room: 'warehouse' }),
    clock,
  });
  const gate = gateWarehouse(opened, {
    migrate: () =>
      database.underLock('warehouse-migration', async () => {
        if ((await unfinishedMove(opened)) !== null)
          throw new WarehouseMisconfigured(unfinished('warehouse'));
        await opened.migrate();
      }),
    isFinal: (error) => error instanceof SchemaTooNew || error instanceof WarehouseMisconfigured,
    log: log.child({ room: 'warehouse' }),
  });
  teardown.add('warehouse', async () => {
    gate.stop();
    await opened.close();
    await gate.stopped();
  });
  if (config.clickhouseUrl === null) await gate.open();
  else if (needsWarehouse) await reached('CLICKHOUSE_URL', gate.open);
  else await gate.openWhenBack(WAREHOUSE_WAIT_MS);

  const { databaseUrl } = config;
  if (config.spoolDatabaseUrl === null && databaseUrl !== null)
    await reached('DATABASE_URL', () => checkNoneLeftBehind(databaseUrl, dataDir.nodeId()));
  const open = async (name: string, maxBytes: number, forPersons: boolean): Promise<Spool> => {
    const common = { name, maxBytes, clock, log: log.child({ room: 'spool', spool: name }) };
    const url = config.spoolDatabaseUrl;
    const directory = join(config.dataDir, 'spool');
    if (url !== null) await checkDrained(directory, name, common);
    const opened =
      url === null
        ? await openSpool({
            ...{ ...common, directory, durable, secureDelete: forPersons },
          })
        : await reached('SPOOL_DATABASE_URL', () =>
            openPostgresSpool({ ...common, url, node: dataDir.nodeId() }),
          );
    teardown.add(name === 'hits' ? 'spool' : `${name} spool`, () => opened.close());
    return opened;
  };
  const spool = await open('hits', config.spoolMaxBytes, false);
  // Places and caps of their own: any client can send events, and these must never block hits.
  const eventsMaxBytes = Math.floor(config.eventsSpoolMaxBytes / 2);
  const eventSpools = {
    rows: await open('event-rows', eventsMaxBytes, true),
    accepted: await open('events', eventsMaxBytes, true),
  };
  return { database, cipher, warehouse: gate.warehouse, spool, eventSpools };
}
