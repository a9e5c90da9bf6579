/** What comes in: groups of requests, and uploads that take effect whole. The same steps as in the file's `intake.ts`, over all nodes. */
import { countBelow, droppedLines, without } from '../lines.ts';
import { digestOf } from '../pack.ts';
import {
  type CommitMessage,
  type Conflict,
  type GroupMessage,
  type PackedChunk,
  type PackedKey,
  REMEMBER_MS,
  type StageMessage,
  type TakenMessage,
} from '../port.ts';
import type { Transaction } from './lane.ts';
import { pack, unpack } from './packing.ts';
import { quarantine } from './quarantine.ts';
import type { Tables } from './schema.ts';
import { CHUNK_BYTES } from './session.ts';

/** One group of requests. @param packed its chunks, as they are if none of their rows is a duplicate */
export async function append(
  tx: Transaction,
  t: Tables,
  group: GroupMessage,
  packed: readonly Buffer[],
): Promise<Conflict[]> {
  const conflicts = await keepNewKeys(tx, t, group.rows.keys, group.at);
  const dropped = droppedLines(conflicts);
  for (const [index, chunk] of group.rows.chunks.entries()) {
    const rest = without(chunk, dropped.get(index));
    const body = rest === chunk ? packed[index] : undefined;
    await insertChunk(tx, t, rest, { at: group.at, body: body ?? (await pack(rest.body)) });
  }
  tx.count(group.counters);
  for (const { entry, label } of conflicts) recount(tx, group.endpoints[entry] ?? '', label);
  quarantine(tx, t, group.quarantine);
  return conflicts;
}

/** Rows of an upload, stored but invisible. @returns those already known, which are left out */
export async function stage(
  tx: Transaction,
  t: Tables,
  session: string,
  { rows, upload, at }: StageMessage,
): Promise<Conflict[]> {
  const known = await knownKeys(tx, t, session, { rows, upload, at });
  const fresh = new Map<string, PackedKey>();
  const conflicts = rows.keys.filter((packed) => {
    const key = keyOf(packed);
    const isNew = !known.has(key) && !fresh.has(key);
    if (isNew) fresh.set(key, packed);
    return !isNew;
  });
  const dropped = droppedLines(conflicts);
  const numbers = await Promise.all(
    rows.chunks.map(async (chunk, index) => {
      const rest = without(chunk, dropped.get(index));
      return await insertChunk(tx, t, rest, { at, body: await pack(rest.body), session, upload });
    }),
  );
  if (fresh.size === 0) return conflicts;
  const staged = [...fresh].map(([key, { chunk, line, label }]) => ({
    key,
    label,
    chunk: numbers[chunk] ?? '0',
    line: line - countBelow(dropped.get(chunk), line),
  }));
  tx.query(
    {
      text: `INSERT INTO ${t.stagedKeys} (session, upload, key, chunk, line, label)
        SELECT $1::uuid, $2::int, key, chunk, line, label
        FROM unnest($3::uuid[], $4::bigint[], $5::int[], $6::text[]) AS staged (key, chunk, line, label)`,
    },
    [
      session,
      upload,
      staged.map(({ key }) => key),
      staged.map(({ chunk }) => chunk),
      staged.map(({ line }) => line),
      staged.map(({ label }) => label),
    ],
  );
  return conflicts;
}

/** Makes an upload take effect whole. @returns the late duplicates, or that the same batch was taken before */
export async function commit(
  tx: Transaction,
  t: Tables,
  { session, node }: { readonly session: string; readonly node: string },
  message: CommitMessage,
): Promise<Conflict[] | 'already_taken'> {
  const { upload, at, scope, hex } = message;
  const since = at - REMEMBER_MS;
  // Of two nodes with the same batch the second waits here for the first one's outcome.
  const recorded = await tx.query(
    {
      text: `INSERT INTO ${t.uploads} (scope, hex, at, node) VALUES ($1, $2, $3, $4)
        ON CONFLICT (scope, hex) DO UPDATE SET at = excluded.at, node = excluded.node WHERE ${t.uploads}.at <= $5`,
    },
    [scope, hex, at, node, since],
  );
  if (recorded.rowCount === 0) {
    await takenElsewhere(tx, t, session, message);
    return 'already_taken';
  }
  await checkAllStaged(tx, t, session, message);
  const late = await keepStagedKeys(tx, t, session, message, since);
  for (const [chunk, lines] of droppedLines(late)) await removeLines(tx, t, chunk, lines);
  tx.query({ text: `DELETE FROM ${t.stagedKeys} WHERE session = $1 AND upload = $2` }, [session, upload]);
  tx.query(
    { text: `UPDATE ${t.chunks} SET session = NULL, upload = NULL WHERE session = $1 AND upload = $2` },
    [session, upload],
  );
  tx.count(message.counters);
  for (const { label } of late) recount(tx, message.endpoint, label);
  quarantine(tx, t, message.quarantine);
  return late;
}

