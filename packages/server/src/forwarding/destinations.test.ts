import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApi, type Log, type Scope } from '../common/index.ts';
import { createSecretCipher } from '../database/index.ts';
import { atOnce, openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { DESTINATIONS } from '../destinations/index.ts';
import { problemResponseFor } from '../http/problem.ts';
import { createProperties } from '../properties/index.ts';
import { forwardingRoutes } from './routes.ts';
import { openHome, order, type TestHome, TOKEN } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const THEIRS = { kind: 'organization', id: '00000000-0000-4000-8000-000000000002' } as const;
const SECRET = 'a signing secret that must not be shown';
const OLD = 'the earlier secret, of more than 32 characters';
const NEW = 'the secret of now, also of more than 32 characters';

describe.each(databases.backends)('destinations on $name', (backend) => {
  let database: TestDatabase;
  let home: TestHome;
  /** Everything that was logged or answered. */
  let said: string;
  const write = (...parts: unknown[]) => {
    said += `${JSON.stringify(parts, (_name, value: unknown) => (value instanceof Error ? `${value.stack}` : value))}\n`;
  };
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
  beforeEach(async () => {
    said = '';
    database = await backend.fresh();
    home = await openHome(database, { log });
    await home.db.kysely
      .insertInto('organizations')
      .values({ id: THEIRS.id, name: 'Theirs', created_at: home.now() })
      .execute();
  });
  afterEach(async () => {
    await home.close();
    await database.remove();
  });

  const call = async (method: string, path: string, body?: unknown, scope: Scope = { kind: 'all' }) => {
    const properties = createProperties(home.db, { clock: home.now });
    const app = createApi();
    app.onError((error) => problemResponseFor(error, log));
    app.use(async (c, next) => {
      c.set('caller', { kind: 'root', role: 'owner', scope, actor: 'root' });
      await next();
    });
    app.route('/', forwardingRoutes({ properties, forwarding: home.forwarding, clock: home.now }));
    const response = await app.request(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const text = await response.text();
    said += text;
    home.pass(1);
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const base = () => `/properties/${home.property.id}`;
  const shop = (more: object = {}) => ({
    platform: 'meta',
    name: ' Shop ',
    config: { account: '123' },
    credentials: { access_token: TOKEN, signing_secret: SECRET },
    ...more,
  });
  const create = async (more: object = {}) =>
    (await call('POST', `${base()}/destinations`, shop(more))).body as { id: string };
  const audits = async () =>
    (
      await home.db.reader
        .selectFrom('audit_log')
        .select(['action', 'subject', 'actor'])
        .orderBy('at')
        .execute()
    )
      .filter(({ action }) => /^(destination|deliver)/.test(action))
      .map(({ action }) => action);
  const pointers = ({ body }: { body: { errors?: { pointer: string }[] } }) =>
    body.errors?.map(({ pointer }) => pointer);

  it('are connected, shown without their credentials, changed and deleted', async () => {
    const time = new Date(home.now()).toISOString();
    const created = await call('POST', `${base()}/destinations`, shop());
    expect(created).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^dst_[0-9a-f]{32}$/),
        platform: 'meta',
        name: 'Shop',
        state: 'active',
        alarm: null,
        config: { account: '123', test_mode: false },
        credentials: { set: ['access_token', 'signing_secret'], changed_at: time },
        events: {},
        created_at: time,
        updated_at: time,
        health: {
          ...{ waiting: 0, oldest_waiting_at: null, delivered_24h: 0, skipped_24h: 0, dead_24h: 0 },
          ...{ unknown_24h: 0, last_delivered_at: null, not_before: null, failures: 0 },
        },
      },
    });
    const one = `${base()}/destinations/${created.body.id}`;
    expect((await call('GET', `${base()}/destinations`)).body).toEqual({ items: [created.body] });
    expect((await call('GET', one)).body).toEqual(created.body);
    const changed = await call('PATCH', one, {
      name: 'Other',
      events: { lead: 'Contact', 'custom:Quote request': null },
      paused: true,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Other', state: 'paused', events: { lead: 'Contact', 'custom:Quote request': null } },
    });
    expect((await call('PATCH', one, { paused: false })).body.state).toBe('active');
    expect((await call('DELETE', one)).status).toBe(204);
    expect((await call('GET', one)).status).toBe(404);
    expect((await call('GET', `${base()}/destinations`)).body).toEqual({ items: [] });
    expect((await audits()).sort()).toEqual([
      ...['destination.created', 'destination.deleted', 'destination.paused', 'destination.resumed'],
      'destination.updated',
    ]);
  });

  it('replace the credentials that are given, and keep the others', async () => {
    const { id } = await create();
    const one = `${base()}/destinations/${id}`;
    const open = async () => {
      const row = await home.db.reader
        .selectFrom('destinations')
        .select(['credentials', 'revision', 'config'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row;
    };
    const before = await open();
    await call('PATCH', one, { credentials: { access_token: 'another-token-0123456789' } });
    expect((await call('GET', one)).body.credentials.set).toEqual(['access_token', 'signing_secret']);
    const after = await open();
    expect(after.credentials).not.toBe(before.credentials);
    expect(after.revision).toBe(before.revision + 1);
    await call('PATCH', one, { credentials: { signing_secret: null } });
    expect((await call('GET', one)).body.credentials.set).toEqual(['access_token']);
    const refused = await call('PATCH', one, { credentials: { access_token: '' } });
    expect([refused.status, pointers(refused)]).toEqual([422, ['/credentials/access_token']]);
    home.visit('visitor-1');
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    expect(home.sent[0]?.headers['Authorization']).toBe('Bearer another-token-0123456789');
  });

  it('are refused with every error at once', async () => {
    const refused = await call(
      'POST',
      `${base()}/destinations`,
      shop({
        config: { account: 'abc', acount: '1' },
        credentials: { access_token: 'short', token: 'x' },
        events: {
          purchase: 'not a name',
          refund: 'Refund',
          views: 'View',
          'custom:a/b': 'View',
          lead: 'Lead',
        },
      }),
    );
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toEqual([
      ...['/config/acount', '/config/account', '/credentials/token', '/credentials/access_token'],
      ...['/events/purchase', '/events/refund', '/events/views', '/events/custom:a~1b'],
    ]);
    for (const body of [{ platform: 'snap' }, { platform: 'nobody' }, { name: '' }, { config: null }])
      expect((await call('POST', `${base()}/destinations`, shop(body))).status).toBe(422);
    expect((await call('GET', `${base()}/destinations`)).body.items).toEqual([]);
  });

  it('are at most fifty, however many are added at once', async () => {
    const added = Array.from({ length: 55 }, () => call('POST', `${base()}/destinations`, shop()));
    const statuses = (await Promise.all(added)).map(({ status }) => status).sort();
    expect(statuses).toEqual([
      ...Array.from({ length: 50 }, () => 201),
      ...Array.from({ length: 5 }, () => 409),
    ]);
  });

  it('end an alarm by new credentials, a new config, or a word', async () => {
    const { id } = await create();
    const one = `${base()}/destinations/${id}`;
    const alarm = { kind: 'auth', code: 'bad_token', message: 'It has expired.', at: home.now() };
    for (const change of [{ credentials: {} }, { config: { account: '456' } }, { clear_alarm: true }]) {
      await home.db.kysely
        .updateTable('destinations')
        .set({ alarm: JSON.stringify(alarm), failures: 7, not_before: home.now() + 1 })
        .execute();
      expect((await call('PATCH', one, { name: 'Still' })).body).toMatchObject({
        state: 'alarm',
        alarm: { ...alarm, at: new Date(alarm.at).toISOString() },
      });
      expect((await call('PATCH', one, change)).body).toMatchObject({
        ...{ state: 'active', alarm: null, health: { failures: 0, not_before: null } },
      });
    }
  });

  it('deleted six times at once, one is deleted once, with one audit row', async () => {
    const { body } = await call('POST', `${base()}/destinations`, shop());
    const answers = await atOnce(home.db, 6, () => call('DELETE', `${base()}/destinations/${body.id}`));
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0));
    expect(statuses.sort()).toEqual([204, 404, 404, 404, 404, 404]);
    const log = await home.db.reader
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', body.id)
      .execute();
    expect(log.map(({ action }) => action).sort()).toEqual(['destination.created', 'destination.deleted']);
  });

  it('of another organization, another property or a deleted one do not exist', async () => {
    const { id } = await create();
    const other = await home.newProperty(THEIRS);
    const second = await home.newProperty();
    const attempts = [
      ['GET', undefined],
      ['PATCH', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const;
    for (const [method, body] of attempts) {
      expect((await call(method, `${base()}/destinations/${id}`, body, THEIRS)).status).toBe(404);
      expect((await call(method, `/properties/${other.id}/destinations/${id}`, body, THEIRS)).status).toBe(
        404,
      );
      expect((await call(method, `/properties/${second.id}/destinations/${id}`, body)).status).toBe(404);
    }
    const test = (path: string, scope?: Scope) => call('POST', `${path}/destinations/${id}/test`, {}, scope);
    expect((await test(base(), THEIRS)).status).toBe(404);
    expect((await test(`/properties/${other.id}`, THEIRS)).status).toBe(404);
    for (const path of ['destinations', 'deliveries', 'reports/forwarding'])
      expect((await call('GET', `${base()}/${path}`, undefined, THEIRS)).status).toBe(404);
    expect((await call('GET', `${base()}/destinations/${id}`)).status).toBe(200);
    await call('DELETE', `${base()}/destinations/${id}`);
    for (const [method, body] of attempts)
      expect((await call(method, `${base()}/destinations/${id}`, body)).status).toBe(404);
    expect((await test(base())).status).toBe(404);
  });

  it('never say a credential: not in an answer, the log, the audit, or the database', async () => {
    const { id } = await create();
    const one = `${base()}/destinations/${id}`;
    home.visit('visitor-1');
    const answers = [
      { status: 500, body: `no: ${TOKEN}` },
      { status: 401, body: `bad ${TOKEN} and ${SECRET}` },
      { status: 200, body: TOKEN },
    ];
    for (const [n, answer] of answers.entries()) {
      home.answer(answer);
      await home.post('purchase', order(String(n)));
      await call('POST', `${one}/test`, { code: 'TEST1' });
      await home.forwarding.runOnce();
      await call('PATCH', one, { clear_alarm: true });
      home.pass(60_000);
    }
    await call('PATCH', one, { config: { account: TOKEN } });
    await call('PATCH', one, { credentials: { access_token: SECRET, misspelt: SECRET } });
    await call('POST', `${base()}/destinations`, shop({ platform: 'tiktok', credentials: { token: TOKEN } }));
    await call('GET', `${base()}/destinations`);
    for (const { id: delivery } of await home.deliveries())
      await call('GET', `${base()}/deliveries/${delivery}`);
    await call('GET', `${base()}/deliveries`);
    const { db } = home;
    const stored = JSON.stringify([
      await db.reader.selectFrom('destinations').selectAll().execute(),
      await db.reader.selectFrom('deliveries').selectAll().execute(),
      await db.reader.selectFrom('audit_log').selectAll().execute(),
    ]);
    expect(home.sent.length).toBeGreaterThan(5);
    for (const secret of [TOKEN, SECRET]) {
      expect(said.replaceAll(`"account":"${TOKEN}"`, '')).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
    await call('DELETE', one);
    const row = await db.reader.selectFrom('destinations').select('credentials').executeTakeFirstOrThrow();
    expect(row.credentials).toBe('');
  });

  it('are re-encrypted while the key is rotated, and can be entered again where no key decrypts them', async () => {
    const empty = await backend.fresh();
    const before = await openHome(empty, { secrets: [OLD, null] });
    const id = await before.connect();
    await before.close();
    const during = await openHome(empty, { secrets: [NEW, OLD] });
    await during.hourly();
    await during.close();
    const after = await openHome(empty, { secrets: [NEW, null] });
    const { forwarding } = after;
    expect((await forwarding.destinations.get(before.property, id)).credentials).toEqual(['access_token']);
    await after.close();
    const lost = await openHome(empty, { secrets: [OLD, null] });
    expect((await lost.forwarding.destinations.get(before.property, id)).credentials).toEqual([]);
    await lost.forwarding.destinations.update(before.property, 'root', id, {
      credentials: { access_token: TOKEN, signing_secret: null },
    });
    expect((await lost.forwarding.destinations.get(before.property, id)).credentials).toEqual([
      'access_token',
    ]);
    await lost.close();
    await empty.remove();
  });

  it('are not changed by a node that can’t open what would stay', async () => {
    const id = await home.connect({ credentials: { access_token: TOKEN, signing_secret: SECRET } });
    const other = await openHome(database, { secrets: [NEW, null] });
    const update = (changes: object) =>
      other.forwarding.destinations.update(home.property, 'root', id, changes);
    const credentials = { access_token: 'another-token-0123456789' };
    await expect(update({ credentials })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('access_token, signing_secret'),
      headers: { 'Retry-After': '60' },
    });
    expect((await home.forwarding.destinations.get(home.property, id)).credentials).toEqual([
      ...['access_token', 'signing_secret'],
    ]);
    // What needs nothing of it is changed; and nothing is lost where every member is named.
    expect((await update({ name: 'Other', config: { account: '7' } })).row.name).toBe('Other');
    await update({ credentials: { ...credentials, signing_secret: null } });
    expect((await other.forwarding.destinations.get(home.property, id)).credentials).toEqual([
      'access_token',
    ]);
    await other.close();
  });

  describe('of an address that holds a key', () => {
    const HOOK = 'https://crm.example/hooks/T0PSECRETPATH/in?key=T0PSECRETQUERY';
    const SHOWN = 'https://crm.example/hook…';
    const SIGNING = `whsec_${Buffer.alloc(24, 'test').toString('base64')}`;
    const crm = { platform: 'webhook', name: 'CRM', credentials: { signing_secret: SIGNING } } as const;
    let real: TestHome;
    beforeEach(async () => {
      real = await openHome(database, { log, platforms: DESTINATIONS });
    });
    afterEach(() => real.close());
    const connect = async (config: object = { url: HOOK }) => {
      const { row } = await real.forwarding.destinations.create(real.property, 'root', {
        ...{ ...crm, config: { consent: 'none', ...config }, events: {} },
      });
      return row.id;
    };
    const urlOf = async (id: string, of: TestHome = real) =>
      (JSON.parse((await of.forwarding.destinations.get(real.property, id)).row.config) as { url: unknown })
        .url;
    const everything = async () =>
      JSON.stringify([
        await home.db.reader.selectFrom('destinations').selectAll().execute(),
        await home.db.reader.selectFrom('deliveries').selectAll().execute(),
        await home.db.reader.selectFrom('audit_log').selectAll().execute(),
      ]);
    const sendOne = async (id: string) => {
      real.visit('visitor-1');
      await real.post('purchase', order(id));
      await real.forwarding.runOnce();
      return real.sent.at(-1)?.url;
    };
    const update = (id: string, changes: object) =>
      real.forwarding.destinations.update(real.property, 'root', id, changes);

    it('send to it, and show its host and beginning alone', async () => {
      const id = await connect();
      expect(await urlOf(id)).toBe(SHOWN);
      real.answer({ status: 400, body: `no route for ${HOOK}, /hooks/T0PSECRETPATH/in` });
      expect(await sendOne('1')).toBe(HOOK);
      const [delivery] = await real.deliveries();
      const shown = await real.forwarding.deliveries.get(real.property, delivery?.id ?? '');
      expect(JSON.parse(shown.request ?? '')).toMatchObject({ url: SHOWN });
      const trial = await real.forwarding.test(real.property, 'root', id, {
        ...{ topic: 'purchase', code: null, live: true },
      });
      expect(trial.request?.url).toBe(SHOWN);
      expect(`${await everything()}${JSON.stringify([shown, trial])}${said}`).not.toMatch(/T0PSECRET/);
    });

    it('keep it where it is absent or as shown, and take another', async () => {
      const id = await connect();
      await update(id, { config: { consent: 'none' } });
      expect(await sendOne('1')).toBe(HOOK);
      await update(id, { config: { consent: 'none', url: SHOWN, user_data: 'none' } });
      await update(id, { credentials: { headers: 'X-Key: abc' } });
      expect(await sendOne('2')).toBe(HOOK);
      expect(real.sent.at(-1)?.headers['x-key']).toBe('abc');
      await expect(
        update(id, { config: { consent: 'none', url: 'https://crm.example/othe…' } }),
      ).rejects.toMatchObject({
        code: 'invalid',
        errors: [{ pointer: '/config/url', message: expect.stringContaining('shortened') }],
      });
      await update(id, { config: { consent: 'none', url: 'https://crm.example/x' } });
      expect(await urlOf(id)).toBe('https://crm.example/…');
      expect(await sendOne('3')).toBe('https://crm.example/x');
      expect((await real.forwarding.destinations.get(real.property, id)).credentials).toEqual([
        ...['headers', 'signing_secret'],
      ]);
    });

    it('refuse to lose it on a node that can’t open it', async () => {
      const id = await connect();
      const other = await openHome(database, { secrets: [NEW, null], platforms: DESTINATIONS });
      expect(await urlOf(id, other)).toBe(SHOWN);
      for (const changes of [{ config: { consent: 'none' } }, { credentials: { signing_secret: SIGNING } }])
        await expect(
          other.forwarding.destinations.update(real.property, 'root', id, changes),
        ).rejects.toMatchObject({ code: 'unavailable' });
      await other.close();
      expect(await sendOne('1')).toBe(HOOK);
    });

    it('are encrypted at the start where an earlier version stored them plain, with what was shown of their requests', async () => {
      const [id, gone] = [await connect(), await connect()];
      await sendOne('1');
      await real.forwarding.destinations.delete(real.property, 'root', gone);
      const plain = JSON.stringify({ url: HOOK, consent: 'none', user_data: 'hashed' });
      const cipher = createSecretCipher('a secret of at least thirty-two characters');
      const credentials = cipher.encrypt(JSON.stringify(crm.credentials), `destination:${id}`);
      await home.db.kysely.updateTable('destinations').set({ config: plain }).execute();
      await home.db.kysely.updateTable('destinations').set({ credentials }).where('id', '=', id).execute();
      const [before] = await home.db.reader.selectFrom('deliveries').selectAll().execute();
      const request = JSON.stringify({ ...JSON.parse(before?.request ?? '{}'), url: HOOK });
      await home.db.kysely.updateTable('deliveries').set({ request }).execute();
      // Until then it is used and hidden nevertheless.
      expect(await urlOf(id)).toBe(SHOWN);
      expect(await sendOne('2')).toBe(HOOK);
      const blind = await openHome(database, { secrets: [NEW, null], platforms: DESTINATIONS });
      await blind.hourly();
      expect(await everything()).toContain('T0PSECRETPATH');
      await blind.close();
      await home.db.kysely.updateTable('destinations').set({ paused: 1 }).execute();
      real.forwarding.start();
      await expect.poll(everything).not.toMatch(/T0PSECRET/);
      await home.db.kysely.updateTable('destinations').set({ paused: 0 }).execute();
      expect(await urlOf(id)).toBe(SHOWN);
      expect(await sendOne('3')).toBe(HOOK);
      const rows = await home.db.reader.selectFrom('deliveries').select('request').execute();
      expect(new Set(rows.flatMap(({ request: shown }) => (shown ? [JSON.parse(shown).url] : [])))).toEqual(
        new Set([SHOWN]),
      );
      const { credentials: deleted } = await home.db.reader
        .selectFrom('destinations')
        .select('credentials')
        .where('id', '=', gone)
        .executeTakeFirstOrThrow();
      expect(deleted).toBe('');
    });
  });

  it('show how they do', async () => {
    const { id } = await create();
    home.visit('visitor-1');
    await home.post('purchase', order('1'));
    await home.post('refund', { conversion_id: '1', value: '1', currency: 'EUR' });
    const deliveredAt = new Date(home.now()).toISOString();
    await home.forwarding.runOnce();
    home.pass(5_000);
    home.answer({ status: 400, body: 'no' });
    await home.post('purchase', order('2'));
    // The refund held back until its purchase was accepted.
    await home.forwarding.runOnce();
    home.answer({ status: 503 });
    home.pass(5_000);
    const waitingSince = new Date(home.now()).toISOString();
    await home.post('purchase', order('3'));
    await home.forwarding.runOnce();
    expect((await call('GET', `${base()}/destinations/${id}`)).body.health).toMatchObject({
      ...{ waiting: 1, oldest_waiting_at: waitingSince, delivered_24h: 1, skipped_24h: 1, dead_24h: 1 },
      ...{ last_delivered_at: deliveredAt, failures: 1 },
    });
    home.pass(86_400_000);
    expect((await call('GET', `${base()}/destinations/${id}`)).body.health).toMatchObject({
      ...{ waiting: 1, delivered_24h: 0, skipped_24h: 0, dead_24h: 0 },
    });
    expect((await home.forwarding.figures()).waiting.get('meta')).toBe(1);
    expect((await home.forwarding.figures()).oldestSeconds).toBeCloseTo(86_400, 1);
    expect(home.forwarding.outcomes().get('meta')?.get('delivered')).toBe(1);
  });

  it('have ids that can’t be guessed at the API', async () => {
    for (const id of [`dst_${randomUUID().replaceAll('-', '')}`, 'x', '%00', "' or 1=1"])
      expect((await call('GET', `${base()}/destinations/${encodeURIComponent(id)}`)).status).toBe(404);
  });
});
