/**
 * The promise, tried the hard way: the process is killed with SIGKILL again and again under load, in every third round the warehouse child
 * before it, and every hit that was answered 2xx is stored exactly once. What was cut off is sent again, as collector and Cloudflare do,
 * and counts once too. Used by the test (12 rounds) and by `npm run crash` (300).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expectConservation } from '../harness/conservation.ts';
import { TestService, workerHit } from '../harness/service.ts';

export interface CrashReport {
  rounds: number;
  /** How often the warehouse child alone was killed, while the service lived on. */
  warehouseKills: number;
  /** Hits answered 2xx. */
  acknowledged: number;
  /** Distinct hits found stored; the surplus were cut off before their answer. */
  stored: number;
  /** Rows found stored, which the service's own count must equal. */
  rows: number;
  lost: string[];
  doubled: string[];
}

/** Shortest and longest life of the process under load, milliseconds. */
const LIFE_MS = { min: 30, max: 700 };
/** After the warehouse child was killed: long enough, now and then, for the next one to be up and half-way through the backlog. */
const LIFE_AFTER_WAREHOUSE_MS = { min: 30, max: 1_500 };
const WAREHOUSE_ROUNDS = 3;
const POSTERS = 6;
const ARRAY_HITS = 20;
const UPLOAD_LINES = 40;
/** Keeps one poster from spinning while the service is down. */
const AWAY_MS = 20;

interface Load {
  readonly service: TestService;
  readonly key: string;
  readonly property: string;
  readonly acknowledged: Set<string>;
  readonly signal: AbortSignal;
}

/** What was cut off and is sent again: `null`, or the request as it was. */
interface Sender {
  unanswered: { body: Uint8Array; paths: readonly string[] } | null;
}

/** @param progress called after each round */
export async function crashRounds(
  rounds: number,
  progress: (round: number, acknowledged: number) => void,
): Promise<CrashReport> {
  const service = new TestService();
  const acknowledged = new Set<string>();
  const senders = Array.from({ length: POSTERS + 1 }, (): Sender => ({ unanswered: null }));
  let warehouseKills = 0;
  try {
    await service.start();
    const { id, key } = await service.property();
    for (let round = 1; round <= rounds; round += 1) {
      const stop = new AbortController();
      const load = { service, key, property: id, acknowledged, signal: stop.signal };
      const posting = senders.map((sender, index) =>
        index === POSTERS ? uploadBatches(load, sender) : postHits(load, sender, index),
      );
      await sleep(between(LIFE_MS));
      if (round % WAREHOUSE_ROUNDS === 0 && service.signalWarehouse('SIGKILL')) {
        warehouseKills += 1;
        await sleep(between(LIFE_AFTER_WAREHOUSE_MS));
      }
      await service.stop('SIGKILL');
      stop.abort();
      await Promise.all(posting);
      await service.start();
      progress(round, acknowledged.size);
    }
    await sendRest(
      { service, key, property: id, acknowledged, signal: new AbortController().signal },
      senders,
    );
    const { stored } = await expectConservation(service, 60_000);
    const found = await compare(service, id, acknowledged);
    if (found.rows !== stored)
      throw new Error(`the service counts ${stored} stored hits, ${found.rows} are there`);
    return { rounds, warehouseKills, acknowledged: acknowledged.size, ...found };
  } finally {
    await service.dispose();
  }
}

export function between({ min, max }: { min: number; max: number }): number {
  return min + Math.random() * (max - min);
}

export function freshPaths(count: number): string[] {
  return Array.from({ length: count }, () => `/crash/${randomUUID()}`);
}

/** Single hits and small arrays, each hit named by its path and its ray; what was answered 2xx is written down. */
async function postHits(load: Load, sender: Sender, index: number): Promise<void> {
  await whileLoaded(load, sender, workerAddress(load), () => {
    const paths = freshPaths(index === 0 ? ARRAY_HITS : 1);
    const hits = paths.map((pathname) => workerHit({ pathname, ray_id: rayOf(pathname) }));
    return { body: Buffer.from(JSON.stringify(hits)), paths };
  });
}

async function uploadBatches(load: Load, sender: Sender): Promise<void> {
  await whileLoaded(load, sender, uploadAddress(load), () => {
    const paths = freshPaths(UPLOAD_LINES);
    return { body: uploadOf(paths), paths };
  });
}

/** A batch of log push, compressed. */
export function uploadOf(paths: readonly string[]): Uint8Array {
  const lines = paths.map((path) =>
    JSON.stringify({
      EdgeStartTimestamp: new Date().toISOString(),
      ClientRequestHost: 'shop.example',
      ClientRequestMethod: 'GET',
      ClientRequestURI: path,
      ClientRequestUserAgent: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
      ClientIP: '198.51.100.9',
      EdgeResponseStatus: 200,
      EdgeResponseBytes: 10,
    }),
  );
  return gzipSync(lines.join('\n'));
}

async function whileLoaded(
  load: Load,
  sender: Sender,
  address: string,
  next: () => { body: Uint8Array; paths: readonly string[] },
): Promise<void> {
  while (!load.signal.aborted) {
    sender.unanswered ??= next();
    if (!(await send(load, sender, address))) await sleep(AWAY_MS);
  }
}

/** @returns whether it was answered 2xx; then it is forgotten here and written down as acknowledged */
async function send(load: Load, sender: Sender, address: string): Promise<boolean> {
  if (sender.unanswered === null) return true;
  const { body, paths } = sender.unanswered;
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'X-API-Key': load.key },
      body: new Uint8Array(body),
      signal: load.signal,
    });
    await response.body?.cancel();
    if (!response.ok) return false;
    for (const path of paths) load.acknowledged.add(path);
    sender.unanswered = null;
    return true;
  } catch {
    // Cut off by the kill: not acknowledged, so it may be stored once or not at all until it is sent again.
    return false;
  }
}

/** The last cut-off requests of every sender, so that the redelivery after the last kill is tried too. */
async function sendRest(load: Load, senders: readonly Sender[]): Promise<void> {
  for (const [index, sender] of senders.entries()) {
    const address = index === POSTERS ? uploadAddress(load) : workerAddress(load);
    if (!(await send(load, sender, address)))
      throw new Error('a redelivery was not taken after the last start');
  }
}

function workerAddress({ service }: Load): string {
  return `${service.address}/v1/logs/edge_worker`;
}

function uploadAddress({ service, property }: Load): string {
  return `${service.address}/v1/logs/edge_logpush?attribution_id=${property}`;
}

/** What makes a hit that is sent twice one hit. */
export function rayOf(path: string): string {
  return path.slice('/crash/'.length).replaceAll('-', '').slice(0, 16);
}

/** Every acknowledged hit is to be there once. */
export async function compare(
  service: TestService,
  property: string,
  acknowledged: ReadonlySet<string>,
): Promise<{ stored: number; rows: number; lost: string[]; doubled: string[] }> {
  const { body } = await service.api('GET', `/api/v1/properties/${property}/hits?format=ndjson`);
  const counts = new Map<string, number>();
  let rows = 0;
  for (const line of String(body).split('\n')) {
    if (line === '') continue;
    const { path } = JSON.parse(line) as { path: string };
    counts.set(path, (counts.get(path) ?? 0) + 1);
    rows += 1;
  }
  return {
    stored: counts.size,
    rows,
    lost: [...acknowledged].filter((path) => !counts.has(path)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([path]) => path),
  };
}