/** What was read of a batch that was taken before counts as a repetition. */
export async function takenElsewhere(
  tx: Transaction,
  t: Tables,
  session: string,
  { upload, endpoint, received }: TakenMessage,
): Promise<void> {
  await discard(tx, t, session, upload);
  tx.count([
    [`received|${endpoint}`, received],
    [`duplicate|${endpoint}`, received],
  ]);
}

export async function discard(tx: Transaction, t: Tables, session: string, upload: number): Promise<void> {
  const { rows } = await tx.query<{ freed: string }>(
    {
      text: `WITH gone AS (
          DELETE FROM ${t.chunks} WHERE session = $1 AND upload = $2 RETURNING octet_length(body) AS bytes)
        SELECT coalesce(sum(bytes + ${CHUNK_BYTES}), 0) AS freed FROM gone`,
    },
    [session, upload],
  );
  tx.query({ text: `DELETE FROM ${t.stagedKeys} WHERE session = $1 AND upload = $2` }, [session, upload]);
  tx.count([['bytes', -Number(rows[0]?.freed ?? 0)]]);
}

interface ChunkOwner {
  readonly at: number;
  /** The rows, packed. */
  readonly body: Buffer;
  readonly session?: string;
  readonly upload?: number;
  readonly batch?: string;
}

/** @returns the chunk's number; null when it has no rows and is not written */
export async function insertChunk(
  tx: Transaction,
  t: Tables,
  { month, rows, body: unpacked }: PackedChunk,
  { at, body, session, upload, batch }: ChunkOwner,
): Promise<string | null> {
  if (rows === 0) return null;
  tx.count([['bytes', body.length + CHUNK_BYTES]]);
  const inserted = tx.query<{ number: string }>(
    {
      name: `${t.chunks}_insert`,
      text: `INSERT INTO ${t.chunks} (month, rows, size, body, at, session, upload, batch)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING number`,
    },
    [month, rows, unpacked.length, body, at, session ?? null, upload ?? null, batch ?? null],
  );
  // Only an upload needs the number, for the keys of its rows; the others go on without waiting.
  if (session === undefined) return null;
  return (await inserted).rows[0]?.number ?? null;
}

/** Remembers the group's keys. @returns the rows whose key was known, or came twice */
async function keepNewKeys(
  tx: Transaction,
  t: Tables,
  keys: readonly PackedKey[],
  at: number,
): Promise<PackedKey[]> {
  if (keys.length === 0) return [];
  const firsts = new Map<string, PackedKey>();
  const repeated: PackedKey[] = [];
  for (const packed of keys) {
    const key = keyOf(packed);
    if (firsts.has(key)) repeated.push(packed);
    else firsts.set(key, packed);
  }
  // In order, so that groups with the same keys can't wait for each other in a circle.
  const { rows } = await tx.query<{ added: number; known: string[] }>(
    {
      name: `${t.seen}_keep`,
      text: `WITH fresh AS (
          INSERT INTO ${t.seen} (key, at) SELECT key, $2::bigint FROM unnest($1::uuid[]) AS key ORDER BY key
          ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE ${t.seen}.at <= $3
          RETURNING key, xmax = 0 AS added)
        SELECT (SELECT count(*)::int FROM fresh WHERE added) AS added,
          ARRAY(SELECT replace(key::text, '-', '') FROM unnest($1::uuid[]) AS key WHERE key NOT IN (SELECT key FROM fresh)) AS known`,
    },
    [`{${[...firsts.keys()].join(',')}}`, at, at - REMEMBER_MS],
  );
  tx.count([['keys', rows[0]?.added ?? 0]]);
  const known = (rows[0]?.known ?? []).flatMap((key) => firsts.get(key) ?? []);
  return [...repeated, ...known];
}

