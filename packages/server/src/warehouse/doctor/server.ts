/** The server itself: who it takes us for, its version and clock, the settings of our profile, its disks. */
import { counted, size } from '../../common/index.ts';
import { exceptionCode } from '../errors.ts';
import { bad, type Check, type Examined, good, note, type Outcome, reasonOf } from './check.ts';

/** The oldest release whose statements and settings we use. */
const OLDEST = [24, 8] as const;
/** Since then a server can be asked for a right. */
const ASKS_RIGHTS = [24, 11] as const;
/** What we develop and test with. */
const TESTED = '26.7';

const UNKNOWN_DATABASE = 81;
const REFUSED = new Set([192, 193, 194, 516]);
const ADDRESS_NOT_ALLOWED = 195;

export interface Welcome {
  readonly version: string;
  readonly user: string;
  readonly database: string;
  /** Epoch milliseconds, by the server. */
  readonly now: string;
}

/** @returns what is wrong with name, password or database; or who we are there, and how far its clock is from ours in milliseconds */
export async function signIn(
  on: Examined,
): Promise<{ readonly welcome: Welcome; readonly clockAhead: number } | Outcome> {
  const asked = on.clock();
  try {
    const [welcome] = await on.ask<Welcome>(
      'SELECT version() AS version, currentUser() AS user, currentDatabase() AS database, toString(toUnixTimestamp64Milli(now64(3))) AS now',
    );
    if (welcome === undefined) return bad('The server answers without rows.');
    return { welcome, clockAhead: Number(welcome.now) - (asked + on.clock()) / 2 };
  } catch (error) {
    const url = new URL(on.url);
    const user = decodeURIComponent(url.username) || 'default';
    const code = exceptionCode(error);
    if (code !== null && REFUSED.has(code))
      return bad(`The server refuses the user ${user}: the name or the password in CLICKHOUSE_URL is wrong.`);
    if (code === ADDRESS_NOT_ALLOWED)
      return bad(`The user ${user} may not connect from this machine. Add its address to the user’s HOST.`);
    if (code === UNKNOWN_DATABASE) {
      const database = decodeURIComponent(url.pathname.slice(1)) || 'default';
      return bad(`The server has no database ${database}. Create it: CREATE DATABASE ${database};`);
    }
    return bad(`The server does not answer a query: ${reasonOf(error)}`);
  }
}

export function versionOutcome(version: string): Outcome {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isBefore = ([a, b]: readonly [number, number]) => major < a || (major === a && minor < b);
  if (isBefore(OLDEST))
    return bad(
      `ClickHouse ${version} is too old: Ghostlight needs ${OLDEST.join('.')} or later. Upgrade the server.`,
    );
  if (isBefore(ASKS_RIGHTS))
    return note(
      `ClickHouse ${version}: rights can’t be checked before ${ASKS_RIGHTS.join('.')}. Ghostlight is tested with ${TESTED}.`,
    );
  return good(`ClickHouse ${version} (tested with ${TESTED}).`);
}

/** Milliseconds. The engine's own round trip is within the first. */
const CLOCK_NOTE_MS = 5_000;
const CLOCK_BAD_MS = 300_000;

export function clockOutcome(aheadMs: number): Outcome {
  const seconds = counted(Math.abs(aheadMs) / 1_000, ['second', 'seconds']);
  const sentence = `The server’s clock is ${seconds} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine’s. Synchronise both (NTP)`;
  if (Math.abs(aheadMs) < CLOCK_NOTE_MS) return good('The clocks of the server and of this machine agree.');
  if (Math.abs(aheadMs) < CLOCK_BAD_MS) return note(`${sentence}.`);
  return bad(`${sentence}: old rows are removed at wrong times, and Live can be empty.`);
}

/** What statements of ours set. A profile or a constraint may forbid it. */
const USED: Readonly<Record<string, readonly [value: string | number, why: string]>> = {
  async_insert: [0, 'the answer to an insert must mean that the rows are on disk'],
  insert_deduplicate: [1, 'a repeated insert must store its rows once'],
  insert_deduplication_token: ['doctor', 'a repeated insert must store its rows once'],
  insert_quorum: ['auto', 'a majority of replicas must confirm an insert'],
  insert_quorum_timeout: [50_000, 'an insert waits for a majority that long'],
  select_sequential_consistency: [1, 'a count must not miss confirmed rows'],
  mutations_sync: [2, 'the erasure of a visitor must be over when it says so'],
  lightweight_deletes_sync: [2, 'old daily rows must be gone when it says so'],
  max_execution_time: [120, 'queries are bounded'],
  max_memory_usage: [268_435_456, 'reports are bounded'],
  max_result_bytes: [268_435_456, 'results are bounded'],
  max_bytes_before_external_group_by: [134_217_728, 'large reports use the disk'],
  input_format_skip_unknown_fields: [1, 'nodes of two versions may write'],
  input_format_defaults_for_omitted_fields: [1, 'nodes of two versions may write'],
  output_format_json_quote_64bit_integers: [0, 'numbers are read as numbers'],
};

