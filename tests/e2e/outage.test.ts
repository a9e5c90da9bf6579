/** When something is down: the warehouse stopped or killed, the spool full, the process asked to stop in the middle of its work. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { expectQuick } from '../harness/quick.ts';
import { head, rawRequest } from '../harness/raw.ts';
import { TestService, workerHit } from '../harness/service.ts';

/** The smallest spool that the configuration allows. */
const SPOOL_MAX_BYTES = 16 * 1024 ** 2;

const service = new TestService({ SPOOL_MAX_BYTES: String(SPOOL_MAX_BYTES) });
let property: { id: string; key: string };

beforeAll(async () => {
  await service.start();
  property = await service.property();
});
afterAll(async () => {
  await service.dispose();
});

/** Posts one hit per path. @returns the statuses */
async function post(paths: readonly string[], extra: Record<string, unknown> = {}): Promise<number> {
  const hits = paths.map((pathname) => workerHit({ pathname, ...extra }));
  return (await service.hits(property.key, hits)).status;
}

async function storedCounts(): Promise<Map<string, number>> {
  const { body } = await service.api('GET', `/api/v1/properties/${property.id}/hits?format=ndjson`);
  const counts = new Map<string, number>();
  for (const line of String(body).split('\n').filter(Boolean)) {
    const { path } = JSON.parse(line) as { path: string };
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

async function expectOnce(paths: readonly string[]): Promise<void> {
  await expectConservation(service, 60_000);
  const counts = await storedCounts();
  expect(paths.filter((path) => counts.get(path) !== 1)).toEqual([]);
}

async function until(what: string, holds: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(100);
  }
}

const gauge = async (name: string): Promise<number> => (await service.metrics()).get(name) ?? Number.NaN;
const ready = async () => await service.call('GET', '/readyz');

it('goes on taking hits while the warehouse hangs, says so, and stores them all afterwards', async () => {
  expect(service.signalWarehouse('SIGSTOP')).toBe(true);
  const paths = Array.from({ length: 20 }, () => `/hangs/${randomUUID()}`);
  for (const path of paths) expect(await post([path])).toBe(204);
  const { status, body } = await ready();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'degraded',
    checks: { spool: 'ok', database: 'ok', warehouse: 'failing' },
  });
  const first = await gauge('ghostlight_spool_oldest_seconds');
  await sleep(1_500);
  expect(await gauge('ghostlight_spool_oldest_seconds')).toBeGreaterThan(first + 1);
  expect(await gauge('ghostlight_spool_pending_rows')).toBe(paths.length);
  expect(service.signalWarehouse('SIGCONT')).toBe(true);
  await expectOnce(paths);
  await until(
    'ready again',
    async () => (await ready()).body !== null && (await gauge('ghostlight_spool_oldest_seconds')) === 0,
  );
  expect((await ready()).body).toMatchObject({ status: 'ready' });
});

it('starts the warehouse again when it was killed, as often as it is killed, and stores every hit once', async () => {
  const paths: string[] = [];
  for (let kill = 0; kill < 3; kill += 1) {
    for (let hit = 0; hit < 30; hit += 1) {
      const path = `/killed/${randomUUID()}`;
      expect(await post([path])).toBe(204);
      paths.push(path);
      if (hit === 10 * kill) service.signalWarehouse('SIGKILL');
    }
    const dead = service.warehousePid;
    expect((await ready()).status).toBe(200);
    await until(
      'a new warehouse child',
      async () => service.warehousePid !== dead || (await ready()).body !== null,
    );
  }
  await expectOnce(paths);
  expect((await ready()).body).toMatchObject({ status: 'ready' });
});

it('answers 503 before the body once the spool is full, and takes hits again when there is room', async () => {
  expect(service.signalWarehouse('SIGSTOP')).toBe(true);
  const paths: string[] = [];
  const large = {
    user_agent: `GPTBot/1.2 ${'u'.repeat(1_000)}`,
    referer: `https://r.example/${'r'.repeat(1_900)}`,
  };
  await until(
    'the spool is full',
    async () => {
      const batch = Array.from({ length: 100 }, () => `/full/${randomUUID()}/${'p'.repeat(3_500)}`);
      const status = await post(batch, large);
      if (status === 204) paths.push(...batch);
      else expect(status).toBe(503);
      return status === 503;
    },
    60_000,
  );
  expect(await gauge('ghostlight_spool_bytes')).toBeGreaterThan(SPOOL_MAX_BYTES);
  // Within a margin: the last group may be larger than the room that was left.
  expect(await gauge('ghostlight_spool_bytes')).toBeLessThan(2 * SPOOL_MAX_BYTES);

  const headers = [`X-API-Key: ${property.key}`, 'Content-Length: 900000'];
  const worker = await rawRequest(service.address, head('/v1/logs/edge_worker', headers));
  const upload = await rawRequest(
    service.address,
    head(`/v1/logs/edge_logpush?attribution_id=${property.id}`, headers),
  );
  for (const { status, text } of [worker, upload]) {
    expect(status).toBe(503);
    expect(text).toMatch(/^retry-after: \d+/im);
    expect(text).toContain('application/problem+json');
  }
  // A wrong key learns nothing about our disk.
  expect((await service.hits(`svc_cf_${'0'.repeat(43)}`, [])).status).toBe(401);
  const { status, body } = await ready();
  expect(status).toBe(503);
  expect(body).toMatchObject({ status: 'unavailable', checks: { spool: 'failing' } });

  expect(service.signalWarehouse('SIGCONT')).toBe(true);
  await until('it accepts again', async () => (await post([`/reopened/${randomUUID()}`])) === 204, 60_000);
  await expectOnce(paths);
  expect((await ready()).body).toMatchObject({ status: 'ready' });
});

it('stores everything that it acknowledged before and while it was asked to stop', async () => {
  const acknowledged: string[] = [];
  // Senders that never pause must not hold the stop up until they are cut off.
  await expectQuick(5_000, async (number) => {
    const stop = new AbortController();
    const posters = Array.from({ length: 8 }, async () => {
      while (!stop.signal.aborted) {
        const path = `/stopping/${randomUUID()}`;
        const status = await post([path]).catch(() => 0);
        if (status === 204) acknowledged.push(path);
        // A service that stops refuses connections; it never answers with a fault.
        else expect([0, 503]).toContain(status);
        if (status !== 204) await sleep(10);
      }
    });
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan((number + 1) * 20);
    const started = performance.now();
    expect(await service.stop('SIGTERM')).toBe(0);
    const took = performance.now() - started;
    stop.abort();
    await Promise.all(posters);
    await service.start();
    return took;
  });
  await expectOnce(acknowledged);
});

it('stops in time though the warehouse hangs, and stores what it held at the next start', async () => {
  expect(service.signalWarehouse('SIGSTOP')).toBe(true);
  const paths = Array.from({ length: 10 }, () => `/hung-stop/${randomUUID()}`);
  for (const path of paths) expect(await post([path])).toBe(204);
  const started = performance.now();
  expect(await service.stop('SIGTERM')).toBe(0);
  // Within what an orchestrator commonly grants.
  expect(performance.now() - started).toBeLessThan(30_000);
  await service.start();
  await expectOnce(paths);
});

it('takes over the data directory of a killed process, without any clean-up', async () => {
  await service.stop('SIGKILL');
  await service.start();
  expect(await post(['/after-kill'])).toBe(204);
  await expectOnce(['/after-kill']);
});
