/** What a newcomer meets first: the greeting of `npm start`, and `npm run demo`. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { TestService } from '../harness/service.ts';

describe('the first start', () => {
  const service = new TestService({ ADMIN_TOKEN: '' });
  afterAll(async () => {
    await service.dispose();
  });

  it('greets with the addresses and, once, with the admin token, which only the owner can read', async () => {
    await service.start();
    expect(service.log).toContain('Ghostlight 0.1.0 is on.');
    expect(service.log).toContain(`Dashboard     ${service.address}`);
    const token = readFileSync(join(service.dataDir, 'admin-token'), 'utf8').trim();
    expect(token.length).toBeGreaterThanOrEqual(32);
    expect(service.log.split(token)).toHaveLength(2);
    const answer = await service.call('GET', '/api/v1/properties', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    for (const file of ['admin-token', 'secret-key', 'service.json']) {
      expect(statSync(join(service.dataDir, file)).mode & 0o777, file).toBe(0o600);
    }
    expect(statSync(service.dataDir).mode & 0o777).toBe(0o700);

    await service.stop();
    await service.start();
    expect(service.log.split(token)).toHaveLength(2);
    expect(readFileSync(join(service.dataDir, 'admin-token'), 'utf8').trim()).toBe(token);
  });
});

describe('the demo', () => {
  const service = new TestService({}, 'demo');
  afterAll(async () => {
    await service.dispose();
  });

  interface Key {
    name: string;
    revoked_at: string | null;
  }
  const keys = async () => ((await service.api('GET', '/api/v1/ingest-keys')).body as { items: Key[] }).items;

  const received = async () =>
    (await service.metrics()).get('ghostlight_hits_received_total{endpoint="edge_worker"}') ?? 0;

  it('shows traffic from both endpoints within seconds, and starts again without leaving keys behind', async () => {
    for (let start = 1; start <= 3; start += 1) {
      await service.start();
      const { body } = await service.api('GET', '/api/v1/properties');
      const { items } = body as { items: { id: string; name: string }[] };
      expect(items.map(({ name }) => name)).toEqual(['Demo shop']);
      if (start === 1) await seenFromBoth(items[0]?.id ?? '');
      // The counts of the starts before are still there: this start's replay must add to them.
      const before = await received();
      await until(async () => (await received()) > before);
      expect(await keys()).toMatchObject([{ name: 'Demo replay', revoked_at: null }]);
      expect(await service.stop()).toBe(0);
    }
    expect(statSync(join(service.home, 'demo-key')).mode & 0o777).toBe(0o600);
    expect(service.log).not.toContain('The replay stopped');
    expect(service.log).not.toMatch(/"level":"(?:error|fatal)"/);
  }, 90_000);

  /** Rows of Live from both endpoints. */
  async function seenFromBoth(id: string): Promise<void> {
    await until(async () => {
      const { body } = await service.api('GET', `/api/v1/properties/${id}/live?limit=500`);
      const { items } = body as { items: { source: string }[] };
      return new Set(items.map(({ source }) => source)).size === 2;
    });
  }
});

async function until(holds: () => Promise<boolean>, withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms`);
    await sleep(100);
  }
}
