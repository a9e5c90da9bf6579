/**
 * All data of an organization as one archive, made in the background on the node that was asked. One at a time; a crash begins it again.
 * Memory is bounded by a part, the disk by what is free.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import {
  type Caller,
  type Clock,
  type Log,
  owningOrganization,
  type Scope,
  ServiceError,
  TAR_END,
  tarHeader,
  tarPadding,
} from '../../common/index.ts';
import {
  audit,
  type Database,
  existingOrganization,
  lockOrganization,
  type Row,
} from '../../database/index.ts';
import type { Warehouse } from '../../warehouse/index.ts';
import { readme } from './files.ts';
import { partsOf } from './rows.ts';

const KEPT_MS = 7 * DAY_MS;
const LINK_MS = 15 * MINUTE_MS;
/** Of one organization, ready or being made. */
const MAX_STANDING = 3;
/** What the other stores on the disk need to go on. */
const FREE_BYTES = 512 * 1024 * 1024;
const FILE = /^(tko_[0-9a-f]{32})\.tar$/;
const compress = promisify(gzip);

export type Takeout = Row<'takeouts'>;

export interface Takeouts {
  /** @throws ServiceError `not_found`, `conflict` while there are too many */
  ask(scope: Scope, actor: Caller['actor']): Promise<Takeout>;
  /** Newest first. */
  list(scope: Scope): Promise<Takeout[]>;
  /** @throws ServiceError `not_found` */
  get(scope: Scope, id: string): Promise<Takeout>;
  /** A token that opens the file for a quarter of an hour; the one before opens it no more. @throws ServiceError `not_found`, `conflict` */
  link(scope: Scope, actor: Caller['actor'], id: string): Promise<{ token: string; until: number }>;
  /** @throws ServiceError `not_found`, `forbidden` for a token that has ended, `unavailable` on another node */
  open(
    scope: Scope,
    id: string,
    token: string,
  ): Promise<{ name: string; bytes: number; body: ReadableStream }>;
  /** @throws ServiceError `not_found` */
  delete(scope: Scope, actor: Caller['actor'], id: string): Promise<void>;
  /** In the transaction that deletes a property: it is in the archives of its organization. */
  forget(trx: Database['kysely'], organizationId: string): Promise<void>;
  /** Makes what this node was asked for, and deletes what has expired. */
  run(signal?: AbortSignal): Promise<void>;
  /** Looks every minute what this node was asked for, and what has expired. */
  start(): void;
  /** Waits for what is being made, which the next start begins again. */
  close(): Promise<void>;
}

