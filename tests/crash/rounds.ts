/**
 * The promise, tried the hard way: the process is killed with SIGKILL again and again under load, and every hit that was answered 2xx is
 * stored exactly once. Used by the test (20 rounds) and by `npm run crash` (300).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expectConservation } from '../harness/conservation.ts';
import { TestService, workerHit } from '../harness/service.ts';

export interface CrashReport {
  rounds: number;
  /** Hits answered 2xx. */
  acknowledged: number;
  /** Distinct hits found stored; the surplus were cut off before their answer. */
  stored: number;
  lost: string[];
  doubled: string[];
}

/** Shortest and longest life of the process under load, milliseconds. */
const LIFE_MS = { min: 30, max: 700 };
const POSTERS = 6;
const UPLOAD_LINES = 40;

/** @param progress told after each round */
export async function crashRounds(
  rounds: number,
  progress: (round: number, acknowledged: number) => void,
): Promise<CrashReport> {
  const service = new TestService();
  const acknowledged = new Set<string>();
  try {
    await service.start();
    const { id, key } = await service.property();
    for (let round = 1; round <= rounds; round += 1) {
      const stop = new AbortController();
      const load = [
        ...Array.from({ length: POSTERS }, (_, poster) =>
          postHits(service, key, poster, acknowledged, stop.signal),
        ),
        uploadBatches(service, key, id, acknowledged, stop.signal),
      ];
      await sleep(LIFE_MS.min + Math.random() * (LIFE_MS.max - LIFE_MS.min));
      await service.stop('SIGKILL');
      stop.abort();
      await Promise.all(load);
      await service.start();
      progress(round, acknowledged.size);
    }
    await expectConservation(service, 60_000);
    return { rounds, acknowledged: acknowledged.size, ...(await compare(service, id, acknowledged)) };
  } finally {
    await service.dispose();
  }
}

/** Single hits and small arrays, each hit named by its path; what was answered 2xx is written down. */
async function postHits(
  service: TestService,
  key: string,
  poster: number,
  acknowledged: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const paths = Array.from({ length: poster === 0 ? 20 : 1 }, () => `/crash/${randomUUID()}`);
    try {
      const response = await fetch(`${service.address}/v1/logs/edge_worker`, {
        method: 'POST',
        headers: { 'X-API-Key': key },
        body: JSON.stringify(paths.map((pathname) => workerHit({ pathname }))),
        signal,
      });
      if (response.ok) for (const path of paths) acknowledged.add(path);
      await response.body?.cancel();
    } catch {
      // Cut off by the kill: not acknowledged, so it may be stored once or not at all.
    }
  }
}

async function uploadBatches(
  service: TestService,
  key: string,
  property: string,
  acknowledged: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const paths = Array.from({ length: UPLOAD_LINES }, () => `/crash/${randomUUID()}`);
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
    try {
      const response = await fetch(
        `${service.address}/v1/logs/edge_logpush?attribution_id=${property}&header_X-API-Key=${key}`,
        { method: 'POST', body: gzipSync(lines.join('\n')), signal },
      );
      if (response.ok) for (const path of paths) acknowledged.add(path);
      await response.body?.cancel();
    } catch {
      // As above.
    }
  }
}

async function compare(
  service: TestService,
  property: string,
  acknowledged: ReadonlySet<string>,
): Promise<{ stored: number; lost: string[]; doubled: string[] }> {
  const { body } = await service.api('GET', `/api/v1/properties/${property}/hits?format=ndjson`);
  const counts = new Map<string, number>();
  for (const line of String(body).split('\n')) {
    if (line === '') continue;
    const { path } = JSON.parse(line) as { path: string };
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return {
    stored: counts.size,
    lost: [...acknowledged].filter((path) => !counts.has(path)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([path]) => path),
  };
}
