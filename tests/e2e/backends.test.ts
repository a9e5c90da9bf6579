/** Two nodes on one PostgreSQL: what one does, the other knows; what only one may do, one does. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openTestDatabases,
  type TestDatabase,
  type TestDatabases,
} from '../../packages/server/src/database/testing.ts';
import { type Accounts, accounts, expectConservation } from '../harness/conservation.ts';
import { pushLine } from '../harness/lines.ts';
import { expectQuick } from '../harness/quick.ts';
import { TestService, workerHit } from '../harness/service.ts';

const SECRET_KEY = 'k'.repeat(40);

let databases: TestDatabases;
let home: TestDatabase;
let environment: Record<string, string>;
let one: TestService;
let two: TestService;
let property: { id: string; key: string; keyId: string };

beforeAll(async () => {
  databases = await openTestDatabases();
  const postgres = databases.backends.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('there is no PostgreSQL');
  home = await postgres.fresh({ empty: true });
  environment = { DATABASE_URL: home.url ?? '', SECRET_KEY };
  one = new TestService(environment);
  two = new TestService(environment);
  // Both at once on an empty database: one migrates, the other waits its turn.
  await Promise.all([one.start(), two.start()]);
  property = await one.property();
});
afterAll(async () => {
  await one.dispose();
  await two.dispose();
  await home.remove();
  await databases.close();
});

/** For what comes in moments, on a machine that may be busy. */
const LONG_MS = 15_000;

/** @returns the milliseconds until it holds */
async function within(ms: number, holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > ms) throw new Error(`not within ${ms} ms`);
    await sleep(50);
  }
  return performance.now() - began;
}

const upload = async (node: TestService, lines: string): Promise<number> => {
  const { status } = await node.call('POST', `/v1/logs/edge_logpush?attribution_id=${property.id}`, {
    headers: { 'X-API-Key': property.key },
    body: new Uint8Array(gzipSync(lines)),
  });
  return status;
};

async function both(): Promise<{ one: Accounts; two: Accounts; kept: number; stored: number }> {
  const first = await expectConservation(one);
  const second = await expectConservation(two);
  return { one: first, two: second, kept: first.kept + second.kept, stored: first.stored + second.stored };
}