/** The staged keys become the spool's. @returns the rows that came singly while the upload was being read */
async function keepStagedKeys(
  tx: Transaction,
  t: Tables,
  session: string,
  { upload, at }: CommitMessage,
  since: number,
): Promise<Conflict[]> {
  const mine = `FROM ${t.stagedKeys} WHERE session = $1 AND upload = $2`;
  const { rows } = await tx.query<{ added: number; late: { chunk: number; line: number; label: string }[] }>(
    {
      text: `WITH fresh AS (
          INSERT INTO ${t.seen} (key, at) SELECT key, $3::bigint ${mine} ORDER BY key
          ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE ${t.seen}.at <= $4
          RETURNING key, xmax = 0 AS added)
        SELECT (SELECT count(*)::int FROM fresh WHERE added) AS added,
          (SELECT coalesce(json_agg(json_build_object('chunk', chunk, 'line', line, 'label', label)), '[]')
            ${mine} AND key NOT IN (SELECT key FROM fresh)) AS late`,
    },
    [session, upload, at, since],
  );
  tx.count([['keys', rows[0]?.added ?? 0]]);
  return (rows[0]?.late ?? []).map((row) => ({ ...row, entry: 0 }));
}

async function knownKeys(
  tx: Transaction,
  t: Tables,
  session: string,
  { rows: { keys }, upload, at }: StageMessage,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await tx.query<{ key: string }>(
    {
      name: `${t.seen}_known`,
      text: `SELECT replace(key::text, '-', '') AS key FROM ${t.seen} WHERE key = ANY($1::uuid[]) AND at > $2
        UNION ALL SELECT replace(key::text, '-', '') FROM ${t.stagedKeys} WHERE session = $3 AND upload = $4 AND key = ANY($1::uuid[])`,
    },
    [`{${keys.map(keyOf).join(',')}}`, at - REMEMBER_MS, session, upload],
  );
  return new Set(rows.map(({ key }) => key));
}

/** What was staged went with an earlier session, or while nothing was heard of this node. That says nothing of the spool as it is now. */
export class UploadEnded extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UploadEnded';
  }
}

/**
 * What was staged is removed when nothing is heard of this node for a while: acknowledging the rest would lose it. Locks what is there, so that
 * nothing goes before this transaction ends. @throws UploadEnded
 */
async function checkAllStaged(
  tx: Transaction,
  t: Tables,
  session: string,
  { upload, rows }: CommitMessage,
): Promise<void> {
  const sum = await tx.query<{ staged: string }>(
    {
      text: `SELECT coalesce(sum(rows), 0) AS staged
        FROM (SELECT rows FROM ${t.chunks} WHERE session = $1 AND upload = $2 FOR UPDATE) AS mine`,
    },
    [session, upload],
  );
  const staged = Number(sum.rows[0]?.staged ?? 0);
  if (staged !== rows) throw new UploadEnded(`${staged} of ${rows} staged rows are left of the upload`);
}

async function removeLines(
  tx: Transaction,
  t: Tables,
  number: number,
  lines: ReadonlySet<number>,
): Promise<void> {
  const found = await tx.query<{ size: number; rows: number; body: Buffer }>(
    { text: `SELECT size, rows, body FROM ${t.chunks} WHERE number = $1` },
    [number],
  );
  const [chunk] = found.rows;
  const unpacked = chunk === undefined ? null : await unpack(chunk.body, chunk.size);
  if (chunk === undefined || unpacked === null) throw new Error('a staged chunk can’t be read');
  const { rows, body } = without({ month: '', rows: chunk.rows, body: unpacked }, lines);
  if (rows === 0) {
    tx.count([['bytes', -chunk.body.length - CHUNK_BYTES]]);
    tx.query({ text: `DELETE FROM ${t.chunks} WHERE number = $1` }, [number]);
    return;
  }
  const packed = await pack(body);
  tx.count([['bytes', packed.length - chunk.body.length]]);
  tx.query({ text: `UPDATE ${t.chunks} SET rows = $2, size = $3, body = $4 WHERE number = $1` }, [
    number,
    rows,
    body.length,
    packed,
  ]);
}

/** A row counted as kept turned out to be a duplicate. */
function recount(tx: Transaction, endpoint: string, label: string): void {
  tx.count([
    [`kept|${endpoint}|${label}`, -1],
    [`duplicate|${endpoint}`, 1],
  ]);
}

/** As PostgreSQL takes a uuid. */
const keyOf = ({ key }: PackedKey): string => Buffer.from(digestOf(key)).toString('hex');