export interface TakeoutsDeps {
  readonly database: Database;
  readonly warehouse: Pick<Warehouse, 'rows'>;
  /** DATA_DIR/takeouts; made when it is needed. */
  readonly directory: string;
  readonly node: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The archives in `directory`, and the job that makes them one at a time. Call `close` after `start`. */
export function createTakeouts({ database, warehouse, directory, node, clock, log }: TakeoutsDeps): Takeouts {
  const ending = new AbortController();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const pathOf = (id: string): string => join(directory, `${id}.tar`);

  const ofScope = (db: Database['kysely'], scope: Scope) =>
    db
      .selectFrom('takeouts')
      .selectAll()
      .$if(scope.kind === 'organization', (query) =>
        query.where('organization_id', '=', owningOrganization(scope)),
      );
  const get = async (scope: Scope, id: string): Promise<Takeout> => {
    const row = await ofScope(database.reader, scope).where('id', '=', id.toLowerCase()).executeTakeFirst();
    if (row === undefined)
      throw new ServiceError('not_found', 'There is no such export; list the exports to find its ID.');
    return row;
  };
  const save = async (id: string, changes: Partial<Takeout>): Promise<boolean> => {
    const { numUpdatedRows } = await database.kysely
      .updateTable('takeouts')
      .set(changes)
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  const make = async (
    { id, organization_id: organizationId }: Takeout,
    signal: AbortSignal,
  ): Promise<void> => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const at = clock();
    const out = createWriteStream(pathOf(id), { mode: 0o600 });
    const write = async (bytes: Uint8Array): Promise<void> => {
      if (!out.write(bytes)) await new Promise<void>((resolve) => out.once('drain', resolve));
    };
    const failed = new Promise<never>((_, reject) => out.once('error', reject));
    failed.catch(() => undefined);
    const counts: Record<string, number> = {};
    const parts: Record<string, number> = {};
    let [rows, bytes] = [0, 0];
    try {
      for await (const part of partsOf(database, warehouse, organizationId, signal)) {
        const { bavail, bsize } = statfsSync(directory);
        if (bavail * bsize < FREE_BYTES) throw new NoRoom();
        const number = (parts[part.table] ?? 0) + 1;
        parts[part.table] = number;
        counts[part.table] = (counts[part.table] ?? 0) + part.rows;
        const name = `${part.table}/${String(number).padStart(5, '0')}.ndjson.gz`;
        const entry = tarEntry(name, await compress(part.text), at);
        await Promise.race([write(entry), failed]);
        rows += part.rows;
        bytes += entry.length;
        // Deleted meanwhile: nothing of it may stay.
        if (!(await save(id, { table: part.table, rows, bytes }))) throw new Gone();
      }
      const { name } = await existingOrganization(database.reader, {
        kind: 'organization',
        id: organizationId,
      });
      const last = tarEntry('README.md', Buffer.from(readme(name, at, counts)), at);
      await Promise.race([write(last), failed]);
      await Promise.race([write(TAR_END), failed]);
      out.end();
      await finished(out);
      bytes += last.length + TAR_END.length;
      const now = clock();
      const ready = {
        ...{ rows, bytes, table: null, error: null, finished_at: now },
        expires_at: now + KEPT_MS,
      };
      if (!(await save(id, { state: 'ready', ...ready }))) throw new Gone();
      log.info({ takeout: id, rows, bytes }, 'a takeout is ready');
    } catch (error) {
      out.destroy();
      rmSync(pathOf(id), { force: true });
      throw error;
    }
  };

  /** Files without a row: expired, deleted, or of a takeout that failed. */
  const sweep = async (): Promise<void> => {
    await database.kysely.deleteFrom('takeouts').where('expires_at', '<=', clock()).execute();
    const found = filesIn(directory);
    if (found.length === 0) return;
    const rows = await database.reader.selectFrom('takeouts').select('id').where('id', 'in', found).execute();
    const standing = new Set(rows.map(({ id }) => id));
    for (const id of found) if (!standing.has(id)) rmSync(pathOf(id), { force: true });
  };

  const runAll = async (signal: AbortSignal): Promise<void> => {
    await sweep();
    // One at a time over all nodes; what was being made when its node ended is begun again.
    await database.withLock('takeouts', async () => {
      for (;;) {
        const next = await database.kysely
          .selectFrom('takeouts')
          .selectAll()
          .where('node', '=', node)
          .where('state', 'in', ['waiting', 'making'])
          .orderBy('asked_at')
          .limit(1)
          .executeTakeFirst();
        if (next === undefined || signal.aborted) return;
        await save(next.id, { state: 'making', rows: 0, bytes: 0, table: null });
        try {
          await make(next, signal);
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof Gone) continue;
          log.warn({ err: error, takeout: next.id }, 'a takeout failed');
          await save(next.id, { state: 'failed', error: sentenceOf(error), expires_at: clock() + KEPT_MS });
        }
      }
    });
  };
  const run = (signal: AbortSignal = ending.signal): Promise<void> => {
    running ??= runAll(AbortSignal.any([signal, ending.signal])).finally(() => {
      running = null;
    });
    return running;
  };

