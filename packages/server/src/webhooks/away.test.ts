/** While the state database is down or busy, over the real routes: answered "try again", and accepted once when it is back. */
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../tests/harness/free-port.ts';
import { createApi, DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import { type Database, openDatabase } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { problemResponseFor } from '../http/problem.ts';
import { createProperties } from '../properties/index.ts';
import { webhookEndpoint } from './endpoint.ts';
import type { Webhooks } from './index.ts';
import { testWebhooks } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

/** A way to PostgreSQL that can be cut off. */
async function openGate(to: string): Promise<{ url: string; shut(): void; open(): Promise<void> }> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  const server: Server = createServer((inside) => {
    const outside = dial(Number(port), hostname);
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    inside.pipe(outside).pipe(inside);
  });
  const own = await freePort();
  const open = () => new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
  await open();
  return {
    url: Object.assign(new URL(to), { hostname: '127.0.0.1', port: String(own) }).href,
    shut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    open,
  };
}

describe.each(databases.backends)('a conversion while $name is down', (backend) => {
  let home: TestDatabase;
  let db: Database;
  let file: string;
  let gate: Awaited<ReturnType<typeof openGate>> | null;
  let webhooks: Webhooks;
  let post: () => Promise<Response>;
  beforeEach(async () => {
    home = await backend.fresh();
    gate = home.url === null ? null : await openGate(home.url);
    db =
      gate === null ? await home.node() : await openDatabase({ url: gate.url, dataDir: '', log: silentLog });
    if (gate === null) {
      const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db.kysely);
      file = rows[0]?.file ?? '';
      await sql`pragma busy_timeout = 1`.execute(db.kysely);
    }
    webhooks = testWebhooks(db, { clock: Date.now, log: silentLog });
    const scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID } as const;
    const property = await createProperties(db, { clock: Date.now }).create(scope, 'root', {
      ...{ name: 'Shop', domain: 'shop.example' },
    });
    await webhooks.settings.update(property, 'root', { enabled: true });
    const { key } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 1_000 });
    const app = createApi();
    const peer = () => ({ ip: '198.51.100.7' });
    app.route('/', webhookEndpoint({ webhooks, peer, boundTo: () => null }));
    app.onError((error) => problemResponseFor(error, silentLog));
    post = async () =>
      await app.request(`/webhooks/custom/${property.id}/purchase`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}` },
        body: JSON.stringify({ conversion_id: 'ord_1', value: 1, currency: 'EUR' }),
      });
  });
  afterEach(async () => {
    await webhooks.close();
    await db.close();
    gate?.shut();
    await home.remove();
  });

  /** @returns what makes it come back */
  const takeAway = async (): Promise<() => Promise<void>> => {
    if (gate !== null) {
      gate.shut();
      return gate.open;
    }
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    return async () => other.close();
  };
  const expectRefusal = async (): Promise<void> => {
    const refused = await post();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ type: '/problems/unavailable', status: 503 });
  };

  it('is refused for later, whether its key is known here or not, and taken once when it comes again', async () => {
    const back = await takeAway();
    await expectRefusal();
    await back();
    expect(await (await post()).json()).toMatchObject({ status: 'success', duplicate: false });
    const again = await takeAway();
    await expectRefusal();
    await again();
    expect(await (await post()).json()).toMatchObject({ status: 'success', duplicate: true });
    expect(await db.reader.selectFrom('conversions').select('conversion_id').execute()).toEqual([
      { conversion_id: 'ord_1' },
    ]);
  });

  it('is refused for later by a service that is being stopped', async () => {
    await db.close();
    await expectRefusal();
  });
});
