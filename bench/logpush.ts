/**
 * Log push: a million lines against `gunzip` alone in the same process, how responsive the event loop stays meanwhile, and what a
 * 1 GiB upload does to memory. The service runs in this process, so that its loop can be watched; the upload comes from another.
 */
import { execFile } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { readConfig } from '../packages/server/src/config.ts';
import { OUTPUT_CHUNK } from '../packages/server/src/ingest/upload/inflated.ts';
import { createService, type Service } from '../packages/server/src/service.ts';
import { type Figure, median, thousands } from './harness.ts';

const LINES = 1_000_000;
const ROUNDS = 3;
const TENANTS = 8;
const RESOLUTION_MS = 5;
const MIB = 1024 ** 2;
const LARGE_BYTES = 1024 * MIB;
/** The yardstick gets the chunks that the service gives its gunzip; Node's own flatter us and are printed next to it. */
const NODE_CHUNK = 16 * 1024;

export async function logpush(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-bench-'));
  const service = await createService(
    readConfig({ DATA_DIR: join(directory, 'data'), PORT: '0', LOG_LEVEL: 'error', LISTS_REFRESH: 'off' }),
    { listen: true },
  );
  try {
    const target = await uploadTarget(service);
    // First, while the process is as small as after its start: later its heap has already grown.
    const small = join(directory, 'small.gz');
    await writeLines(small, { lines: 20_000, bytes: LARGE_BYTES }, Date.now() - 30 * LINES);
    await upload(small, target);
    const large = join(directory, 'large.gz');
    await writeLines(large, { lines: 10 * LINES, bytes: LARGE_BYTES }, Date.now() - 20 * LINES);
    const peak = await peakMemory(() => upload(large, target));
    rmSync(large);
    const ratios: number[] = [];
    const ratiosToDefault: number[] = [];
    const ratiosToGrep: number[] = [];
    const rates: number[] = [];
    const lags: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // A fresh body each round: a batch taken before is answered without being stored.
      const file = join(directory, `lines-${round}.gz`);
      await writeLines(file, { lines: LINES, bytes: LARGE_BYTES }, Date.now() - round * LINES - LINES);
      const alone = await timed(() => gunzipAlone(file, OUTPUT_CHUNK));
      const aloneByDefault = await timed(() => gunzipAlone(file, NODE_CHUNK));
      const grep = await timed(() => grepAlone(file));
      const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      delay.enable();
      const ours = await timed(() => upload(file, target));
      delay.disable();
      ratiosToGrep.push(grep / ours);
      ratios.push(alone / ours);
      ratiosToDefault.push(aloneByDefault / ours);
      rates.push(LINES / (ours / 1_000));
      lags.push(lagOf(delay));
    }
    const crowded = await eightTenants(service, directory);
    return [
      {
        what: 'log push, 3% AI lines, against gunzip alone',
        measured: `${median(ratios).toFixed(2)}× (${median(ratiosToDefault).toFixed(2)}× with Node’s default chunks)`,
        target: '≥ 0.6×',
        holds: median(ratios) >= 0.6,
      },
      {
        what: 'the same, against `zcat | grep` for one bot',
        measured: `${median(ratiosToGrep).toFixed(2)}×`,
        target: '≥ 1×',
        holds: median(ratiosToGrep) >= 1,
      },
      {
        what: 'log push',
        measured: `${thousands(median(rates))} lines/s`,
        target: '≥ 650,000 lines/s',
        holds: median(rates) >= 650_000,
      },
      {
        what: `event loop p99 lag during a ${thousands(LINES)}-line upload`,
        measured: `${median(lags).toFixed(1)} ms`,
        target: '< 20 ms',
        holds: median(lags) < 20,
      },
      {
        what: `the same while ${TENANTS} tenants send as many at once`,
        measured: `${crowded.toFixed(1)} ms`,
        target: '< 20 ms',
        holds: crowded < 20,
      },
      {
        what: 'memory above idle during a 1 GiB upload',
        measured: `${Math.round(peak / MIB)} MB`,
        target: '< 150 MB',
        holds: peak / MIB < 150,
      },
    ];
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Milliseconds, beyond the clock's own resolution. */
const lagOf = (delay: ReturnType<typeof monitorEventLoopDelay>): number =>
  delay.percentile(99) / 1e6 - RESOLUTION_MS;

/** The event loop's p99 lag while each of them uploads. */
async function eightTenants(service: Service, directory: string): Promise<number> {
  const file = join(directory, 'tenants.gz');
  await writeLines(file, { lines: LINES, bytes: LARGE_BYTES }, Date.now() - LINES);
  const targets: string[] = [];
  for (let tenant = 0; tenant < TENANTS; tenant += 1)
    targets.push(await uploadTarget(service, `Tenant ${tenant}`));
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  await Promise.all(targets.map((target) => upload(file, target)));
  delay.disable();
  return lagOf(delay);
}

/** @param organization whose property it is; empty: the first one's */
async function uploadTarget(service: Service, organization = ''): Promise<string> {
  let scope = '';
  const call = async (path: string, body: object) => {
    const response = await service.fetch(
      new Request(`${service.address}${path}${scope}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${service.adminToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    return (await response.json()) as { id: string; key: string };
  };
  if (organization !== '')
    scope = `?organization=${(await call('/api/v1/organizations', { name: organization })).id}`;
  const { id } = await call('/api/v1/properties', { name: 'Bench', domain: 'shop.example' });
  const { key } = await call('/api/v1/ingest-keys', {
    name: 'Bench',
    provider: 'edge_logpush',
    attribution_id: id,
  });
  return `${service.address}/v1/logs/edge_logpush?attribution_id=${id}&header_X-API-Key=${key}`;
}

async function writeLines(
  file: string,
  bounds: { lines: number; bytes: number },
  start: number,
): Promise<void> {
  const script = fileURLToPath(new URL('./write-lines.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [
    script,
    file,
    String(bounds.lines),
    String(bounds.bytes),
    String(start),
  ]);
}

function gunzipAlone(file: string, chunkSize: number): Promise<void> {
  const sink = new Writable({ highWaterMark: MIB, write: (_chunk, _encoding, done) => done() });
  return pipeline(createReadStream(file), createGunzip({ chunkSize }), sink);
}

/** What an administrator does who looks for a crawler. */
async function grepAlone(file: string): Promise<void> {
  await promisify(execFile)('bash', ['-c', `zcat '${file}' | grep -c GPTBot`]);
}

/** Posts the file from a process of its own and expects 204. */
async function upload(file: string, target: string): Promise<void> {
  const script = fileURLToPath(new URL('./upload.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, target]);
  if (stdout.trim() !== '204') throw new Error(`the upload was answered ${stdout.trim()}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Bytes of resident memory above what the process held before, at the highest. */
async function peakMemory(work: () => Promise<void>): Promise<number> {
  await sleep(2_000);
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(timer);
  return peak - idle;
}
