/**
 * Two nodes with their spool in PostgreSQL, on one warehouse. In each round one of them is killed with SIGKILL under load, its data directory is
 * deleted, and another node takes its place. What was answered 2xx by any of them is stored exactly once. Used by the test (2 rounds) and by
 * `npm run crash -- --only nodes`.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestDatabases } from '../../packages/server/src/database/testing.ts';
import { startStandIn } from '../harness/clickhouse.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { between, compare, freshPaths, rayOf, uploadOf } from './rounds.ts';

export interface NodesReport {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly stored: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

const LIFE_MS = { min: 100, max: 900 };
const POSTERS = 6;
const ARRAY_HITS = 20;
const UPLOAD_LINES = 700;
/** A batch whose claim died with its node is refused until the claim's lease has ended; its sender gives up after so many tries. */
const UPLOAD_TRIES = 4;
const AWAY_MS = 20;
/** A node shares the machine with the load, with PostgreSQL and with ClickHouse: it may come up too late. */
const START_TRIES = 3;
/** Between two requests of a sender: the nodes' starts are to get their share of the machine. */
const PACE_MS = 100;
const UPLOAD_PACE_MS = 500;
/** Longer than it takes until a node has the counts of the others. */
const LOOK_MS = 2_500;
const DRAIN_MS = 120_000;

interface Load {
  readonly nodes: TestService[];
  readonly key: string;
  readonly property: string;
  readonly acknowledged: Set<string>;
  stopped: boolean;
}

/** @param progress called after each round */
export async function nodeRounds(
  rounds: number,
  progress: (round: number, acknowledged: number) => void,
): Promise<NodesReport> {
  const [databases, clickhouse] = await Promise.all([openTestDatabases(), startStandIn({ migrated: true })]);
  const backend = databases.backends.find(({ name }) => name === 'postgres');
  if (backend === undefined) throw new Error('there is no PostgreSQL');
  const database = await backend.fresh();
  const nodes: TestService[] = [];
  const startNode = async (tries = START_TRIES): Promise<TestService> => {
    const node = new TestService({
      ...{ DATABASE_URL: database.url ?? '', CLICKHOUSE_URL: clickhouse.url },
      ...{ SECRET_KEY: 'k'.repeat(32), SPOOL: 'postgres' },
    });
    try {
      return await node.start();
    } catch (error) {
      await node.dispose();
      if (tries <= 1) throw error;
      return await startNode(tries - 1);
    }
  };
  try {
    await clickhouse.open();
    nodes.push(await startNode(), await startNode());
    const { id, key } = await (nodes[0] as TestService).property();
    const acknowledged = new Set<string>();
    const load: Load = { nodes, key, property: id, acknowledged, stopped: false };
    const senders = Array.from({ length: POSTERS + 1 }, (_, index) =>
      index === POSTERS ? uploadBatches(load) : postHits(load, index),
    );
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(between(LIFE_MS));
      const index = round % nodes.length;
      // Its data directory goes with it.
      await nodes[index]?.dispose();
      nodes[index] = await startNode();
      progress(round, acknowledged.size);
    }
    load.stopped = true;
    await Promise.all(senders);
    const node = nodes[0] as TestService;
    const counts = await drained(node);
    const found = await compare(node, id, acknowledged);
    assert.equal(found.rows, counts.stored, 'the nodes count as stored what is there');
    return { rounds, acknowledged: acknowledged.size, ...found };
  } finally {
    await Promise.all(nodes.map((node) => node.dispose()));
    await clickhouse.dispose();
    await database.remove();
    await databases.close();
  }
}

type Counts = Record<
  | 'received'
  | 'kept'
  | 'dropped'
  | 'rejected'
  | 'duplicate'
  | 'stored'
  | 'unstorable'
  | 'late_duplicate'
  | 'lost',
  number
>;

/**
 * Waits until nothing is left in the spool, then asserts the law over all nodes, those that are gone included. A node counts itself at once
 * and reads the others' counts once a second, so an answer counts when it repeats.
 */
async function drained(node: TestService): Promise<Counts> {
  const deadline = Date.now() + DRAIN_MS;
  let before = '';
  for (;;) {
    const { body } = await node.api('GET', '/api/v1/spool');
    const { pending_rows, all_nodes: counts } = body as { pending_rows: number; all_nodes: Counts };
    const { received, kept, dropped, rejected, duplicate } = counts;
    const now = JSON.stringify(counts);
    if (pending_rows === 0 && now === before) {
      assert.equal(received, kept + dropped + rejected + duplicate, now);
      assert.equal(kept, counts.stored + counts.late_duplicate, now);
      return counts;
    }
    if (Date.now() > deadline) throw new Error(`rows still wait: ${JSON.stringify(body)}`);
    before = now;
    await sleep(LOOK_MS);
  }
}

/** Single hits and small arrays, sent to one node after the other until one has taken them. */
async function postHits(load: Load, index: number): Promise<void> {
  for (let turn = index; !load.stopped; turn += 1) {
    const paths = freshPaths(index === 0 ? ARRAY_HITS : 1);
    const hits = paths.map((pathname) => workerHit({ pathname, ray_id: rayOf(pathname) }));
    const body = Buffer.from(JSON.stringify(hits));
    // To the end, also after the last kill: what was cut off is sent again, and counts once.
    for (let at = turn; !(await send(load, at, '/v1/logs/edge_worker', body, paths)); at += 1)
      await sleep(AWAY_MS);
    await sleep(PACE_MS);
  }
}

async function uploadBatches(load: Load): Promise<void> {
  for (let turn = 0; !load.stopped; turn += 1) {
    const paths = freshPaths(UPLOAD_LINES);
    const body = uploadOf(paths);
    for (let at = turn; at < turn + UPLOAD_TRIES; at += 1) {
      if (await send(load, at, `/v1/logs/edge_logpush?attribution_id=${load.property}`, body, paths)) break;
      await sleep(AWAY_MS);
    }
    await sleep(UPLOAD_PACE_MS);
  }
}

/** @returns whether it was answered 2xx; then it is written down as acknowledged */
async function send(
  { nodes, key, acknowledged }: Load,
  turn: number,
  path: string,
  body: Uint8Array,
  paths: readonly string[],
): Promise<boolean> {
  try {
    const response = await fetch(`${nodes[turn % nodes.length]?.address}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key },
      body: new Uint8Array(body),
    });
    await response.body?.cancel();
    if (!response.ok) return false;
    for (const acknowledgedPath of paths) acknowledged.add(acknowledgedPath);
    return true;
  } catch {
    return false;
  }
}
