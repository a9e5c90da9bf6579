import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type GroupMapping, type OidcSettings } from '../../common/index.ts';
import type { Database } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import { type Browser, openPeople, PASSWORD, type People } from '../testing.ts';
import { stepAt, totpCode } from '../totp.ts';
import {
  CLIENT_SECRET,
  comeBack,
  settingsFor,
  startTestProvider,
  type TestProvider,
  tour,
} from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const BOB = { email: 'bob@shop.example', email_verified: true, name: 'Bob Builder' };
const group = (name: string, role: GroupMapping['role'], more: Partial<GroupMapping> = {}): GroupMapping => ({
  ...{ group: name, role, organizationId: DEFAULT_ORGANIZATION_ID, properties: null },
  ...more,
});

describe.each(databases.backends)('sign-in at a provider on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let provider: TestProvider;
  let home: TestDatabase;
  let db: Database;
  let people: People;
  let owner: Browser;
  const logged: unknown[] = [];
  const log = { ...silentLog, warn: (...line: unknown[]) => void logged.push(line) } as typeof silentLog;
  beforeAll(async () => {
    provider = await startTestProvider();
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    now = 1_750_000_000_000;
    logged.length = 0;
    provider.tamper(null);
    home = await backend.fresh({ clock });
    db = await home.node();
    await open();
    owner = await people.owner();
  });
  afterEach(() => home.remove());

  /** Another start of the service over the same database. */
  const open = async (changes: Partial<OidcSettings> = {}): Promise<void> => {
    const settings = settingsFor(provider.issuer, { groups: [group('staff', 'viewer')], ...changes });
    people = openPeople(db, { clock, log, oidc: { settings, send: provider.send } });
  };
  const goIn = async (at = people.browser()) => ({ at, ...(await tour(provider, at)) });
  const session = async (at: Browser) => (await at.call('GET', '/session')).body;
  const members = async () =>
    Object.fromEntries(
      (await owner.call('GET', '/organization/members')).body.items.map(
        ({ email, role, by_groups: by }: { email: string; role: string; by_groups: boolean }) => [
          email,
          by ? `${role} by groups` : role,
        ],
      ),
    );

  test('a member of a group comes in, and the code is bound by PKCE, state and nonce', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff', 'others'] });
    const at = people.browser();
    const start = await at.call('GET', '/oidc/start?next=/p/1%3Fview%3Dlive');
    const url = new URL(start.headers.get('location') ?? '');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', client_id: 'ghostlight' },
      redirect_uri: 'https://dash.example/api/v1/oidc/callback',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    const [cookie = ''] = start.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-ghostlight_oidc=.*HttpOnly; SameSite=Lax; Secure/);
    for (const name of ['state', 'nonce']) expect(cookie).not.toContain(url.searchParams.get(name));

    const done = await comeBack(at, await provider.follow(url.href));
    expect(done).toEqual({ status: 303, location: '/p/1?view=live' });
    expect(await session(at)).toMatchObject({
      ...{ kind: 'person', role: 'viewer', person: { name: 'Bob Builder', email: 'bob@shop.example' } },
    });
    expect(await members()).toEqual({ 'ada@shop.example': 'owner', 'bob@shop.example': 'viewer by groups' });
    expect(logged).toEqual([]);
    // Nothing of the provider's is kept.
    const everything = JSON.stringify(await db.reader.selectFrom('identities').selectAll().execute());
    expect(JSON.parse(everything)).toEqual([
      {
        ...{ issuer: provider.issuer, subject: 'bob', person_id: (await session(at)).person.id },
        ...{ created_at: now, last_used_at: now },
      },
    ]);
  });

  test('a return works once, in the browser that left, within ten minutes', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    const at = people.browser();
    const start = await at.call('GET', '/oidc/start');
    const before = at.cookie;
    const returned = await provider.follow(start.headers.get('location') ?? '');
    // In another browser: an attacker's code must not sign a victim in as the attacker.
    expect(await comeBack(people.browser(), returned)).toMatchObject({
      location: '/sign-in?provider=expired',
    });
    const forged = returned.replace(/state=[^&]*/, `state=${'A'.repeat(43)}`);
    const held = people.browser();
    held.cookie = before;
    expect(await comeBack(held, forged)).toMatchObject({ location: '/sign-in?provider=expired' });

    const first = people.browser();
    first.cookie = before;
    expect(await comeBack(first, returned)).toMatchObject({ location: '/' });
    const replay = people.browser();
    replay.cookie = before;
    expect(await comeBack(replay, returned)).toMatchObject({ location: '/sign-in?provider=expired' });
    expect((await replay.call('GET', '/account')).status).toBe(401);

    const late = people.browser();
    const again = await late.call('GET', '/oidc/start');
    now += 10 * 60_000 + 1;
    const tooLate = await comeBack(late, await provider.follow(again.headers.get('location') ?? ''));
    expect(tooLate.location).toBe('/sign-in?provider=expired');
    expect(JSON.stringify(logged)).toContain('used_already');
  });

  test('a code that was used already opens nothing, even with a new state', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    const { returned } = await goIn();
    const code = new URL(returned).searchParams.get('code') ?? '';
    const at = people.browser();
    const start = await at.call('GET', '/oidc/start');
    const fresh = new URL(await provider.follow(start.headers.get('location') ?? ''));
    fresh.searchParams.set('code', code);
    expect(await comeBack(at, fresh.href)).toMatchObject({ location: '/sign-in?provider=invalid' });
    expect(JSON.stringify(logged)).toContain('invalid_grant');
  });

  test.each<[string, (claims: Readonly<Record<string, unknown>>) => Record<string, unknown>]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'x'.repeat(43) })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another audience', (claims) => ({ ...claims, aud: 'another-client' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['an end in the past', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) - 120 })],
    ['no subject', ({ sub: _, ...claims }) => claims],
  ])('an ID token with %s opens nothing', async (_name, change) => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    provider.tamper(change);
    expect(await goIn()).toMatchObject({ location: '/sign-in?provider=invalid' });
    expect(await members()).toEqual({ 'ada@shop.example': 'owner' });
  });

  test('a clock that is half a minute off is no reason to refuse', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    const seconds = Math.floor(Date.now() / 1_000);
    provider.tamper((claims) => ({ ...claims, exp: seconds - 30, iat: seconds - 90 }));
    expect((await goIn()).location).toBe('/p/1');
  });

  test('keys that were rotated since the last sign-in are read again, and a key that is not published opens nothing', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    expect((await goIn()).location).toBe('/p/1');
    provider.rotate();
    expect((await goIn()).location).toBe('/p/1');
    const { send } = provider;
    const foreign = await startTestProvider();
    const settings = settingsFor(provider.issuer, { groups: [group('staff', 'viewer')] });
    people = openPeople(db, {
      ...{ clock, log },
      oidc: {
        settings,
        // The keys of another provider: the signature does not hold.
        send: (request, options) =>
          send(
            request.url.endsWith('/jwks') ? { ...request, url: `${foreign.issuer}/jwks` } : request,
            options,
          ),
      },
    });
    expect((await goIn()).location).toBe('/sign-in?provider=invalid');
    await foreign.close();
  });

  test('groups apply at every sign-in: a group that is gone takes the role, and none leaves no access', async () => {
    const shop = (await owner.call('POST', '/properties', { name: 'S', domain: 's.example' })).body.id;
    await open({
      groups: [
        ...[group('admins', 'admin'), group('everyone', 'viewer')],
        group('clients', 'viewer', { properties: [{ attributionId: shop, role: 'editor' }] }),
      ],
    });
    for (const [groups, role, properties] of [
      [['everyone', 'admins'], 'admin', null],
      [['everyone'], 'viewer', null],
      [['clients'], 'viewer', [{ attribution_id: shop, role: 'editor' }]],
      ['admins', 'admin', null],
    ] as const) {
      provider.signsInAs('bob', { ...BOB, groups });
      const { at, location } = await goIn();
      expect(location, String(groups)).toBe('/p/1');
      expect(await session(at)).toMatchObject({ role, properties });
    }
    const { at } = await goIn();
    for (const claims of [{ ...BOB, groups: [] }, BOB, { ...BOB, groups: [7, null] }]) {
      provider.signsInAs('bob', claims);
      expect((await goIn()).location).toBe('/sign-in?provider=no_access');
      expect((await at.call('GET', '/account')).status).toBe(401);
    }
    expect(await members()).toEqual({ 'ada@shop.example': 'owner' });
    const log = await owner.call('GET', '/organization/audit?actor=groups&limit=200');
    expect(log.body.items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining([
        'member.added',
        'member.made_viewer',
        'member.access_limited',
        'member.removed',
      ]),
    );
    expect(await db.reader.selectFrom('people').select('email').execute()).toHaveLength(2);
  });

  test('the last owner stays, whatever the groups say', async () => {
    await open({ groups: [group('owners', 'owner')], allowedDomains: ['shop.example'] });
    provider.signsInAs('ada', { email: 'ada@shop.example', email_verified: true, groups: ['owners'] });
    expect((await goIn()).location).toBe('/p/1');
    expect(await members()).toEqual({ 'ada@shop.example': 'owner by groups' });
    provider.signsInAs('ada', { email: 'ada@shop.example', email_verified: true, groups: [] });
    expect((await goIn()).location).toBe('/p/1');
    expect(await members()).toEqual({ 'ada@shop.example': 'owner by groups' });
    expect(JSON.stringify(logged)).toContain('last owner');
  });

  test('two organizations follow groups of their own, and who was invited by hand stays', async () => {
    const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
    const third = (await people.root.call('POST', '/organizations', { name: 'Third' })).body.id;
    await open({
      groups: [
        ...[group('staff', 'viewer'), group('other-admins', 'admin', { organizationId: other })],
        ...[
          group('thirds', 'owner', { organizationId: third }),
          group('x', 'owner', { organizationId: randomUUID() }),
        ],
      ],
    });
    provider.signsInAs('bob', { ...BOB, groups: ['staff', 'other-admins', 'x'] });
    const { at } = await goIn();
    const names = async () =>
      Object.fromEntries(
        (await at.call('GET', '/account')).body.organizations.map(
          ({ name, role }: { name: string; role: string }) => [name, role],
        ),
      );
    expect(await names()).toEqual({ Default: 'viewer', Other: 'admin' });
    const invited = await people.root.call('POST', `/organization/invitations?organization=${third}`, {
      ...{ email: BOB.email, role: 'admin' },
    });
    expect(invited.status).toBe(201);
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    await goIn(at);
    // The invitation was for this address, which the provider has verified.
    expect(await names()).toEqual({ Default: 'viewer', Third: 'admin' });
    await goIn(at);
    expect(await names()).toEqual({ Default: 'viewer', Third: 'admin' });
  });

  test('an organization without room is left out with a warning, and groups and invitations apply elsewhere', async () => {
    const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
    const third = (await people.root.call('POST', '/organizations', { name: 'Third' })).body.id;
    const crowd = Array.from({ length: 500 }, () => randomUUID() as string);
    // A copy has the forms of times and flags that this database has.
    const ada = await db.reader.selectFrom('people').selectAll().executeTakeFirstOrThrow();
    await db.kysely
      .insertInto('people')
      .values(crowd.map((id) => ({ ...ada, id, email: `${id}@crowd.example` })))
      .execute();
    const fill = (id: string) =>
      db.kysely
        .insertInto('members')
        .values(
          crowd.map((one) => ({
            organization_id: id,
            person_id: one,
            role: 'viewer' as const,
            created_at: now,
          })),
        )
        .execute();
    await open({
      groups: [group('staff', 'admin'), group('others', 'viewer', { organizationId: other })],
    });
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    expect((await goIn()).location).toBe('/p/1');
    await people.root.call('POST', `/organization/invitations?organization=${third}`, {
      ...{ email: BOB.email, role: 'admin' },
    });
    await fill(other);
    await fill(third);

    // What groups take is taken anyway.
    provider.signsInAs('bob', { ...BOB, groups: ['others'] });
    expect((await goIn()).location).toBe('/sign-in?provider=no_access');
    expect(await members()).toEqual({ 'ada@shop.example': 'owner' });
    provider.signsInAs('bob', { ...BOB, groups: ['staff', 'others'] });
    expect((await goIn()).location).toBe('/p/1');
    expect(await members()).toEqual({
      'ada@shop.example': 'owner',
      [BOB.email]: 'admin by groups',
    });
    for (const id of [other, third])
      expect(logged).toContainEqual([{ organization: id }, expect.stringContaining('no room')]);

    // A new person gets no account that opens nothing.
    provider.signsInAs('eve', { email: 'eve@shop.example', email_verified: true, groups: ['others'] });
    expect((await goIn()).location).toBe('/sign-in?provider=no_access');
    expect(await db.reader.selectFrom('identities').select('subject').execute()).toEqual([
      { subject: 'bob' },
    ]);

    // The invitation waits for room.
    await db.kysely
      .deleteFrom('members')
      .where('organization_id', '=', third)
      .where('person_id', '=', crowd[0] ?? '')
      .execute();
    provider.signsInAs('bob', { ...BOB, groups: ['staff', 'others'] });
    const { at } = await goIn();
    const names = (await at.call('GET', '/account')).body.organizations.map(
      ({ name }: { name: string }) => name,
    );
    expect(new Set(names)).toEqual(new Set(['Default', 'Third']));
  });

  test('two windows that come back at once make one account', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    const windows = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const at = people.browser();
        const start = await at.call('GET', '/oidc/start');
        return { at, returned: await provider.follow(start.headers.get('location') ?? '') };
      }),
    );
    const done = await Promise.all(windows.map(({ at, returned }) => comeBack(at, returned)));
    expect(done.map(({ location }) => location)).toEqual(Array.from({ length: 4 }, () => '/'));
    expect(await db.reader.selectFrom('people').select('id').execute()).toHaveLength(2);
  });

  test('a group that names a deleted property gives the others, and changes nothing at the next sign-in', async () => {
    const shop = (await owner.call('POST', '/properties', { name: 'S', domain: 's.example' })).body.id;
    const properties = [shop, randomUUID()].map((id) => ({ attributionId: id, role: 'viewer' as const }));
    await open({ groups: [group('clients', 'viewer', { properties })] });
    provider.signsInAs('bob', { ...BOB, groups: ['clients'] });
    const { at } = await goIn();
    expect((await session(at)).properties).toEqual([{ attribution_id: shop, role: 'viewer' }]);
    const rows = async () => (await owner.call('GET', '/organization/audit?actor=groups')).body.items.length;
    const before = await rows();
    await goIn();
    expect(await rows()).toBe(before);
  });

  test('an address that is not verified makes no account and takes no invitation', async () => {
    await owner.call('POST', '/organization/invitations', { email: BOB.email, role: 'admin' });
    for (const verified of [false, undefined, 'no']) {
      provider.signsInAs('mallory', { email: BOB.email, email_verified: verified, groups: ['staff'] });
      expect((await goIn()).location).toBe('/sign-in?provider=unverified_email');
      provider.signsInAs('mallory', { email: BOB.email, email_verified: verified, groups: [] });
      expect((await goIn()).location).toBe('/sign-in?provider=no_access');
    }
    provider.signsInAs('mallory', { groups: ['staff'] });
    expect((await goIn()).location).toBe('/sign-in?provider=no_email');
    expect(await members()).toEqual({ 'ada@shop.example': 'owner' });
    provider.signsInAs('bob', { ...BOB, groups: [] });
    expect((await goIn()).location).toBe('/p/1');
    expect(await members()).toMatchObject({ [BOB.email]: 'admin' });
  });

  test('an account of today is never opened by an address that someone claims', async () => {
    const claims = { email: 'ada@shop.example', email_verified: true, groups: ['staff'] };
    provider.signsInAs('mallory', claims);
    expect((await goIn()).location).toBe('/sign-in?provider=not_linked');

    await open({ allowedDomains: ['shop.example'] });
    for (const [changed, failure] of [
      [{ email_verified: false }, 'unverified_email'],
      [{ email_verified: undefined }, 'unverified_email'],
      [{ email: 'ada@shop.example.evil.example' }, 'wrong_domain'],
      [{ email: 'ada@evil.example@shop.example' }, 'no_email'],
    ] as const) {
      provider.signsInAs('mallory', { ...claims, ...changed });
      expect((await goIn()).location, failure).toBe(`/sign-in?provider=${failure}`);
    }
    // A second factor is asked for besides the password: the provider must not be the way around it.
    const { secret } = (await owner.call('POST', '/account/totp', { password: PASSWORD })).body;
    await owner.call('POST', '/account/totp/confirm', { code: totpCode(secret, stepAt(now)) });
    provider.signsInAs('ada', claims);
    expect((await goIn()).location).toBe('/sign-in?provider=second_factor');
    now += 60_000;
    const code = totpCode(secret, stepAt(now));
    expect((await owner.call('POST', '/account/totp/disable', { password: PASSWORD, code })).status).toBe(
      204,
    );

    expect((await goIn()).location).toBe('/p/1');
    // The address now belongs to another person at the company.
    provider.signsInAs('new-ada', claims);
    expect((await goIn()).location).toBe('/sign-in?provider=other_identity');
    // Her own identity opens it whatever her address is by now.
    provider.signsInAs('ada', { ...claims, email: 'ada.lovelace@shop.example' });
    const { at } = await goIn();
    expect((await session(at)).person).toMatchObject({ email: 'ada@shop.example' });
  });

  test('a provider that says nothing of verification is trusted where the operator says so', async () => {
    await open({ allowedDomains: ['shop.example'], trustEmail: true });
    provider.signsInAs('bob', { email: BOB.email, groups: ['staff'] });
    expect((await goIn()).location).toBe('/p/1');
    provider.signsInAs('eve', { email: 'eve@shop.example', email_verified: false, groups: ['staff'] });
    expect((await goIn()).location).toBe('/sign-in?provider=unverified_email');
  });

  test('a session ends after its hours, and visits don’t move the end', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    const at = people.browser();
    const start = await at.call('GET', '/oidc/start');
    const { pathname, search } = new URL(await provider.follow(start.headers.get('location') ?? ''));
    const done = await at.call('GET', `${pathname.replace('/api/v1', '')}${search}`);
    expect(done.headers.getSetCookie().join()).toContain('ghostlight_session=');
    expect(done.headers.getSetCookie().join()).toContain(`Max-Age=${12 * 3_600}`);
    for (let hour = 0; hour < 11; hour += 2) {
      now += 2 * 3_600_000 - 1;
      expect((await at.call('GET', '/session')).status, String(hour)).toBe(200);
    }
    now += 7;
    expect((await at.call('GET', '/session')).status).toBe(401);
  });

  test('signing out ends the session', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    const { at } = await goIn();
    const before = at.cookie;
    expect((await at.call('DELETE', '/session')).status).toBe(204);
    at.cookie = before;
    expect((await at.call('GET', '/session')).status).toBe(401);
  });

  test('only the provider: passwords open nothing, the admin token and invitations do', async () => {
    await open({ only: true });
    expect((await people.browser().call('GET', '/sign-in-options')).body).toEqual({
      ...{ people: true, mail: false, passwords: false, provider: { name: 'Test IdP' } },
    });
    const signIn = { email: 'ada@shop.example', password: PASSWORD };
    const refused = await people.browser().call('POST', '/session', signIn);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.body.detail).toContain('Continue with Test IdP');
    const reset = { email: 'ada@shop.example' };
    expect((await people.root.call('POST', '/people/password-resets', reset)).status).toBe(403);
    expect(await people.accounts.start()).toBeNull();
    const token = { token: 'the-root-token-of-this-test' };
    expect((await people.browser().call('POST', '/session', token)).status).toBe(200);
    await people.root.call('POST', '/organization/invitations', { email: BOB.email, role: 'owner' });
    provider.signsInAs('bob', { ...BOB, groups: [] });
    const { at } = await goIn();
    expect(await session(at)).toMatchObject({ role: 'owner' });
  });

  test('a sign-in that failed can begin again with another account, and goes on to the same page', async () => {
    provider.signsInAs('eve', { ...BOB, email: 'eve@shop.example', groups: [] });
    const at = people.browser();
    const start = await at.call('GET', '/oidc/start?next=/p/7');
    const { pathname, search } = new URL(await provider.follow(start.headers.get('location') ?? ''));
    const failed = await at.call('GET', `${pathname.replace('/api/v1', '')}${search}`);
    expect(failed.headers.get('location')).toBe('/sign-in?provider=no_access&next=%2Fp%2F7');
    const again = await at.call('GET', '/oidc/start?next=/p/7&again=1');
    expect(again.headers.get('location')).toContain('prompt=login');
    expect((await at.call('GET', '/oidc/start')).headers.get('location')).not.toContain('prompt=');
  });

  test('a refusal at the provider leads back, and no other site is a place to go on', async () => {
    provider.signsInAs(null);
    expect(await goIn()).toMatchObject({ location: '/sign-in?provider=refused' });
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
      expect((await tour(provider, people.browser(), next)).location, next).toBe('/');
  });

  test('a browser at another address than APP_BASE_URL starts again there, once', async () => {
    const start = async (path: string) => {
      const request = new Request(`https://dash.example/api/v1/oidc/start${path}`, {
        headers: { Host: '10.0.0.9:8080' },
      });
      return (await people.fetch(request)).headers.get('location');
    };
    expect(await start('?next=/p/1')).toBe('https://dash.example/api/v1/oidc/start?moved=1&next=%2Fp%2F1');
    // Behind a proxy that does not hand the host on, it goes on.
    expect(await start('?moved=1')).toContain(`${provider.issuer}/auth?`);
  });

  test('a provider that is down stops its own button alone', async () => {
    const send = vi.fn<typeof provider.send>(() => Promise.reject(new Error('no route to host')));
    const settings = settingsFor(provider.issuer);
    people = openPeople(db, { clock, log, oidc: { settings, send } });
    const starts = await Promise.all(
      Array.from({ length: 20 }, () => people.browser().call('GET', '/oidc/start')),
    );
    for (const { headers } of starts) expect(headers.get('location')).toBe('/sign-in?provider=unreachable');
    // However many press the button, it is asked once.
    expect(send).toHaveBeenCalledOnce();
    const signedIn = await people
      .browser()
      .call('POST', '/session', { email: 'ada@shop.example', password: PASSWORD });
    expect(signedIn.status).toBe(200);
    now += 2_001;
    send.mockImplementation(provider.send);
    provider.signsInAs('bob', { ...BOB, groups: [] });
    expect((await goIn()).location).toBe('/sign-in?provider=no_access');
  });

  test('an issuer that is not there, or that says it is another, opens nothing', async () => {
    const wrong = settingsFor(`${provider.issuer}/realms/other`);
    people = openPeople(db, { clock, log, oidc: { settings: wrong, send: provider.send } });
    expect((await people.browser().call('GET', '/oidc/start')).headers.get('location')).toBe(
      '/sign-in?provider=unreachable',
    );
    // Discovery that names another issuer than the operator did.
    people = openPeople(db, {
      ...{ clock, log },
      oidc: {
        settings: settingsFor('https://idp.example'),
        send: (request, options) =>
          provider.send(
            { ...request, url: request.url.replace('https://idp.example', provider.issuer) },
            options,
          ),
      },
    });
    expect((await people.browser().call('GET', '/oidc/start')).headers.get('location')).toBe(
      '/sign-in?provider=unreachable',
    );
  });

  test('who has too many groups for a token keeps what they have', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    await goIn();
    provider.tamper(({ groups: _, ...claims }) => ({ ...claims, _claim_names: { groups: 'src1' } }));
    provider.signsInAs('bob', BOB);
    expect((await goIn()).location).toBe('/sign-in?provider=too_many_groups');
    expect(await members()).toMatchObject({ [BOB.email]: 'viewer by groups' });
  });

  test('returns from one address are bounded', async () => {
    const at = people.browser();
    const answers: string[] = [];
    for (let i = 0; i < 25; i += 1)
      answers.push((await comeBack(at, 'https://dash.example/api/v1/oidc/callback')).location);
    expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => '/sign-in?provider=expired'));
    expect(answers.at(-1)).toBe('/sign-in?provider=rate_limited');
  });

  test('no token, code or secret is in the log', async () => {
    provider.signsInAs('bob', { ...BOB, groups: ['staff'] });
    provider.tamper((claims) => ({ ...claims, nonce: 'y' }));
    const { returned } = await goIn();
    const text = JSON.stringify(logged);
    expect(logged.length).toBeGreaterThan(0);
    for (const secret of [new URL(returned).searchParams.get('code') ?? '', CLIENT_SECRET, BOB.email, 'eyJ'])
      expect(text).not.toContain(secret);
  });
});
