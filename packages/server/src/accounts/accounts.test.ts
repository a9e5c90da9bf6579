import { OpenAPIHono } from '@hono/zod-openapi';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiEnv } from '../common/index.ts';
import { createThrottle } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { problemResponseFor } from '../http/problem.ts';
import { type Accounts, createAccounts, type Peer } from './index.ts';
import { sessionRoutes } from './routes.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const TOKEN = 'the-root-token-of-this-test';
const URL = 'http://app.example/api/v1/properties';
const DAY = 86_400_000;

describe.each(databases.backends)('accounts on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let accounts: Accounts;
  let peer: Peer;
  const open = (database: Database, adminToken = TOKEN) =>
    createAccounts(database, {
      adminToken,
      cipher: createSecretCipher('s'.repeat(32)),
      mailer: null,
      appBaseUrl: () => 'https://dash.example',
      clock,
      log: silentLog,
      origins: () => ['https://dash.example'],
    });
  beforeEach(async () => {
    home = await backend.fresh({ clock });
    db = await home.node();
    accounts = open(db);
    peer = { ip: '203.0.113.9', protocol: 'http' };
  });
  afterEach(() => home.remove());

  const request = (headers: Record<string, string>, method = 'GET') => new Request(URL, { method, headers });
  const signIn = async () => {
    const post = request({ 'Content-Type': 'application/json' }, 'POST');
    const [cookie = ''] = (await accounts.signIn(post, TOKEN, peer)).cookies;
    return cookie.split(';', 1)[0] ?? '';
  };

  test('the admin token as a bearer token sees every organization; nothing else is let in', async () => {
    const caller = await accounts.authenticate(request({ Authorization: `Bearer ${TOKEN}` }, 'POST'), peer);
    expect(caller).toEqual({ kind: 'root', scope: { kind: 'all' }, role: 'owner', actor: 'root' });
    const wrong = [
      '',
      'Bearer',
      `Basic ${TOKEN}`,
      TOKEN,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      'Bearer a b',
    ];
    for (const authorization of wrong) {
      await expect(
        accounts.authenticate(request({ Authorization: authorization }), peer),
      ).rejects.toMatchObject({
        code: 'unauthorized',
      });
    }
    for (const headers of [
      {},
      { Cookie: 'ghostlight_session=' },
      { Cookie: `ghostlight_session=${'x'.repeat(43)}` },
    ]) {
      await expect(accounts.authenticate(request(headers), peer)).rejects.toMatchObject({
        code: 'unauthorized',
      });
    }
  });

  test('a session is a cookie that scripts cannot read; its token is not in the database', async () => {
    const post = request({ 'Content-Type': 'application/json' }, 'POST');
    const [plain = ''] = (await accounts.signIn(post, TOKEN, peer)).cookies;
    expect(plain).toMatch(/^ghostlight_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    const [secure] = (await accounts.signIn(post, TOKEN, { ...peer, protocol: 'https' })).cookies;
    expect(secure).toMatch(/^__Host-ghostlight_session=.*; Secure$/);
    const stored = JSON.stringify(await db.reader.selectFrom('sign_in_sessions').selectAll().execute());
    expect(stored).not.toContain(plain.slice(19, 62));
    await expect(accounts.signIn(post, 'wrong', peer)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('a session holds on every node, slides for 30 days, and ends when the token is changed', async () => {
    const cookie = await signIn();
    const far = open(await home.node());
    for (const days of [29, 29, 29]) {
      now += days * DAY;
      expect(await far.authenticate(request({ Cookie: `a=b; ${cookie}` }), peer)).toMatchObject({
        kind: 'root',
      });
    }
    const rotated = open(db, 'another admin token');
    await expect(rotated.authenticate(request({ Cookie: cookie }), peer)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    now += 30 * DAY + 1;
    await expect(far.authenticate(request({ Cookie: cookie }), peer)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await signIn();
    expect(await db.reader.selectFrom('sign_in_sessions').selectAll().execute()).toHaveLength(1);
  });

  test.each<[string, Record<string, string>, string, boolean]>([
    ['reading needs no Origin', {}, 'GET', true],
    ['a change from our own host', { Origin: 'http://app.example', ...JSON_TYPE() }, 'POST', true],
    [
      'a change from APP_BASE_URL behind a proxy',
      { Origin: 'https://dash.example', ...JSON_TYPE() },
      'PUT',
      true,
    ],
    ['a deletion from our own host', { Origin: 'http://app.example' }, 'DELETE', true],
    ['a change without Origin', JSON_TYPE(), 'POST', false],
    ['a deletion without Origin', {}, 'DELETE', false],
    ['a change from another site', { Origin: 'https://evil.example', ...JSON_TYPE() }, 'POST', false],
    ['a change from a sandboxed frame', { Origin: 'null', ...JSON_TYPE() }, 'PATCH', false],
    ['a look-alike', { Origin: 'https://dash.example.evil.example', ...JSON_TYPE() }, 'POST', false],
    ['another port', { Origin: 'http://app.example:8081', ...JSON_TYPE() }, 'POST', false],
    ['a form', { Origin: 'http://app.example', 'Content-Type': 'text/plain' }, 'POST', false],
    ['a body of no type', { Origin: 'http://app.example' }, 'POST', false],
  ])('with a cookie: %s', async (_name, headers, method, allowed) => {
    const Cookie = await signIn();
    const call = accounts.authenticate(request({ Host: 'app.example', Cookie, ...headers }, method), peer);
    if (allowed) expect(await call).toMatchObject({ kind: 'root' });
    else await expect(call).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('wrong tokens are slowed per address, a good one from the same address never is', async () => {
    const attempt = (token: string, ip: string) =>
      accounts.authenticate(request({ Authorization: `Bearer ${token}` }), { ...peer, ip });
    for (let i = 0; i < 60; i += 1) {
      await expect(attempt('guess', '203.0.113.9')).rejects.toMatchObject({ code: 'unauthorized' });
    }
    await expect(attempt('guess', '203.0.113.9')).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': '1' },
    });
    expect(await attempt(TOKEN, '203.0.113.9')).toMatchObject({ kind: 'root' });
    const post = request({ 'Content-Type': 'application/json' }, 'POST');
    expect((await accounts.signIn(post, TOKEN, { ...peer, ip: '203.0.113.9' })).session).toBeDefined();
    now += 1_000;
    await expect(attempt('guess', '203.0.113.9')).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('the routes: sign in, who am I, sign out', async () => {
    const app = new OpenAPIHono<ApiEnv>();
    app.onError((error) => problemResponseFor(error, silentLog));
    app.route('/api/v1', sessionRoutes({ accounts, peer: () => peer }));
    const call = (method: string, headers: Record<string, string> = {}, body?: string) =>
      app.request('http://app.example/api/v1/session', {
        method,
        headers: { Host: 'app.example', ...headers },
        ...(body === undefined ? {} : { body }),
      });

    expect((await call('GET')).status).toBe(401);
    expect((await call('POST', JSON_TYPE(), '{"token":"wrong"}')).status).toBe(401);
    expect((await call('POST', JSON_TYPE(), '{}')).status).toBe(422);
    expect((await call('POST', JSON_TYPE(), `{"token":"${'x'.repeat(10_000)}"}`)).status).toBe(413);
    const evil = await call(
      'POST',
      { ...JSON_TYPE(), Origin: 'https://evil.example' },
      `{"token":"${TOKEN}"}`,
    );
    expect([evil.status, evil.headers.get('set-cookie')]).toEqual([403, null]);

    const signedIn = await call('POST', JSON_TYPE(), `{"token":"${TOKEN}"}`);
    expect([signedIn.status, signedIn.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const Cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const me = await call('GET', { Cookie });
    expect([me.status, await me.json()]).toMatchObject([200, { organization_id: null }]);
    expect((await call('DELETE', { Cookie })).status).toBe(403);
    const out = await call('DELETE', { Cookie, Origin: 'http://app.example' });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      'ghostlight_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect((await call('GET', { Cookie })).status).toBe(401);
  });
});

function JSON_TYPE() {
  return { 'Content-Type': 'application/json; charset=utf-8' };
}

test('failures of a whole IPv6 /64 count together', () => {
  const throttle = createThrottle(() => 0);
  for (let i = 0; i < 60; i += 1) throttle.fail(`2001:db8:1:2::${i.toString(16)}`);
  expect(throttle.wait('2001:db8:1:2:ffff::1')).toBeGreaterThan(0);
  expect(throttle.wait('2001:db8:1:3::1')).toBe(0);
});

test('who never failed does not wait when the machine’s clock is set back', () => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const throttle = createThrottle(() => now);
  throttle.fail('203.0.113.1');
  throttle.forgive('203.0.113.1');
  now -= 86_400_000;
  expect(throttle.wait('203.0.113.1')).toBe(0);
});
