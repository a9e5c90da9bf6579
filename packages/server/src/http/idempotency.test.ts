import { Hono } from 'hono';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiEnv, type Caller, DEFAULT_ORGANIZATION_ID, ServiceError } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const PROPERTY = '7d1b2f0a-3f53-4c4e-9c0e-0d6a4a1b2c3d';
const admin = (actor: string): Caller => ({
  ...{ kind: 'token', role: 'admin', actor, propertyId: null },
  scope: { kind: 'organization', id: DEFAULT_ORGANIZATION_ID },
});

describe.each(databases.backends)('a change with an Idempotency-Key on $name', (backend) => {
  let home: TestDatabase;
  let db: Database;
  let idempotency: Idempotency;
  let now: number;
  let caller: Caller;
  /** How often a change was made. */
  let made: number;
  let answer: () => Response | Promise<Response>;
  let app: Hono<ApiEnv>;
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 22);
    home = await backend.fresh({ clock: () => now });
    db = await home.node();
    const cipher = createSecretCipher('k'.repeat(43), null);
    idempotency = createIdempotency(db, { cipher, clock: () => now });
    caller = admin('token:1');
    made = 0;
    answer = () => Response.json({ key: `gl_secret_${made}` }, { status: 201 });
    app = new Hono<ApiEnv>();
    app.onError((error) =>
      error instanceof ServiceError
        ? Response.json(
            { code: error.code, detail: error.message },
            { status: error.code === 'conflict' ? 409 : 422 },
          )
        : Response.json({}, { status: 500 }),
    );
    app.use(async (c, next) => await idempotency.once(c, caller, next));
    app.all('*', async () => {
      made += 1;
      return await answer();
    });
  });
  afterEach(() => home.remove());
  const send = async (
    key: string | null,
    body = '{"name":"a"}',
    path = `/api/v1/properties/${PROPERTY}/keys`,
    method = 'POST',
  ) => {
    const response = await app.request(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(key === null ? {} : { 'Idempotency-Key': key }) },
      ...(method === 'GET' ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, text, replayed: response.headers.get('idempotency-replayed') };
  };
  const rows = () => db.reader.selectFrom('repeatable_requests').selectAll().execute();

  it('is made once: the repeat gets the answer of the first, which is nowhere in clear', async () => {
    const first = await send('key-00001');
    expect(first).toEqual({ status: 201, text: '{"key":"gl_secret_1"}', replayed: null });
    expect(await send('key-00001')).toEqual({ ...first, replayed: 'true' });
    expect(made).toBe(1);
    const [row] = await rows();
    expect(row).toMatchObject({
      organization_id: DEFAULT_ORGANIZATION_ID,
      attribution_id: PROPERTY,
      status: 201,
    });
    expect(JSON.stringify(row)).not.toMatch(/gl_secret|key-00001/);
  });

  it('is made once of many at the same instant', async () => {
    answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return new Response(null, { status: 204 });
    };
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('key-00002')));
    expect(made).toBe(1);
    // One that came after the change gets its answer, the others are asked to come again.
    expect(answers.filter(({ status, replayed }) => status === 204 && replayed === null)).toHaveLength(1);
    for (const { status } of answers) expect([204, 409]).toContain(status);
    expect(await send('key-00002')).toEqual({ status: 204, text: '', replayed: 'true' });
  });

  it('is another one with another body, address, caller or role, and refused under the same key', async () => {
    await send('key-00003');
    expect((await send('key-00003', '{"name":"b"}')).status).toBe(422);
    expect((await send('key-00003', '{"name":"a"}', '/api/v1/elsewhere')).status).toBe(422);
    caller = admin('token:2');
    expect((await send('key-00003')).status).toBe(201);
    caller = { ...caller, role: 'viewer' } as Caller;
    expect((await send('key-00003')).status).toBe(201);
    expect(made).toBe(3);
  });

  it('that failed is made by the next attempt; one that was refused is refused again', async () => {
    answer = () => new Response('{}', { status: 503 });
    expect((await send('key-00004')).status).toBe(503);
    answer = () => {
      throw new Error('a fault');
    };
    expect((await send('key-00004')).status).toBe(500);
    answer = () => Response.json({ errors: [] }, { status: 422 });
    expect((await send('key-00004')).replayed).toBe(null);
    expect(await send('key-00004')).toMatchObject({ status: 422, replayed: 'true' });
    expect(made).toBe(3);
  });

  it('whose node died in it is not made again: the caller is asked to look', async () => {
    let die: () => void = () => {};
    answer = () => new Promise<Response>((_, reject) => (die = () => reject(new Error('never answered'))));
    const lost = send('key-00005');
    await expect.poll(() => made).toBe(1);
    const running = await send('key-00005');
    expect([running.status, running.text]).toEqual([409, expect.stringContaining('still running')]);
    now += 61_000;
    const later = await send('key-00005');
    expect([later.status, later.text]).toEqual([409, expect.stringContaining('Check before')]);
    expect(made).toBe(1);
    die();
    await lost;
  });

  it('is forgotten after a day; without a key, and as a question, it is as always', async () => {
    await send('key-00006');
    now += 24 * 3_600_000 + 1;
    expect(await idempotency.expire()).toBe(1);
    await send('key-00006');
    expect(made).toBe(2);
    for (let time = 0; time < 2; time += 1) {
      await send(null);
      await send('key-00006', '', '/api/v1/properties', 'GET');
    }
    expect(made).toBe(6);
    expect(await rows()).toHaveLength(1);
    for (const key of ['short', 'with blanks in it', 'x'.repeat(129), 'ümlaut-key']) {
      const refused = await send(key).catch(() => ({ status: 422 }));
      expect(refused.status, key).toBe(422);
    }
  });
});
