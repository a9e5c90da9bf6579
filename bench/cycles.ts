/**
 * Processor time of one hit, by process and thread, from its first byte until it is stored and merged (Linux). Every change that promises to
 * be faster is measured by this table: the machine is full, so a hit that costs less is the only way to more of them.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { accounts, expectConservation } from '../tests/harness/conservation.ts';
import { TestService, workerHit } from '../tests/harness/service.ts';
import { expectOnly, type Figure, load } from './harness.ts';
import { ThreadTimes, type Time } from './thread-times.ts';

const SECONDS = 6;
/** The engine goes on merging what was inserted. */
const MERGING_MS = 5_000;
const LOG_LINES = 1_000_000;
const DRAIN_MS = 180_000;

/** What a thread's name means, first match. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^service node-Main/, 'main thread'],
  [/^service WorkerThread/, 'spool and checkpoints'],
  [/^service (node-)?V8Worker/, 'V8: garbage and compiling'],
  [/^service /, 'zlib, files and others'],
  [/^engine Merge/, 'engine: merges'],
  [/^engine node-Main/, 'engine: HTTP and protocol'],
  [/^engine /, 'engine: inserts and the rest'],
];

interface Account {
  readonly name: string;
  /** Hits or lines. */
  readonly hits: number;
  /** Part → seconds. */
  readonly parts: ReadonlyMap<string, Time>;
  /** Seconds of garbage collection, within the main thread's and V8's. */
  readonly garbage: number;
}

export async function cycles(): Promise<Figure[]> {
  const hundred = JSON.stringify(
    Array.from({ length: 100 }, (_, index) => workerHit({ pathname: `/page/${index}` })),
  );
  const loads = [
    await account(
      'posts of one hit',
      async (service) => await post(service, JSON.stringify([workerHit()]), 64),
    ),
    await account('posts of 100 hits', async (service) => await post(service, hundred, 16)),
    await account('log push, 3% AI lines', pushLog),
  ];
  for (const one of loads) printAccount(one);
  const [single, array, line] = loads.map((one) => (total(one) / one.hits) * 1e6);
  return [
    figure('processor time of a hit posted alone, all processes', single, 60),
    figure('the same, posted in an array of 100', array, 16),
    figure('the same, a line of log push, 3% AI lines', line, 3),
  ];
}

/** Runs a load on a service of its own and counts until all is stored. @param run resolves when the last answer has come */
async function account(name: string, run: (service: TestService) => Promise<void>): Promise<Account> {
  const service = new TestService();
  try {
    await service.start();
    const { key } = await service.property();
    // What is compiled at the first use is not a hit's.
    await load({ ...requestOf(service, key, JSON.stringify([workerHit()])), connections: 16, seconds: 2 });
    await expectConservation(service, DRAIN_MS);
    const before = await accounts(service);
    const garbage = await garbageOf(service);
    const times = new ThreadTimes({ service: service.pid, engine: service.warehousePid });
    await run(service);
    const after = await expectConservation(service, DRAIN_MS);
    await sleep(MERGING_MS);
    const parts = new Map<string, Time>();
    for (const [thread, { user, kernel }] of times.stop()) {
      const part = PARTS.find(([pattern]) => pattern.test(thread))?.[1] ?? thread;
      const sum = parts.get(part) ?? { user: 0, kernel: 0 };
      parts.set(part, { user: sum.user + user, kernel: sum.kernel + kernel });
    }
    return {
      name,
      hits: after.received - before.received,
      parts,
      garbage: (await garbageOf(service)) - garbage,
    };
  } finally {
    await service.dispose();
  }
}

const requestOf = (service: TestService, key: string, body: string) => ({
  path: '/v1/logs/edge_worker',
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  port: Number(new URL(service.address).port),
  body,
});

async function post(service: TestService, body: string, connections: number): Promise<void> {
  const { key } = await service.property('Posts', 'posts.example');
  expectOnly(await load({ ...requestOf(service, key, body), connections, seconds: SECONDS }), '204');
}

async function pushLog(service: TestService): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-bench-'));
  const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const node = async (...words: string[]) => (await promisify(execFile)(process.execPath, words)).stdout;
  try {
    const file = join(directory, 'lines.gz');
    await node(
      script('./write-lines.ts'),
      file,
      String(LOG_LINES),
      String(1024 ** 3),
      String(Date.now() - LOG_LINES),
    );
    const { id } = await service.property('Log', 'shop.example');
    const key = await service.api('POST', '/api/v1/ingest-keys', {
      ...{ name: 'Log', provider: 'edge_logpush', attribution_id: id },
    });
    const target = `${service.address}/v1/logs/edge_logpush?attribution_id=${id}&header_X-API-Key=${(key.body as { key: string }).key}`;
    const answer = (await node(script('./upload.ts'), file, target)).trim();
    if (answer !== '204') throw new Error(`the upload was answered ${answer}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Seconds that the service has spent collecting garbage. */
async function garbageOf(service: TestService): Promise<number> {
  return [...(await service.metrics())]
    .filter(([name]) => name.startsWith('ghostlight_nodejs_gc_duration_seconds_sum'))
    .reduce((sum, [, seconds]) => sum + seconds, 0);
}

const total = ({ parts }: Account): number =>
  [...parts.values()].reduce((sum, { user, kernel }) => sum + user + kernel, 0);

function printAccount(one: Account): void {
  const micro = (seconds: number) => ((seconds / one.hits) * 1e6).toFixed(2);
  const all = total(one);
  const share = (seconds: number) => `${((seconds / all) * 100).toFixed(0)}%`;
  const rows = [...one.parts].sort(([, a], [, b]) => b.user + b.kernel - a.user - a.kernel);
  console.log(
    `${one.name}: ${one.hits.toLocaleString('en-US')}, each took ${micro(all)} µs of processor time`,
  );
  console.log('| thread | µs | of it kernel | share |\n|---|---|---|---|');
  for (const [part, { user, kernel }] of rows)
    console.log(`| ${part} | ${micro(user + kernel)} | ${micro(kernel)} | ${share(user + kernel)} |`);
  console.log(`| (garbage, within the service’s) | ${micro(one.garbage)} | | ${share(one.garbage)} |\n`);
}

const figure = (what: string, micro = Number.NaN, goal: number): Figure => ({
  what,
  measured: `${micro.toFixed(1)} µs`,
  target: `≤ ${goal} µs`,
  holds: micro <= goal,
});
