/** What comes in: groups of requests, and uploads that take effect whole. */
import { crc32 } from 'node:zlib';
import { countBelow, droppedLines, without } from '../lines.ts';
import { digestOf } from '../pack.ts';
import {
  type CommitMessage,
  type Conflict,
  type GroupMessage,
  type PackedChunk,
  type PackedKey,
  type PackedRows,
  REMEMBER_MS,
  type StageMessage,
  type TakenMessage,
} from '../port.ts';
import type { SpoolFile } from './file.ts';
import { quarantine } from './quarantine.ts';
import { type SealedChunk, sealOf } from './schema.ts';

/** One group of requests. @returns the rows that were duplicates */
export function append(file: SpoolFile, group: GroupMessage): Conflict[] {
  return file.transaction(() => {
    const conflicts = keepNewKeys(file, group.rows, group.at);
    const dropped = droppedLines(conflicts);
    group.rows.chunks.forEach((chunk, index) => {
      file.insertChunk(without(chunk, dropped.get(index)), { at: group.at });
    });
    file.count(group.counters);
    for (const { entry, label } of conflicts) recount(file, group.endpoints[entry] ?? '', label);
    quarantine(file, group.quarantine);
    return conflicts;
  });
}

/** Rows of an upload, durable but invisible. @returns those already known, which are left out */
export function stage(file: SpoolFile, { rows, upload, at }: StageMessage): Conflict[] {
  return file.stagingTransaction(() => {
    const known = file.statement(
      'SELECT 1 FROM seen WHERE key = ? AND at > ? UNION ALL SELECT 1 FROM staged_keys WHERE upload = ? AND key = ?',
    );
    const fresh = new Map<string, PackedKey>();
    const conflicts = rows.keys.filter((packed) => {
      const digest = digestOf(packed.key);
      const isNew =
        !fresh.has(packed.key) && known.get(digest, at - REMEMBER_MS, upload, digest) === undefined;
      if (isNew) fresh.set(packed.key, packed);
      return !isNew;
    });
    const dropped = droppedLines(conflicts);
    const ids = rows.chunks.map((chunk, index) =>
      file.insertChunk(without(chunk, dropped.get(index)), { at, upload }),
    );
    const insert = file.statement(
      'INSERT INTO staged_keys (upload, key, chunk, line, label) VALUES (?, ?, ?, ?, ?)',
    );
    for (const { key, chunk, line, label } of fresh.values()) {
      insert.run(upload, digestOf(key), ids[chunk] ?? 0, line - countBelow(dropped.get(chunk), line), label);
    }
    return conflicts;
  });
}

/** Makes an upload take effect whole. @returns the late duplicates, or that the same batch was taken before */
export function commit(file: SpoolFile, message: CommitMessage): Conflict[] | 'already_taken' {
  const { upload, at, scope, hex } = message;
  const since = at - REMEMBER_MS;
  return file.transaction(() => {
    const taken = file
      .statement('SELECT 1 FROM uploads WHERE scope = ? AND hex = ? AND at > ?')
      .get(scope, hex, since);
    if (taken !== undefined) {
      countAsTaken(file, message);
      return 'already_taken';
    }
    checkAllStaged(file, message);
    const late = lateDuplicates(file, upload, since);
    for (const [chunk, lines] of droppedLines(late)) removeLines(file, chunk, lines);
    file
      .statement(
        `INSERT INTO seen (key, at) SELECT key, ? FROM staged_keys WHERE upload = ?
         ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE seen.at <= ?`,
      )
      .run(at, upload, since);
    file.statement('DELETE FROM staged_keys WHERE upload = ?').run(upload);
    file.statement('UPDATE chunks SET upload = NULL WHERE upload = ?').run(upload);
    file.statement('INSERT OR REPLACE INTO uploads (scope, hex, at) VALUES (?, ?, ?)').run(scope, hex, at);
    file.count(message.counters);
    for (const { label } of late) recount(file, message.endpoint, label);
    quarantine(file, message.quarantine);
    return late;
  });
}

/** Another node took the batch: what was read of it counts as a repetition. */
export function takenElsewhere(file: SpoolFile, message: TakenMessage): void {
  file.freeingTransaction(() => countAsTaken(file, message));
}

export function abort(file: SpoolFile, upload: number): void {
  file.freeingTransaction(() => discard(file, upload));
}

function countAsTaken(file: SpoolFile, { upload, endpoint, received }: TakenMessage): void {
  discard(file, upload);
  file.count([
    [`received|${endpoint}`, received],
    [`duplicate|${endpoint}`, received],
  ]);
}

/** A file that was opened again in between has forgotten what was staged: acknowledging the rest would lose it. */
function checkAllStaged(file: SpoolFile, { upload, rows }: CommitMessage): void {
  const sum = file
    .statement('SELECT coalesce(sum(rows), 0) AS rows FROM chunks WHERE upload = ?')
    .get(upload);
  const staged = (sum as { rows: number }).rows;
  if (staged !== rows) throw new Error(`${staged} of ${rows} staged rows are left of the upload`);
}

function discard(file: SpoolFile, upload: number): void {
  file.statement('DELETE FROM chunks WHERE upload = ?').run(upload);
  file.statement('DELETE FROM staged_keys WHERE upload = ?').run(upload);
}

/** Rows of the upload that arrived singly while it was being read. */
function lateDuplicates(file: SpoolFile, upload: number, since: number): Conflict[] {
  const rows = file
    .statement(
      `SELECT staged_keys.chunk, staged_keys.line, staged_keys.label FROM staged_keys JOIN seen USING (key)
       WHERE staged_keys.upload = ? AND seen.at > ?`,
    )
    .all(upload, since);
  return (rows as unknown as Omit<Conflict, 'entry'>[]).map((row) => ({ ...row, entry: 0 }));
}

function removeLines(file: SpoolFile, id: number, lines: ReadonlySet<number>): void {
  const chunk = file
    .statement('SELECT chunks.*, body FROM chunks JOIN bodies ON chunk = id WHERE id = ?')
    .get(id) as unknown as SealedChunk & PackedChunk;
  const { rows, body } = without(chunk, lines);
  if (rows === 0) {
    file.statement('DELETE FROM chunks WHERE id = ?').run(id);
    return;
  }
  const left = { ...chunk, rows, size: body.length, sum: crc32(body) };
  file
    .statement('UPDATE chunks SET rows = ?, size = ?, sum = ?, seal = ? WHERE id = ?')
    .run(rows, left.size, left.sum, sealOf(left), id);
  file.statement('UPDATE bodies SET body = ? WHERE chunk = ?').run(body, id);
}

/** Remembers the group's keys. @returns the rows whose key was known, or came twice */
function keepNewKeys(file: SpoolFile, rows: PackedRows, at: number): Conflict[] {
  const keep = file.statement(
    'INSERT INTO seen (key, at) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE seen.at <= ?',
  );
  const since = at - REMEMBER_MS;
  return rows.keys.filter(({ key }) => keep.run(digestOf(key), at, since).changes === 0);
}

/** A row counted as kept turned out to be a duplicate. */
function recount(file: SpoolFile, endpoint: string, label: string): void {
  file.count([
    [`kept|${endpoint}|${label}`, -1],
    [`duplicate|${endpoint}`, 1],
  ]);
}
