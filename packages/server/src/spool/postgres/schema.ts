/**
 * The tables of a spool in PostgreSQL, each spool's with its name in front (`spool_hits_chunks`). All nodes share them.
 *
 * - `chunks`: rows as they will be inserted, many to a chunk, compressed with zstd. `session` set: staged by an upload of that session.
 *   `batch` set: claimed for the warehouse. `damaged`: can't be unpacked; stays for the operator.
 * - `batches`: a batch's random id and attempt, the session that ships it, and until when that claim holds.
 * - `sessions`: one for each start of a node; `lanes`: its connections, each with the id of its last commit and its share of the counters.
 * - `seen`: 16-byte digests of deduplication keys, 48 h. `staged_keys`: those of uploads not yet committed.
 * - `uploads`: digests of whole log push batches, 48 h. `quarantine`: rejected input, until it is collected. `probe`: empty, see `upkeep.ts`.
 */
import type pg from 'pg';
import { StartError } from '../../common/index.ts';

/** A list of statements for each version: version 1 is the first. Only appended to: nodes of two versions share the tables during an upgrade. */
export const MIGRATIONS: readonly ((tables: Tables) => string)[] = [
  (t) => `
CREATE TABLE ${t.sessions} (id uuid PRIMARY KEY, node text NOT NULL, alive_until timestamptz NOT NULL);
CREATE TABLE ${t.lanes} (
  session uuid NOT NULL REFERENCES ${t.sessions} ON DELETE CASCADE, lane integer NOT NULL, last uuid, counters text NOT NULL,
  PRIMARY KEY (session, lane)) WITH (fillfactor = 50);
CREATE TABLE ${t.chunks} (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, month text NOT NULL, rows integer NOT NULL, size integer NOT NULL,
  body bytea NOT NULL, at bigint NOT NULL, session uuid, upload integer, batch uuid, damaged boolean NOT NULL DEFAULT false)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
ALTER TABLE ${t.chunks} ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX ${t.chunks}_ready ON ${t.chunks} (number) WHERE batch IS NULL AND session IS NULL AND NOT damaged;
CREATE INDEX ${t.chunks}_staged ON ${t.chunks} (session, upload) WHERE session IS NOT NULL;
CREATE INDEX ${t.chunks}_batch ON ${t.chunks} (batch) WHERE batch IS NOT NULL;
CREATE TABLE ${t.batches} (
  id uuid PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY, month text NOT NULL, rows integer NOT NULL, attempt integer NOT NULL,
  owner uuid, lease_until timestamptz NOT NULL);
CREATE TABLE ${t.seen} (key uuid PRIMARY KEY, at bigint NOT NULL);
CREATE TABLE ${t.stagedKeys} (
  session uuid NOT NULL, upload integer NOT NULL, key uuid NOT NULL, chunk bigint NOT NULL, line integer NOT NULL, label text NOT NULL,
  PRIMARY KEY (session, upload, key));
CREATE TABLE ${t.uploads} (
  scope text NOT NULL, hex text NOT NULL, at bigint NOT NULL, node text NOT NULL, PRIMARY KEY (scope, hex));
CREATE TABLE ${t.quarantine} (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL UNIQUE, organization text NOT NULL, attribution text,
  endpoint text NOT NULL, reason text NOT NULL, field text, body text NOT NULL, at bigint NOT NULL);
CREATE INDEX ${t.quarantine}_organization ON ${t.quarantine} (organization, number);
CREATE TABLE ${t.probe} (id uuid PRIMARY KEY, filler bytea NOT NULL);
ALTER TABLE ${t.probe} ALTER COLUMN filler SET STORAGE EXTERNAL;`,
];

export interface Tables {
  readonly sessions: string;
  readonly lanes: string;
  readonly chunks: string;
  readonly batches: string;
  readonly seen: string;
  readonly stagedKeys: string;
  readonly uploads: string;
  readonly quarantine: string;
  readonly probe: string;
}

/** @param spool `hits`, `events`, `event-rows` */
export function tablesOf(spool: string): Tables {
  if (!/^[a-z]+(-[a-z]+)*$/.test(spool)) throw new TypeError(`"${spool}" is no name of a spool`);
  const table = (name: string) => `spool_${spool.replaceAll('-', '_')}_${name}`;
  return {
    sessions: table('sessions'),
    lanes: table('lanes'),
    chunks: table('chunks'),
    batches: table('batches'),
    seen: table('seen'),
    stagedKeys: table('staged_keys'),
    uploads: table('uploads'),
    quarantine: table('quarantine'),
    probe: table('probe'),
  };
}

/** A role without CREATE: on the schema, or on any. */
const NO_RIGHTS: ReadonlySet<unknown> = new Set(['42501', '3F000']);

/** Makes the tables or brings them up, once over all nodes. @throws StartError when they are newer, or the role may not */
export async function migrate(client: pg.Client, spool: string): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query("SELECT pg_advisory_xact_lock(hashtext('ghostlight spool'))");
    await client.query('CREATE TABLE IF NOT EXISTS spools (name text PRIMARY KEY, version integer NOT NULL)');
    const { rows } = await client.query<{ version: number }>('SELECT version FROM spools WHERE name = $1', [
      spool,
    ]);
    const version = rows[0]?.version ?? 0;
    if (version > MIGRATIONS.length)
      throw new StartError(
        `SPOOL_DATABASE_URL: the tables of the spool "${spool}" have version ${version}, and this Ghostlight knows ${MIGRATIONS.length}. Start the version that wrote them, or a newer one.`,
      );
    for (const statements of MIGRATIONS.slice(version)) await client.query(statements(tablesOf(spool)));
    await client.query(
      'INSERT INTO spools (name, version) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = excluded.version WHERE spools.version <> excluded.version',
      [spool, MIGRATIONS.length],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (!NO_RIGHTS.has((error as { code?: unknown }).code)) throw error;
    const { rows } = await client.query<{ role: string }>('SELECT quote_ident(current_user) AS role');
    throw new StartError(
      `SPOOL_DATABASE_URL: the role ${rows[0]?.role} may not create tables. Let the database’s owner run: GRANT USAGE, CREATE ON SCHEMA public TO ${rows[0]?.role};`,
      { cause: error },
    );
  }
}
