/**
 * By trying: an insert as a node makes it, through whatever is before the server, and its repetition. The rows go into a table of their
 * own, which stays (dropping it would need a right that the service has no other use for); its rows leave it after a day.
 */
import { randomUUID } from 'node:crypto';
import { size } from '../../common/index.ts';
import { exceptionCode, WarehouseUnavailable } from '../errors.ts';
import { doctorProbe } from '../schema/migrations.ts';
import type { Settings } from '../statement.ts';
import {
  bad,
  type Check,
  type Examined,
  good,
  isDenied,
  type Known,
  note,
  type Outcome,
  reasonOf,
} from './check.ts';

/** As large as an insert of a node can be: 4 MiB of lines, and what is added to each. */
const LARGEST_BODY = 8 * 1024 * 1024;
/** As long as the parameters of a command can be. */
const LONGEST_PARAMETER = 4_900;
const TIMEOUT_EXCEEDED = 159;
const NO_MAJORITY = new Set([285, 286, 319]);

export const repetition: Check = {
  name: 'deduplication',
  async run(on, known) {
    try {
      const { warehouse } = on;
      await makeTable(on);
      const probe = randomUUID();
      const line = (n: number) => Buffer.from(`{"probe":"${probe}","n":${n},"at":${on.clock()}}\n`);
      for (const [token, row] of [
        [`${probe}:1`, 1],
        [`${probe}:1`, 1],
        [`${probe}:2`, 2],
      ] as const)
        await warehouse.insertRows('doctor_probe', insertSettings(token, known), line(row));
      return [repeated(await count(on, known, probe))];
    } catch (error) {
      return [refused(error)];
    }
  },
};

async function makeTable(on: Examined): Promise<void> {
  try {
    await on.warehouse.command({ sql: doctorProbe(await on.warehouse.replication()) });
  } catch (error) {
    // A replica that is down makes it when it comes back.
    if (exceptionCode(error) !== TIMEOUT_EXCEEDED) throw error;
  }
}

/** Two different rows were sent, one of them twice. */
function repeated(rows: number): Outcome {
  if (rows === 2) return good('An insert that is repeated stores its rows once, and other rows are stored.');
  if (rows > 2)
    return bad(
      'An insert that was repeated stored its rows twice: after a lost answer, hits are doubled. Check insert_deduplicate in the user’s profile, and on replicas the macros {shard} and {replica}.',
    );
  return bad(
    `Of two inserts that were confirmed, ${rows === 0 ? 'none' : 'one'} can be read back: rows are lost, or replicas that answer don’t share them. Check the macros {shard} and {replica}, and CLICKHOUSE_CLUSTER.`,
  );
}

function refused(error: unknown): Outcome {
  if (isDenied(error)) return note(`Inserts could not be tried: ${reasonOf(error)}`);
  const code = exceptionCode(error);
  if (code !== null && NO_MAJORITY.has(code))
    return bad(
      'No majority of replicas confirms an insert: hits wait in the spool. Start the replicas that are down.',
    );
  return bad(`An insert fails: ${reasonOf(error)}`);
}

async function count({ warehouse }: Examined, { standing }: Known, probe: string): Promise<number> {
  if (standing === 'replicated') await warehouse.syncReplica('doctor_probe');
  const [row] = await warehouse.rows<{ n: string }>('live', {
    sql: 'SELECT toString(count()) AS n FROM doctor_probe WHERE probe = {probe:UUID}',
    params: { probe },
    settings: standing === 'replicated' ? { select_sequential_consistency: 1 } : {},
  });
  return Number(row?.n ?? 0);
}

const insertSettings = (token: string, { standing }: Known): Settings => ({
  async_insert: 0,
  insert_deduplication_token: token,
  ...(standing === 'replicated'
    ? { insert_deduplicate: 1, insert_quorum: 'auto', insert_quorum_timeout: 20_000 }
    : {}),
});

/** Proxies bound bodies (nginx: 1 MiB) and addresses (8 KiB). */
export const passage: Check = {
  name: 'passage',
  async run({ warehouse, clock }, known) {
    const found: Outcome[] = [];
    const probe = randomUUID();
    const row = `{"probe":"${probe}","n":3,"at":${clock()}}\n`;
    const body = Buffer.from(row.padEnd(LARGEST_BODY, ' '));
    try {
      await warehouse.insertRows('doctor_probe', insertSettings(`${probe}:3`, known), body);
    } catch (error) {
      if (!(error instanceof WarehouseUnavailable) || exceptionCode(error) !== null) return [];
      found.push(
        bad(
          `An insert of ${size(LARGEST_BODY)} does not pass: a proxy before the server bounds bodies, and batches of hits wait. Allow 16 MiB (nginx: client_max_body_size). ${reasonOf(error)}`,
        ),
      );
    }
    try {
      await warehouse.command(
        { sql: 'SELECT length({padding:String})', params: { padding: 'x'.repeat(LONGEST_PARAMETER) } },
        'live',
      );
    } catch (error) {
      found.push(
        bad(
          `A long address does not pass: a proxy before the server bounds them. Allow 8 KiB (nginx: large_client_header_buffers). ${reasonOf(error)}`,
        ),
      );
    }
    return found.length > 0
      ? found
      : [good(`Large inserts (${size(LARGEST_BODY)}) and long addresses reach the server.`)];
  },
};