  return {
    async ask(scope, actor) {
      const at = clock();
      const row = await database.kysely.transaction().execute(async (trx) => {
        const { id: organizationId } = await existingOrganization(trx, scope);
        await lockOrganization(trx, organizationId);
        const standing = await trx
          .selectFrom('takeouts')
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('state', '!=', 'failed')
          .execute();
        if (standing.length >= MAX_STANDING)
          throw new ServiceError(
            'conflict',
            `An organization can have at most ${MAX_STANDING} exports; delete one first.`,
          );
        const inserted = await trx
          .insertInto('takeouts')
          .values({
            ...{ id: `tko_${randomUUID().replaceAll('-', '')}`, organization_id: organizationId },
            ...{ asked_by: actor, asked_at: at, node, state: 'waiting', table: null, rows: 0, bytes: 0 },
            ...{ finished_at: null, expires_at: null, error: null, link_digest: null, link_until: null },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, { at, actor, action: 'takeout.asked', subject: inserted.id, organizationId });
        return inserted;
      });
      // In the background; a run that is just ending has not seen it.
      void (running ?? Promise.resolve())
        .then(() => run())
        .catch((error: unknown) => log.warn({ err: error }, 'a takeout is begun by the next run of its job'));
      return row;
    },
    list: async (scope) =>
      await ofScope(database.reader, scope).orderBy('asked_at', 'desc').limit(100).execute(),
    get,
    async link(scope, actor, id) {
      const { state, organization_id: organizationId } = await get(scope, id);
      if (state !== 'ready') throw new ServiceError('conflict', 'The export is not ready yet.');
      const token = randomBytes(32).toString('base64url');
      const until = clock() + LINK_MS;
      await database.kysely.transaction().execute(async (trx) => {
        await trx
          .updateTable('takeouts')
          .set({ link_digest: digestOf(token), link_until: until })
          .where('id', '=', id.toLowerCase())
          .execute();
        await audit(trx, { at: clock(), actor, action: 'takeout.linked', subject: id, organizationId });
      });
      return { token, until };
    },
    async open(scope, id, token) {
      const row = await get(scope, id);
      const isGood = row.link_digest === digestOf(token) && (row.link_until ?? 0) > clock();
      if (!isGood)
        throw new ServiceError(
          'forbidden',
          'This link has expired. Create a new one; it works for 15 minutes.',
        );
      if (row.node !== node)
        throw new ServiceError('unavailable', 'This export’s file is on another node; try again.', {
          headers: { 'Retry-After': '1' },
        });
      const path = pathOf(row.id);
      let bytes: number;
      try {
        bytes = statSync(path).size;
      } catch {
        throw new ServiceError('not_found', 'This export’s file is gone. Start a new one.');
      }
      const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
      return {
        name: `ghostlight-takeout-${new Date(row.asked_at).toISOString().slice(0, 10)}.tar`,
        bytes,
        body,
      };
    },
    async delete(scope, actor, id) {
      const row = await get(scope, id);
      await database.kysely.transaction().execute(async (trx) => {
        await trx.deleteFrom('takeouts').where('id', '=', row.id).execute();
        const organizationId = row.organization_id;
        await audit(trx, { at: clock(), actor, action: 'takeout.deleted', subject: row.id, organizationId });
      });
      rmSync(pathOf(row.id), { force: true });
    },
    async forget(trx, organizationId) {
      await trx.deleteFrom('takeouts').where('organization_id', '=', organizationId).execute();
    },
    run,
    start() {
      const look = (): void =>
        void run().catch((error: unknown) => log.warn({ err: error }, 'takeouts could not be looked after'));
      timer = setInterval(look, MINUTE_MS);
      timer.unref();
      look();
    },
    async close() {
      clearInterval(timer);
      ending.abort();
      await running?.catch(() => undefined);
    },
  };
}

/** The organization or the takeout was deleted while it was made. */
class Gone extends Error {}
class NoRoom extends Error {}

/** Header, content and padding of one file. @param at epoch milliseconds */
const tarEntry = (name: string, content: Uint8Array, at: number): Buffer =>
  Buffer.concat([tarHeader(name, content.length, at), content, tarPadding(content.length)]);

const sentenceOf = (error: unknown): string =>
  error instanceof NoRoom
    ? 'The node’s disk has too little free space for the archive. Free up space, then start a new one.'
    : 'The export failed; the service’s log says why. Start a new one.';

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory).flatMap((name) => FILE.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}
