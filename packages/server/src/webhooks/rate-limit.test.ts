import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, DEFAULT_ORGANIZATION_ID, type Scope } from '../common/index.ts';
import { createGroupCommit, type Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { createProperties, type Property } from '../properties/index.ts';
import { createRateLimits, rateLimitHeaders } from './rate-limit.ts';
import { createWebhookKeys, type WebhookKeys } from './webhook-keys.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };

describe.each(databases.backends)('the rate limit on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let keys: WebhookKeys;
  let property: Property;
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 21, 3);
    home = await backend.fresh({ clock });
    db = await home.node();
    property = await createProperties(db, { clock }).create(OURS, 'root', {
      name: 'Shop',
      domain: 'shop.example',
    });
    keys = createWebhookKeys(db, { clock, log: silentLog });
  });
  afterEach(async () => {
    await keys.close();
    await home.remove();
  });
  const limitsOf = (node: Database, by: Clock | null = clock) =>
    createRateLimits(node, { clock: by, commits: createGroupCommit(node) });
  const issue = (rateLimit = 60) => keys.issue(property, 'root', { name: 'Shop', rateLimit });

  it('lets a whole minute’s requests pass at once, refuses the next and says when it passes', async () => {
    const { id } = await issue();
    const limits = limitsOf(db);
    for (let n = 59; n >= 0; n -= 1)
      expect(await limits.take(id)).toMatchObject({ allowed: true, limit: 60, remaining: n });
    const refused = await limits.take(id);
    expect(refused).toEqual({ allowed: false, limit: 60, remaining: 0, resetSeconds: 1 });
    expect(refused && rateLimitHeaders(refused)).toEqual({
      'RateLimit-Policy': '"webhook";q=60;w=60',
      RateLimit: '"webhook";r=0;t=1',
      'Retry-After': '1',
    });
    now += 999;
    expect(await limits.take(id)).toMatchObject({ allowed: false });
    now += 1;
    expect(await limits.take(id)).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 1 });
    expect(await limits.take(id)).toMatchObject({ allowed: false });
    now += 60_000;
    expect(await limits.take(id)).toMatchObject({ allowed: true, remaining: 59, resetSeconds: 1 });
  });

  it('counts what two nodes let pass at the same time as one', async () => {
    const { id } = await issue(25);
    const nodes = [limitsOf(db), limitsOf(await home.node())];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (nodes[n % 2] ?? nodes[0])?.take(id)),
    );
    expect(answers.filter((answer) => answer?.allowed)).toHaveLength(25);
    expect(answers.filter((answer) => answer?.allowed === false)).toHaveLength(15);
  });

  it('is each key’s own, follows a change at once, and ends with the key', async () => {
    const [one, other] = [await issue(1), await issue(1)];
    const limits = limitsOf(db);
    expect(await limits.take(one.id)).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 60 });
    expect(await limits.take(one.id)).toMatchObject({ allowed: false, resetSeconds: 60 });
    expect(await limits.take(other.id)).toMatchObject({ allowed: true });
    await keys.update(property, 'root', one.id, { rateLimit: 100_000 });
    expect(await limits.take(one.id)).toMatchObject({ allowed: false, limit: 100_000 });
    now += 1;
    expect(await limits.take(one.id)).toMatchObject({ allowed: true });
    await keys.revoke(property, 'root', one.id);
    expect(await limits.take(one.id)).toBeNull();
  });

  if (backend.name === 'postgres')
    it('uses the clock of the database where several nodes share it', async () => {
      const { id } = await issue(1);
      const limits = limitsOf(db, null);
      expect(await limits.take(id)).toMatchObject({ allowed: true, resetSeconds: 60 });
      expect(await limits.take(id)).toMatchObject({ allowed: false });
    });
});