/** A profile in which these differ makes reports wrong or cuts them, without an error. */
const MUST_BE: Readonly<Record<string, readonly string[]>> = {
  readonly: ['0'],
  ...Object.fromEntries(
    ['result', 'read', 'timeout', 'group_by', 'sort', 'distinct', 'set', 'join', 'transfer'].map((of) => [
      `${of}_overflow_mode`,
      ['throw'],
    ]),
  ),
  ...Object.fromEntries(
    ['join_use_nulls', 'group_by_use_nulls', 'transform_null_in', 'extremes', 'limit', 'offset'].map((of) => [
      of,
      ['0'],
    ]),
  ),
  additional_result_filter: [''],
};

/** A node asks up to this much at once. */
const QUERIES_AT_ONCE = 72;

export const settings: Check = {
  name: 'settings',
  async run({ ask }) {
    const found: Outcome[] = [];
    const profile = await ask<{ name: string; value: string }>(
      'SELECT name, value FROM system.settings WHERE name IN {names:Array(String)}',
      { names: [...Object.keys(MUST_BE), 'max_concurrent_queries_for_user'] },
    );
    for (const { name, value } of profile) {
      const [needed, ...others] = MUST_BE[name] ?? [value];
      if (needed === value || others.includes(value)) continue;
      if (name === 'readonly')
        found.push(
          bad(`The user’s profile has readonly = ${value}: the service can’t write. Use another profile.`),
        );
      else
        found.push(
          bad(
            `The user’s profile has ${name} = ${value}: reports would be wrong or cut without an error. Set it to ${needed === '' ? 'nothing' : needed}.`,
          ),
        );
    }
    const limit = Number(profile.find(({ name }) => name === 'max_concurrent_queries_for_user')?.value ?? 0);
    if (limit > 0 && limit < QUERIES_AT_ONCE)
      found.push(
        note(
          `The user’s profile has max_concurrent_queries_for_user = ${limit}: a node asks up to ${QUERIES_AT_ONCE} at once, and reports fail above it.`,
        ),
      );
    const all = Object.fromEntries(Object.entries(USED).map(([name, [value]]) => [name, value]));
    try {
      await ask('SELECT 1', {}, all);
    } catch {
      for (const [name, [value, why]] of Object.entries(USED)) {
        try {
          await ask('SELECT 1', {}, { [name]: value });
        } catch (error) {
          found.push(bad(refusedSetting(name, value, why, error)));
        }
      }
    }
    return found.length > 0 ? found : [good('The user’s profile allows every setting that statements use.')];
  },
};

const UNKNOWN_SETTING = 115;

function refusedSetting(name: string, value: string | number, why: string, error: unknown): string {
  if (exceptionCode(error) === UNKNOWN_SETTING)
    return `The server does not know the setting ${name} (${why}). Upgrade it.`;
  return `The user’s profile refuses ${name} = ${value} (${why}). Remove the constraint. ${reasonOf(error)}`;
}

const LOW_DISK = 0.1;
const FULL_DISK_BYTES = 2 * 1024 ** 3;

interface Disk {
  readonly host: string;
  readonly name: string;
  readonly free: string;
  readonly total: string;
}

export const disks: Check = {
  name: 'disk',
  grant: 'SELECT ON system.disks',
  async run({ ask }, { clusterName, isCloud }) {
    if (isCloud) return [];
    const from = clusterName === null ? 'system.disks' : `clusterAllReplicas('${clusterName}', system.disks)`;
    // An object store has no end.
    const sql = (of: string) =>
      `SELECT hostName() AS host, name, toString(unreserved_space) AS free, toString(total_space) AS total FROM ${of} WHERE lower(type) = 'local' ORDER BY host, name`;
    const found = await ask<Disk>(
      sql(from),
      {},
      clusterName === null ? {} : { skip_unavailable_shards: 1 },
    ).catch(() => ask<Disk>(sql('system.disks')));
    return found.map(({ host, name, ...disk }) => {
      const [free, total] = [Number(disk.free), Number(disk.total)];
      const of = `of the disk ${name} on ${host}`;
      if (free < FULL_DISK_BYTES)
        return bad(
          `Only ${size(free)} ${of} are free: inserts fail soon, and hits wait in the spool. Make room.`,
        );
      if (free < total * LOW_DISK)
        return note(
          `${size(free)} of ${size(total)} ${of} are free: merges need room. Make some, or lower RETENTION_DAYS.`,
        );
      return good(`${size(free)} ${of} are free.`);
    });
  },
};