describe('two nodes on one database', () => {
  it('take the same keys: one that was issued on one node works on the other within a second', async () => {
    expect((await two.hits(property.key, workerHit())).status).toBe(204);
    // Also one that the other node has just refused, because it had not been issued yet.
    await expectQuick(1_000, async () => {
      const { body } = await one.api('POST', '/api/v1/ingest-keys', {
        name: 'Fresh',
        provider: 'edge_worker',
        attribution_id: property.id,
      });
      const { id, key } = body as { id: string; key: string };
      const known = await within(LONG_MS, async () => (await two.hits(key, workerHit())).status === 204);

      expect((await one.hits(key, workerHit())).status).toBe(204);
      expect((await one.api('DELETE', `/api/v1/ingest-keys/${id}`)).status).toBe(204);
      const revoked = await within(LONG_MS, async () => (await one.hits(key, [])).status === 401);
      const elsewhere = await within(LONG_MS, async () => (await two.hits(key, [])).status === 401);
      const listed = await two.api('GET', '/api/v1/ingest-keys');
      expect(JSON.stringify(listed.body)).not.toContain(key);
      // The other node may take five seconds.
      return Math.max(known, revoked, elsewhere / 5);
    });
  });

  it('take a property that is made on one node, and stop when it is deleted on the other', async () => {
    const made = await two.property('Second shop', 'second.example');
    expect((await one.hits(made.key, workerHit())).status).toBe(204);
    expect((await one.api('DELETE', `/api/v1/properties/${made.id}`)).status).toBe(204);
    await within(LONG_MS, async () => (await two.hits(made.key, workerHit())).status !== 204);
  });

  it('share a sign-in', async () => {
    const signIn = await one.call('POST', '/api/v1/session', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: 'harness-admin-token-0123456789' }),
    });
    const Cookie = (signIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    expect((await two.call('GET', '/api/v1/session', { headers: { Cookie } })).status).toBe(200);
  });

  it('take a log push batch once, though both get it at the same moment and again afterwards', async () => {
    const before = await both();
    const lines = 12;
    const rounds = 8;
    for (let round = 0; round < rounds; round += 1) {
      const batch = Array.from({ length: lines }, () =>
        pushLine({ ClientRequestURI: `/backends/${randomUUID()}` }),
      );
      const body = batch.join('\n');
      const statuses = await Promise.all([upload(one, body), upload(two, body)]);
      expect(statuses.filter((status) => status === 204).length).toBeGreaterThan(0);
      expect(statuses.every((status) => status === 204 || status === 503)).toBe(true);
      // The platform delivers again what was not taken.
      await within(LONG_MS, async () => (await upload(one, body)) === 204);
      await within(LONG_MS, async () => (await upload(two, body)) === 204);
    }
    const after = await both();
    expect(after.kept - before.kept).toBe(lines * rounds);
    expect(after.stored - before.stored).toBe(lines * rounds);
  });

  it('record an event once that reached both, and match a conversion on either', async () => {
    const send = async (node: TestService, n: number): Promise<number> => {
      const event = {
        event_name: 'page_view',
        event_id: `both-${n}`,
        attribution_id: property.id,
        visitor_id: `visitor-${n}`,
        session_id: 'session',
        session_start: true,
        page_location: 'https://shop.example/?utm_source=news&utm_medium=email',
      };
      const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x64) Chrome/131.0.0.0 Safari/537.36' };
      return (await node.call('POST', '/api/events', { headers, body: JSON.stringify(event) })).status;
    };
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const statuses = await Promise.all(numbers.flatMap((n) => [send(one, n), send(two, n)]));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const sum = async (name: string): Promise<number> => {
      const metrics = await Promise.all([one.metrics(), two.metrics()]);
      return metrics.reduce((total, samples) => total + (samples.get(name) ?? 0), 0);
    };
    await within(20_000, async () => (await sum('ghostlight_events_stored_total{stage="database"}')) === 40);
    await within(20_000, async () => (await sum('ghostlight_events_pending_rows{stage="warehouse"}')) === 0);
    expect(await sum('ghostlight_events_stored_total{stage="warehouse"}')).toBe(20);
    expect(await sum('ghostlight_events_dropped_total{reason="repeated"}')).toBe(20);

    const path = `/api/v1/properties/${property.id}`;
    await one.api('PUT', `${path}/webhooks`, { enabled: true });
    const { body } = await one.api('POST', `${path}/webhook-keys`, { name: 'Shop' });
    const { key } = body as { key: string };
    for (const [node, order] of [
      [one, 'A-1'],
      [two, 'A-2'],
    ] as const) {
      const post = () =>
        node.call('POST', `/webhooks/custom/${property.id}/lead`, {
          headers: { Authorization: `Bearer ${key}` },
          body: JSON.stringify({ visitor_id: 'visitor-7', conversion_id: order }),
        });
      // The other node may not know for some moments that receiving is enabled.
      await within(LONG_MS, async () => (await post()).status === 200);
      expect((await post()).body).toMatchObject({ session_matched: true, duplicate: true });
    }
  });

  it('go on when one of them is killed, and the batch it was taking is free when it is back', async () => {
    const before = await accounts(two);
    const stop = new AbortController();
    const batches = Array.from({ length: 40 }, () =>
      pushLine({ ClientRequestURI: `/killed/${randomUUID()}` }),
    );
    const sending = batches.map((body) => upload(one, body).catch(() => 0));
    await sleep(60);
    await one.stop('SIGKILL');
    stop.abort();
    const first = await Promise.all(sending);
    expect((await two.hits(property.key, workerHit({ pathname: '/survivor' }))).status).toBe(204);
    await one.start();
    for (const body of batches) {
      await within(LONG_MS, async () => (await upload(two, body)) === 204);
      expect(await upload(one, body)).toBe(204);
    }
    expect(first.every((status) => [0, 204, 503].includes(status))).toBe(true);
    const now = await both();
    const paths = new Map<string, number>();
    for (const node of [one, two]) {
      const { body } = await node.api('GET', `/api/v1/properties/${property.id}/hits?format=ndjson`);
      for (const line of String(body).split('\n').filter(Boolean)) {
        const { path } = JSON.parse(line) as { path: string };
        if (path.startsWith('/killed/')) paths.set(path, (paths.get(path) ?? 0) + 1);
      }
    }
    expect(paths.size).toBe(batches.length);
    expect([...paths.values()].every((count) => count === 1)).toBe(true);
    expect(now.two.received).toBeGreaterThan(before.received);
  });
});

describe('a node that does not belong', () => {
  const stranger = new TestService();
  afterAll(async () => {
    await stranger.dispose();
  });

  it('is refused without SECRET_KEY or ADMIN_TOKEN, with the reason', async () => {
    for (const missing of ['SECRET_KEY', 'ADMIN_TOKEN']) {
      const { code, stderr } = await stranger.run(['serve'], { ...environment, [missing]: '' });
      expect(code).toBe(1);
      expect(stderr).toMatch(new RegExp(`^${missing}: must be given when DATABASE_URL is set`));
    }
  });

  it('is refused with another SECRET_KEY', async () => {
    const wrong = await stranger.run(['serve'], { ...environment, SECRET_KEY: 'w'.repeat(40) });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('SECRET_KEY');
    expect(wrong.stderr).not.toContain('wwww');
    expect(wrong.stderr).not.toMatch(/^ +at /m);
    expect(one.alive && two.alive).toBe(true);
  });

  it('gets one sentence that says which store refuses it', async () => {
    const stores: [string, string, RegExp][] = [
      ['DATABASE_URL', 'postgres://u:hunter2@127.0.0.1:1/none', /ECONNREFUSED/],
      ['DATABASE_URL', (home.url ?? '').replace(/:[^:@]+@/, ':hunter2@'), /28P01/],
    ];
    for (const [variable, url, code] of stores) {
      const answer = await stranger.run(['serve'], { ...environment, LOG_LEVEL: 'fatal', [variable]: url });
      expect(answer.code).toBe(1);
      expect(answer.stderr).toMatch(new RegExp(`^${variable}: the store does not answer`));
      expect(answer.stderr).toMatch(code);
      expect(answer.stderr.trim().split('\n')).toHaveLength(1);
      expect(answer.stderr).not.toContain('hunter2');
    }
  });
});
