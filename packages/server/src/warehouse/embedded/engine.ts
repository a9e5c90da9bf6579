/** chDB behind lanes: statements in, bytes out, cancellable. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Session } from 'chdb';
import { toException } from './exceptions.ts';
import { Lane } from './lane.ts';
import type { LaneName, OpenMessage } from './protocol.ts';
import type { RawInsert } from './statement.ts';

/** Connections and queue length per lane. An engine connection runs one statement at a time. */
const SIZES: Readonly<Record<LaneName, { connections: number; waiting: number }>> = {
  write: { connections: 1, waiting: 8 },
  live: { connections: 3, waiting: 64 },
  report: { connections: 2, waiting: 16 },
};

export interface Engine {
  readonly version: string;
  /** The whole result, which the statement itself must bound. Planned and run off the event loop. */
  execute(lane: LaneName, sql: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Resolves when the part is on disk. Never cancelled once it runs: a half-known insert is worse than a late one. */
  insert(insert: RawInsert, body: Buffer, signal: AbortSignal): Promise<{ rows: number; bytes: number }>;
  close(): void;
}

/** @throws Error as chDB gives it, when the directory is locked by another process */
export function openEngine(options: OpenMessage): Engine {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const configuration = join(options.directory, 'embedded.xml');
  writeFileSync(configuration, configurationOf(options), { mode: 0o600 });
  // The first session fixes the process's settings; the others share its directory and run beside it.
  const control = new Session(options.directory, { connectionArgs: [`--config-file=${configuration}`] });
  const version = control.query('SELECT version()', 'TabSeparated').trim();
  const sessions = [control];
  const lane = (name: LaneName) => {
    const own = Array.from({ length: SIZES[name].connections }, () => new Session(options.directory));
    for (const session of own) session.query(SET_UP);
    sessions.push(...own);
    return new Lane(name, own, SIZES[name].waiting);
  };
  const lanes = { write: lane('write'), live: lane('live'), report: lane('report') };

  /** Runs a tagged statement; `KILL QUERY … ASYNC` from the control connection ends it when the signal comes (SYNC never returns). */
  async function cancellable<Result>(
    sql: string,
    signal: AbortSignal,
    run: (tagged: string) => Promise<Result>,
  ): Promise<Result> {
    const tag = `/*ghostlight:${randomUUID()}*/`;
    const kill = () => {
      control.queryAsync(`KILL QUERY WHERE startsWith(query, '${tag}') ASYNC`).catch(() => undefined);
    };
    signal.addEventListener('abort', kill, { once: true });
    try {
      return await run(`${tag} ${sql}`);
    } catch (error) {
      throw toException(error);
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }

  return {
    version,
    execute: (name, sql, signal) =>
      lanes[name].run((session) => cancellable(sql, signal, (tagged) => resultOf(session, tagged)), signal),
    insert: ({ table, columns, settings, format }, body, signal) =>
      lanes.write.run(async (session) => {
        try {
          const done = await session.insert({
            table,
            ...(columns === null ? {} : { columns }),
            settings: { ...settings },
            format: format as 'JSONEachRow',
            values: body,
          });
          return { rows: done.rowsWritten, bytes: done.bytesWritten };
        } catch (error) {
          throw toException(error);
        }
      }, signal),
    close: () => {
      for (const session of sessions.toReversed()) session.close();
    },
  };
}

async function resultOf(session: Session, sql: string): Promise<Uint8Array> {
  try {
    return (await session.queryAsync(sql, { format: 'TabSeparated' })).bytes();
  } catch (error) {
    await emptied(session);
    throw error;
  }
}

/**
 * What plans a statement costs more than what runs it, where data are few. None of these changes an answer.
 * - `compile_expressions`: on the third run of a statement the engine would compile its expressions: a second of processor time for the
 *   statements of seven reports, and over two million rows these took as long with it as without it. The code that it makes for aggregates
 *   is worth it.
 * - `optimize_and_compare_chain` looks for comparisons that follow from others (`a < b AND b < 5`), of which we write none. For each
 *   condition it hashes the whole statement: a sixth of a report's planning.
 * - `use_statistics`: the tables have none (see the configuration below), and each plan would look for them.
 * - `output_format_parallel_formatting`: starts threads for each answer, most of which have a few rows.
 */
const SET_UP =
  'SET compile_expressions = 0, optimize_and_compare_chain = 0, use_statistics = 0, output_format_parallel_formatting = 0';

const EMPTYING_TURNS = 6;
const FIRST_WAIT_MS = 100;

/**
 * chdb 3.4.0 puts what a failed or killed statement had written before the result of the connection's next one: rows of one
 * organization in an answer to another. So that next one is ours, until it comes back with nothing but its own. A connection that can't
 * be made clean ends the process, which is started again.
 */
async function emptied(session: Session): Promise<void> {
  for (let turn = 0; turn < EMPTYING_TURNS; turn += 1) {
    const bytes = await session.queryAsync('SELECT 1', { format: 'TabSeparated' }).then(
      (result) => result.bytes(),
      () => null,
    );
    if (bytes !== null && Buffer.from(bytes).equals(CLEAN)) return;
    // It failed itself, for want of memory say: a moment later it may not.
    if (bytes === null) await sleep(FIRST_WAIT_MS * 2 ** turn);
  }
  process.stderr.write('a connection kept the rest of another statement; ending\n');
  process.kill(process.pid, 'SIGKILL');
}

const CLEAN = Buffer.from('1\n');

/**
 * Caches are bounded apart from the total: their defaults (5 GiB of marks) are made for servers. Statistics of columns, which each merge
 * would compute, take a tenth of its time; our statements read ranges of the sorting key and need none.
 */
function configurationOf({ memoryBytes, backupsDirectory }: OpenMessage): string {
  const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const backups =
    backupsDirectory === null
      ? ''
      : `  <backups><allowed_path>${xml(backupsDirectory)}</allowed_path></backups>\n`;
  return `<clickhouse>
  <max_server_memory_usage>${memoryBytes}</max_server_memory_usage>
  <mark_cache_size>${Math.floor(memoryBytes / 8)}</mark_cache_size>
  <index_mark_cache_size>${Math.floor(memoryBytes / 16)}</index_mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <merge_tree><auto_statistics_types></auto_statistics_types></merge_tree>
${backups}</clickhouse>
`;
}
