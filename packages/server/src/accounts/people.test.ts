import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { createMailer } from '../outbound/index.ts';
import { startTestSmtp } from '../outbound/testing-smtp.ts';
import { type Browser, ORIGIN, openPeople, PASSWORD, type People, ROOT_TOKEN, tokenOf } from './testing.ts';
import { stepAt, totpCode } from './totp.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NEW_PASSWORD = 'another horse entirely';

describe.each(databases.backends)('people on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let people: People;
  beforeEach(async () => {
    now = 1_750_000_000_000;
    home = await backend.fresh({ clock });
    db = await home.node();
    people = openPeople(db, { clock });
  });
  afterEach(() => home.remove());

  const actions = async (by: Browser): Promise<string[]> =>
    (await by.call('GET', '/organization/audit?limit=200')).body.items.map(
      ({ action }: { action: string }) => action,
    );
  const idOf = async (by: Browser): Promise<string> => (await by.call('GET', '/account')).body.id;
  const signIn = (browser: Browser, email: string, password = PASSWORD, code?: string) =>
    browser.call('POST', '/session', { email, password, ...(code === undefined ? {} : { code }) });

  describe('coming in', () => {
    test('the first link makes one owner, however many use it at once', async () => {
      const token = tokenOf(await people.accounts.joining.welcomeLink());
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          people.browser({ ip: `198.51.100.${index}` }).call('POST', '/welcome', {
            token,
            name: 'Ada',
            email: `ada${index}@shop.example`,
            password: PASSWORD,
          }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 404)]);
      expect(await db.reader.selectFrom('people').selectAll().execute()).toHaveLength(1);
      expect(await db.reader.selectFrom('members').select(['role', 'organization_id']).execute()).toEqual([
        { role: 'owner', organization_id: DEFAULT_ORGANIZATION_ID },
      ]);
      expect(await people.accounts.joining.welcomeLink()).toBeNull();
      expect((await people.root.call('POST', '/people/welcome-links')).status).toBe(409);
    });

    test('two nodes that start together print a link each, and one of them is used', async () => {
      const far = openPeople(await home.node(), { clock });
      const [first, second] = [
        tokenOf(await people.accounts.joining.welcomeLink()),
        tokenOf(await far.accounts.joining.welcomeLink()),
      ];
      const use = (token: string, email: string) =>
        people.browser().call('POST', '/welcome', { token, name: 'Ada', email, password: PASSWORD });
      expect((await use(first, 'a@shop.example')).status).toBe(404);
      expect((await use(second, 'b@shop.example')).status).toBe(201);
    });

    test('a link works for its time alone, and a start without any account prints another one', async () => {
      const token = tokenOf(await people.accounts.joining.welcomeLink());
      const inspect = () => people.browser().call('POST', '/links/inspect', { token });
      expect((await inspect()).body).toMatchObject({ kind: 'welcome', has_account: false, role: 'owner' });
      now += DAY;
      expect((await inspect()).status).toBe(404);
      const late = { token, name: 'Ada', email: 'ada@shop.example', password: PASSWORD };
      expect((await people.browser().call('POST', '/welcome', late)).status).toBe(404);
      await people.owner();
    });

    test('an invitation is good once, for 7 days, for its role', async () => {
      const owner = await people.owner();
      const invite = (email: string) =>
        owner.call('POST', '/organization/invitations', { email, role: 'viewer' });
      const invited = await invite(' Bob@Shop.example ');
      expect(invited.status).toBe(201);
      expect(invited.body).toMatchObject({ email: 'bob@shop.example', role: 'viewer', mailed: false });
      const token = tokenOf(invited.body.link);
      expect((await people.browser().call('POST', '/links/inspect', { token })).body).toMatchObject({
        kind: 'invitation',
        email: 'bob@shop.example',
        role: 'viewer',
        organization: 'Default',
        has_account: false,
      });
      const accept = (ip: string) =>
        people
          .browser({ ip })
          .call('POST', '/invitations/accept', { token, name: 'Bob', password: PASSWORD });
      const answers = await Promise.all([1, 2, 3, 4, 5].map((index) => accept(`198.51.100.${index}`)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.every(({ status }) => status < 500)).toBe(true);
      expect((await accept('198.51.100.9')).status).toBe(404);
      expect((await invite('bob@shop.example')).status).toBe(409);

      const late = tokenOf((await invite('late@shop.example')).body.link);
      now += 7 * DAY;
      const body = { token: late, name: 'Late', password: PASSWORD };
      expect((await people.browser().call('POST', '/invitations/accept', body)).status).toBe(404);
    });

    test('an invitation that was withdrawn or replaced opens nothing', async () => {
      const owner = await people.owner();
      const invite = async () =>
        (await owner.call('POST', '/organization/invitations', { email: 'bob@shop.example', role: 'admin' }))
          .body;
      const first = await invite();
      const second = await invite();
      const open = (token: string) => people.browser().call('POST', '/links/inspect', { token });
      expect((await open(tokenOf(first.link))).status).toBe(404);
      expect((await open(tokenOf(second.link))).status).toBe(200);
      const listed = (await owner.call('GET', '/organization/invitations')).body.items;
      expect(listed).toHaveLength(1);
      expect(JSON.stringify(listed)).not.toContain(tokenOf(second.link));
      expect((await owner.call('DELETE', `/organization/invitations/${second.id}`)).status).toBe(204);
      expect((await open(tokenOf(second.link))).status).toBe(404);
    });

    test('two invitations of one new address, opened at once, make one account, and the other can be opened again', async () => {
      const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
      const tokens = await Promise.all(
        [DEFAULT_ORGANIZATION_ID, other].map(async (organization) => {
          const path = `/organization/invitations?organization=${organization}`;
          const { body } = await people.root.call('POST', path, {
            email: 'bob@shop.example',
            role: 'viewer',
          });
          return tokenOf(body.link);
        }),
      );
      const accept = (token: string) =>
        people.browser().call('POST', '/invitations/accept', { token, name: 'Bob', password: PASSWORD });
      const answers = await Promise.all(tokens.map(accept));
      // A request after the other one signs in to the account; one during it gets a message to try again.
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      for (const [index, { status }] of answers.entries())
        if (status === 409) expect((await accept(tokens[index] ?? '')).status).toBe(200);
      const members = await people.root.call('GET', `/organization/members?organization=${other}`);
      expect(members.body.items).toMatchObject([{ email: 'bob@shop.example', role: 'viewer' }]);
    });

    test('who has an account already comes in as themselves, and goes between organizations', async () => {
      const owner = await people.owner();
      const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
      const invited = await people.root.call('POST', `/organization/invitations?organization=${other}`, {
        email: 'ada@shop.example',
        role: 'viewer',
      });
      const token = tokenOf(invited.body.link);
      const accept = (password: string) =>
        people.browser().call('POST', '/invitations/accept', { token, name: 'Eve', password });
      expect((await accept('not the password')).status).toBe(401);
      const accepted = await accept(PASSWORD);
      expect(accepted.body).toMatchObject({
        role: 'viewer',
        organization: { id: other },
        person: { name: 'Ada' },
      });
      expect((await owner.call('GET', '/session')).body.organization_id).toBe(DEFAULT_ORGANIZATION_ID);
      // Only the first organization runs the installation, and can't be deleted.
      expect((await owner.call('GET', '/organization')).body.runs_installation).toBe(true);
      const moved = await owner.call('PUT', '/account/organization', { organization_id: other });
      expect((await owner.call('GET', '/organization')).body.runs_installation).toBe(false);
      expect(moved.body).toMatchObject({ role: 'viewer', organization: { id: other, name: 'Other' } });
      expect((await owner.call('PATCH', '/organization', { name: 'Mine' })).status).toBe(403);
      expect((await owner.call('GET', '/organizations')).body.items).toHaveLength(2);
      const nowhere = { organization_id: '11111111-1111-4111-8111-111111111111' };
      expect((await owner.call('PUT', '/account/organization', nowhere)).status).toBe(404);
      expect((await owner.call('DELETE', `/account/organizations/${other}`)).status).toBe(204);
      expect((await owner.call('GET', '/account')).status).toBe(401);
      expect((await signIn(owner, 'ada@shop.example')).body.organization_id).toBe(DEFAULT_ORGANIZATION_ID);
    });

    test('a valid link works whatever is guessed from the same address', async () => {
      const owner = await people.owner();
      const { link } = (
        await owner.call('POST', '/organization/invitations', { email: 'bob@shop.example', role: 'viewer' })
      ).body;
      const inspect = (token: string) =>
        people.browser({ ip: '198.51.100.60' }).call('POST', '/links/inspect', { token });
      const guesses = await Promise.all(Array.from({ length: 70 }, () => inspect('x'.repeat(43))));
      expect(guesses.at(-1)?.status).toBe(429);
      expect((await inspect(tokenOf(link))).status).toBe(200);
    });

    test('links are not guessed: sixty wrong ones, then one a second', async () => {
      const guess = () =>
        people.browser({ ip: '198.51.100.60' }).call('POST', '/links/inspect', { token: 'x'.repeat(43) });
      const statuses = await Promise.all(
        Array.from({ length: 70 }, () => guess().then(({ status }) => status)),
      );
      expect(statuses.filter((status) => status === 404)).toHaveLength(60);
      expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    });

    test('tokens of links are in no table', async () => {
      const owner = await people.owner();
      const body = { email: 'bob@shop.example', role: 'viewer' };
      const { link } = (await owner.call('POST', '/organization/invitations', body)).body;
      const rows = await db.reader.selectFrom('one_time_links').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(tokenOf(link));
    });
  });

  describe('signing in', () => {
    test('an unknown address and a wrong password are one answer', async () => {
      await people.owner();
      const unknown = await signIn(people.browser(), 'nobody@shop.example', 'x'.repeat(12));
      const wrong = await signIn(people.browser(), 'ada@shop.example', 'x'.repeat(12));
      expect([unknown.status, unknown.body]).toEqual([401, wrong.body]);
      expect([...unknown.headers]).toEqual([...wrong.headers]);
      const good = await signIn(people.browser(), ' ADA@shop.example ');
      expect(good.body).toMatchObject({
        kind: 'person',
        role: 'owner',
        person: { name: 'Ada', email: 'ada@shop.example' },
        organization: { id: DEFAULT_ORGANIZATION_ID },
      });
      expect(good.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    });

    test('guessing is slowed per address and per account, and a thousand guesses at once are a thousand', async () => {
      await people.join(await people.owner(), 'bob@shop.example', 'viewer');
      const guesses = await Promise.all(
        Array.from({ length: 30 }, () =>
          signIn(people.browser({ ip: '198.51.100.7' }), 'ada@shop.example', 'x'.repeat(12)),
        ),
      );
      expect(guesses.filter(({ status }) => status === 401)).toHaveLength(20);
      expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10);
      const elsewhere = people.browser({ ip: '198.51.100.8' });
      const slowed = await signIn(elsewhere, 'ada@shop.example');
      expect([slowed.status, Number(slowed.headers.get('retry-after'))]).toEqual([429, 10]);
      // Other people sign in from either address.
      for (const at of [elsewhere, people.browser({ ip: '198.51.100.7' })])
        expect((await signIn(at, 'bob@shop.example')).status).toBe(200);
      now += 10_000;
      expect((await signIn(elsewhere, 'ada@shop.example')).status).toBe(200);
    });

    describe('a browser that signed in before', () => {
      const guessAway = async (ip: string, email = 'ada@shop.example') => {
        for (let i = 0; i < 21; i += 1) await signIn(people.browser({ ip }), email, 'x'.repeat(12));
      };

      test('signs in while attackers guess at the account, from anywhere or from its own address', async () => {
        await people.owner();
        const known = people.browser({ ip: '198.51.100.7' });
        await signIn(known, 'ada@shop.example');
        await known.call('DELETE', '/session');
        await guessAway('198.51.100.7');
        expect((await signIn(people.browser({ ip: '198.51.100.7' }), 'ada@shop.example')).status).toBe(429);
        expect((await signIn(known, 'ada@shop.example')).status).toBe(200);
      });

      test('has ten guesses of its own, and is known for those alone who used it', async () => {
        const owner = await people.owner();
        await people.join(owner, 'bob@shop.example', 'viewer');
        const known = people.browser({ ip: '198.51.100.7' });
        await signIn(known, 'ada@shop.example');
        await guessAway('198.51.100.9');
        const statuses: number[] = [];
        for (let i = 0; i < 11; i += 1)
          statuses.push((await signIn(known, 'ada@shop.example', 'x'.repeat(12))).status);
        expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
        const cookie = known.cookie;
        for (const email of ['carol@shop.example', 'dan@shop.example'])
          await guessAway('198.51.100.7', email);
        expect((await signIn(known, 'bob@shop.example')).status).toBe(429);
        known.cookie = cookie;
        now += 30_000;
        expect((await signIn(known, 'ada@shop.example')).status).toBe(200);
      });

      test('remembers the people who share it, and a made-up mark is none', async () => {
        const owner = await people.owner();
        await people.join(owner, 'bob@shop.example', 'viewer');
        const shared = people.browser({ ip: '198.51.100.7' });
        await signIn(shared, 'ada@shop.example');
        await signIn(shared, 'bob@shop.example');
        await guessAway('198.51.100.7');
        expect((await signIn(shared, 'ada@shop.example')).status).toBe(200);
        expect((await signIn(shared, 'bob@shop.example')).status).toBe(200);
        const forged = people.browser({ ip: '198.51.100.7' });
        forged.cookie = `ghostlight_browser=${'A'.repeat(22)}.${'B'.repeat(22)}`;
        expect((await signIn(forged, 'ada@shop.example')).status).toBe(429);
        forged.cookie = 'ghostlight_browser=.';
        expect((await signIn(forged, 'ada@shop.example')).status).toBe(429);
      });

      test('changes a password while attackers guess at it', async () => {
        const owner = await people.owner();
        await guessAway('203.0.113.1');
        const change = { current: PASSWORD, new: 'another good phrase' };
        expect((await owner.call('PUT', '/account/password', change)).status).toBe(204);
      });
    });

    test('a planted session does not continue as the signed-in one', async () => {
      await people.owner();
      const browser = people.browser();
      await signIn(browser, 'ada@shop.example');
      const planted = browser.cookie;
      await signIn(browser, 'ada@shop.example');
      expect(browser.cookie).not.toBe(planted);
      const attacker = people.browser();
      attacker.cookie = planted;
      expect((await attacker.call('GET', '/account')).status).toBe(401);
      expect((await browser.call('GET', '/account')).status).toBe(200);
    });

    test('passwords have 12 to 128 characters', async () => {
      const token = tokenOf(await people.accounts.joining.welcomeLink());
      const long = (length: number) => 'correct horse battery '.repeat(6).slice(0, length);
      const choose = (password: string) =>
        people
          .browser()
          .call('POST', '/welcome', { token, name: 'Ada', email: 'ada@shop.example', password });
      for (const password of [long(11), long(129)]) {
        const refused = await choose(password);
        expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/password']);
      }
      expect((await choose(long(128))).status).toBe(201);
      expect((await signIn(people.browser(), 'ada@shop.example', long(128))).status).toBe(200);
      expect((await signIn(people.browser(), 'ada@shop.example', long(129))).status).toBe(422);
    });

    test('another site can neither sign a person in nor use a link', async () => {
      const token = tokenOf(await people.accounts.joining.welcomeLink());
      for (const [path, body] of [
        ['/session', { email: 'ada@shop.example', password: PASSWORD }],
        ['/welcome', { token, name: 'Eve', email: 'eve@evil.example', password: PASSWORD }],
        ['/links/inspect', { token }],
        ['/invitations/accept', { token, name: 'Eve', password: PASSWORD }],
        ['/password-resets', { email: 'ada@shop.example' }],
        ['/password-resets/complete', { token, password: PASSWORD }],
      ] as const) {
        const request = new Request(`https://dash.example/api/v1${path}`, {
          method: 'POST',
          headers: { Origin: 'https://evil.example', 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect(() => people.accounts.assertOwnOrigin(request), path).toThrow(
          expect.objectContaining({ code: 'forbidden' }),
        );
        const answer = await people.fetch(request);
        expect(answer.status, path).toBe(403);
      }
      expect((await people.browser().call('POST', '/links/inspect', { token })).status).toBe(200);
    });

    test('sessions are listed and ended, each by its own person', async () => {
      const owner = await people.owner();
      const bob = await people.join(owner, 'bob@shop.example', 'viewer');
      const phone = people.browser({ ip: '198.51.100.77' });
      await signIn(phone, 'bob@shop.example');
      const { items } = (await bob.call('GET', '/account/sessions')).body;
      expect(items).toHaveLength(2);
      expect(items.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
      const other = items.find(({ current }: { current: boolean }) => !current);
      expect(other).toMatchObject({ address: '198.51.100.77', user_agent: 'Test/1.0' });
      expect(JSON.stringify(items)).not.toContain(/ghostlight_session=([^;]+)/.exec(bob.cookie)?.[1]);
      expect((await owner.call('DELETE', `/account/sessions/${other.id}`)).status).toBe(404);
      expect((await phone.call('GET', '/account')).status).toBe(200);
      expect((await bob.call('DELETE', `/account/sessions/${other.id}`)).status).toBe(204);
      expect((await phone.call('GET', '/account')).status).toBe(401);
      await signIn(phone, 'bob@shop.example');
      expect((await bob.call('DELETE', '/account/sessions')).status).toBe(204);
      expect((await phone.call('GET', '/account')).status).toBe(401);
      expect((await bob.call('GET', '/account')).status).toBe(200);
      expect((await owner.call('GET', '/account')).status).toBe(200);
    });

    test('a changed password ends all other sessions', async () => {
      const owner = await people.owner();
      const phone = people.browser();
      await signIn(phone, 'ada@shop.example');
      const change = (current: string, next: string) =>
        owner.call('PUT', '/account/password', { current, new: next });
      const wrong = await change('not the password', NEW_PASSWORD);
      expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/current']);
      expect((await change(PASSWORD, 'short')).body.errors[0].pointer).toBe('/new');
      expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(204);
      expect((await owner.call('GET', '/account')).status).toBe(200);
      expect((await phone.call('GET', '/account')).status).toBe(401);
      expect((await signIn(phone, 'ada@shop.example')).status).toBe(401);
      expect((await signIn(phone, 'ada@shop.example', NEW_PASSWORD)).status).toBe(200);
    });
  });

  describe('a second factor', () => {
    const setUp = async (owner: Browser) => {
      const begun = (await owner.call('POST', '/account/totp', { password: PASSWORD })).body;
      const confirmed = await owner.call('POST', '/account/totp/confirm', {
        code: totpCode(begun.secret, stepAt(now)),
      });
      now += 30_000;
      return { secret: begun.secret as string, begun, codes: confirmed.body.recovery_codes as string[] };
    };

    test('is on once a code has proved it; its secret is encrypted', async () => {
      const owner = await people.owner();
      expect((await owner.call('POST', '/account/totp', { password: 'not the password' })).status).toBe(422);
      const first = (await owner.call('POST', '/account/totp', { password: PASSWORD })).body;
      expect(first.uri).toContain(`secret=${first.secret}`);
      expect(first.qr.rows).toHaveLength(first.qr.size);
      // The dashboard leaves the quiet zone: the first row begins with a finder.
      expect(first.qr.rows[0]).toMatch(/^1{7}0[01]*01{7}$/);
      expect((await signIn(people.browser(), 'ada@shop.example')).status).toBe(200);
      expect((await owner.call('POST', '/account/totp/confirm', { code: '000000' })).status).toBe(422);
      const { secret, codes } = await setUp(owner);
      expect(codes).toHaveLength(10);
      expect(new Set(codes).size).toBe(10);
      expect((await owner.call('GET', '/account')).body).toMatchObject({
        totp: true,
        recovery_codes_left: 10,
      });
      expect((await owner.call('POST', '/account/totp', { password: PASSWORD })).status).toBe(409);
      const stored = JSON.stringify([
        await db.reader.selectFrom('second_factors').selectAll().execute(),
        await db.reader.selectFrom('recovery_codes').selectAll().execute(),
      ]);
      for (const text of [secret, ...codes]) expect(stored).not.toContain(text);
    });

    test('is asked for after the right password alone', async () => {
      const owner = await people.owner();
      await setUp(owner);
      const phone = people.browser();
      expect((await signIn(phone, 'ada@shop.example', 'not the password', '123456')).body.type).toBe(
        '/problems/unauthorized',
      );
      const asked = await signIn(phone, 'ada@shop.example');
      expect([asked.status, asked.body.type, phone.cookie]).toEqual([
        401,
        '/problems/second_factor_required',
        '',
      ]);
    });

    test('takes a code one step early or late, and each code once', async () => {
      const owner = await people.owner();
      const { secret } = await setUp(owner);
      const phone = people.browser();
      const at = (steps: number) => totpCode(secret, stepAt(now) + steps);
      expect((await signIn(phone, 'ada@shop.example', PASSWORD, at(-2))).status).toBe(401);
      expect((await signIn(phone, 'ada@shop.example', PASSWORD, at(2))).status).toBe(401);
      expect((await signIn(phone, 'ada@shop.example', PASSWORD, at(0))).status).toBe(200);
      expect((await signIn(phone, 'ada@shop.example', PASSWORD, at(0))).status).toBe(401);
      const code = at(1);
      const both = await Promise.all(
        [1, 2, 3].map(() => signIn(people.browser(), 'ada@shop.example', PASSWORD, code)),
      );
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      now += 10 * MINUTE;
      expect((await signIn(phone, 'ada@shop.example', PASSWORD, at(-1))).status).toBe(200);
    });

    test('has recovery codes, each good once, even for two at the same moment', async () => {
      const owner = await people.owner();
      const { codes } = await setUp(owner);
      const [first = '', second = ''] = codes;
      const tries = await Promise.all(
        [1, 2, 3].map(() => signIn(people.browser(), 'ada@shop.example', PASSWORD, first)),
      );
      expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
      now += 10 * MINUTE;
      expect(
        (await signIn(people.browser(), 'ada@shop.example', PASSWORD, second.toUpperCase())).status,
      ).toBe(200);
      expect((await owner.call('GET', '/account')).body.recovery_codes_left).toBe(8);
      const renewed = await owner.call('POST', '/account/recovery-codes', { password: PASSWORD });
      expect(renewed.body.recovery_codes).toHaveLength(10);
      expect((await signIn(people.browser(), 'ada@shop.example', PASSWORD, codes[5])).status).toBe(401);
    });

    test('is not guessed: five wrong codes, then one in half a minute', async () => {
      const owner = await people.owner();
      const { secret } = await setUp(owner);
      const guess = (code: string) => signIn(people.browser(), 'ada@shop.example', PASSWORD, code);
      const statuses = await Promise.all(
        Array.from({ length: 8 }, (_, index) => guess(`99999${index}`).then(({ status }) => status)),
      );
      expect(statuses.sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
      expect((await guess(totpCode(secret, stepAt(now)))).status).toBe(429);
      now += 30_000;
      expect((await guess(totpCode(secret, stepAt(now)))).status).toBe(200);
    });

    test('is turned off with the password and a code', async () => {
      const owner = await people.owner();
      const { secret } = await setUp(owner);
      const off = (password: string, code: string) =>
        owner.call('POST', '/account/totp/disable', { password, code });
      expect((await off('not the password', totpCode(secret, stepAt(now)))).body.errors[0].pointer).toBe(
        '/password',
      );
      expect((await off(PASSWORD, '000000')).body.errors[0].pointer).toBe('/code');
      expect((await off(PASSWORD, totpCode(secret, stepAt(now)))).status).toBe(204);
      expect((await signIn(people.browser(), 'ada@shop.example')).status).toBe(200);
    });

    test('is turned off by the admin token for a person who has lost everything', async () => {
      const owner = await people.owner();
      await setUp(owner);
      const body = { email: 'ada@shop.example', second_factor_off: true };
      const { link } = (await people.root.call('POST', '/people/password-resets', body)).body;
      const reset = { token: tokenOf(link), password: NEW_PASSWORD };
      expect((await people.browser().call('POST', '/password-resets/complete', reset)).status).toBe(204);
      expect((await signIn(owner, 'ada@shop.example', NEW_PASSWORD)).status).toBe(200);
      expect(await actions(owner)).toContain('second_factor.off');
    });

    test('that can’t be read any more leaves the recovery codes, and says so', async () => {
      const owner = await people.owner();
      const { codes } = await setUp(owner);
      const secret = createSecretCipher('l'.repeat(32)).encrypt('lost', 'totp');
      await db.kysely.updateTable('second_factors').set({ secret }).execute();
      const refused = await signIn(people.browser(), 'ada@shop.example', PASSWORD, '123456');
      expect([refused.status, refused.body.type]).toEqual([401, '/problems/second_factor_required']);
      expect(refused.body.detail).toContain('recovery code');
      expect((await signIn(people.browser(), 'ada@shop.example', PASSWORD, codes[0])).status).toBe(200);
    });

    test('outlives a rotation of SECRET_KEY', async () => {
      const owner = await people.owner();
      const { secret } = await setUp(owner);
      const rotating = openPeople(await home.node(), {
        clock,
        secretKey: 't'.repeat(32),
        previous: 's'.repeat(32),
      });
      await rotating.accounts.upkeep();
      const after = openPeople(await home.node(), { clock, secretKey: 't'.repeat(32) });
      const code = totpCode(secret, stepAt(now));
      expect((await signIn(after.browser(), 'ada@shop.example', PASSWORD, code)).status).toBe(200);
    });
  });

  test('an invitation ends with its creator’s ownership, so a removed owner can’t return by their own link', async () => {
    const owner = await people.owner();
    const invite = async (by: Browser, email: string) =>
      (await by.call('POST', '/organization/invitations', { email, role: 'owner' })).body.link;
    for (const change of ['removed', 'made a viewer'] as const) {
      const eve = await people.join(owner, `eve-${change.length}@shop.example`, 'owner');
      const id = await idOf(eve);
      const [hers, ours] = [
        await invite(eve, `back-${change.length}@shop.example`),
        await invite(owner, `new-${change.length}@shop.example`),
      ];
      if (change === 'removed') await owner.call('DELETE', `/organization/members/${id}`);
      else await owner.call('PATCH', `/organization/members/${id}`, { role: 'viewer' });
      const accept = (link: string | null) =>
        people.browser().call('POST', '/invitations/accept', {
          ...{ token: tokenOf(link), name: 'Somebody', password: PASSWORD },
        });
      expect((await accept(hers)).status, change).toBe(404);
      expect((await accept(ours)).status, change).toBe(200);
    }
    expect((await actions(owner)).filter((action) => action === 'invitation.withdrawn')).toHaveLength(2);
  });

  test('a second factor that no key opens keeps no other from being re-encrypted', async () => {
    const owner = await people.owner();
    const others = [await people.join(owner, 'bob@shop.example', 'viewer'), owner];
    for (const one of others) await one.call('POST', '/account/totp', { password: PASSWORD });
    const secrets = () =>
      db.kysely.selectFrom('second_factors').select(['person_id', 'secret']).orderBy('person_id').execute();
    const [first, second] = await secrets();
    await db.kysely
      .updateTable('second_factors')
      .set({ secret: createSecretCipher('l'.repeat(32)).encrypt('lost', 'totp') })
      .where('person_id', '=', first?.person_id ?? '')
      .execute();
    const [secretKey, previous] = ['t'.repeat(32), 's'.repeat(32)];
    await openPeople(db, { clock, secretKey, previous }).accounts.upkeep();
    const renewed = (await secrets())[1];
    expect(renewed?.person_id).toBe(second?.person_id);
    expect(createSecretCipher(secretKey).isStale(renewed?.secret ?? '')).toBe(false);
  });

  describe('API tokens beside a new password', () => {
    const works = async (token: string) =>
      (await people.browser({ token }).call('GET', '/organization')).status === 200;
    const issue = async (by: Browser) =>
      (await by.call('POST', '/organization/tokens', { name: 'Nightly', role: 'viewer' })).body.token;

    test('go on after a reset that says nothing of them, and the link says how many there are', async () => {
      const owner = await people.owner();
      const token = await issue(owner);
      const { body } = await people.root.call('POST', '/people/password-resets', {
        email: 'ada@shop.example',
      });
      const link = tokenOf(body.link);
      const inspected = await people.browser().call('POST', '/links/inspect', { token: link });
      expect(inspected.body).toMatchObject({ kind: 'reset', api_tokens: 1 });
      const reset = { token: link, password: NEW_PASSWORD };
      expect((await people.browser().call('POST', '/password-resets/complete', reset)).status).toBe(204);
      expect(await works(token)).toBe(true);
    });

    test('are revoked at once where the reset or the change says so, and those of others stay', async () => {
      const owner = await people.owner();
      const bob = await people.join(owner, 'bob@shop.example', 'admin');
      const [first, kept] = [await issue(owner), await issue(bob)];
      expect(await works(first)).toBe(true);
      const { body } = await people.root.call('POST', '/people/password-resets', {
        email: 'ada@shop.example',
      });
      const reset = { token: tokenOf(body.link), password: NEW_PASSWORD, revoke_api_tokens: true };
      expect((await people.browser().call('POST', '/password-resets/complete', reset)).status).toBe(204);
      expect([await works(first), await works(kept)]).toEqual([false, true]);
      await signIn(owner, 'ada@shop.example', NEW_PASSWORD);
      const second = await issue(owner);
      expect((await owner.call('GET', '/account')).body.api_tokens).toBe(1);
      const change = { current: NEW_PASSWORD, new: 'a third horse entirely', revoke_api_tokens: true };
      const misspelt = { current: NEW_PASSWORD, new: change.new, revoke_tokens: true };
      expect((await owner.call('PUT', '/account/password', misspelt)).status).toBe(422);
      expect(await works(second)).toBe(true);
      expect((await owner.call('PUT', '/account/password', change)).status).toBe(204);
      expect([await works(second), await works(kept)]).toEqual([false, true]);
      expect((await owner.call('GET', '/account')).body.api_tokens).toBe(0);
      expect((await actions(owner)).filter((action) => action === 'api_token.revoked')).toHaveLength(2);
    });

    test('a password that is easy to guess is refused wherever one is chosen', async () => {
      const owner = await people.owner();
      const refused = await owner.call('PUT', '/account/password', {
        current: PASSWORD,
        new: 'ada@shop.example',
      });
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/new']);
      const { body } = await people.root.call('POST', '/people/password-resets', {
        email: 'ada@shop.example',
      });
      const reset = { token: tokenOf(body.link), password: 'password1234' };
      expect((await people.browser().call('POST', '/password-resets/complete', reset)).status).toBe(422);
      // The link is as good as before.
      reset.password = NEW_PASSWORD;
      expect((await people.browser().call('POST', '/password-resets/complete', reset)).status).toBe(204);
      const { link } = (
        await people.root.call('POST', '/organization/invitations', {
          email: 'bob@shop.example',
          role: 'viewer',
        })
      ).body;
      const accept = { token: tokenOf(link), name: 'Bob', password: 'qwertyuiop12' };
      expect((await people.browser().call('POST', '/invitations/accept', accept)).status).toBe(422);
    });
  });

  describe('a forgotten password', () => {
    test('is replaced by a link in a mail, good once, which ends every session', async () => {
      const smtp = await startTestSmtp();
      try {
        people = openPeople(db, { clock, mailer: createMailer({ url: smtp.url, from: 'g@app.example' }) });
        const owner = await people.owner();
        const ask = (email: string) => people.browser().call('POST', '/password-resets', { email });
        const [known, unknown] = [await ask('Ada@shop.example'), await ask('nobody@shop.example')];
        expect([known.status, known.body, [...known.headers]]).toEqual([
          202,
          unknown.body,
          [...unknown.headers],
        ]);
        const { to, text } = await smtp.mail(0);
        expect(to).toBe('ada@shop.example');
        const first = /https:\/\/dash\.example\/reset-password#token=([\w-]+)/.exec(text)?.[1] ?? '';
        await ask('ada@shop.example');
        const second = /#token=([\w-]+)/.exec((await smtp.mail(1)).text)?.[1] ?? '';
        const complete = (token: string, password = NEW_PASSWORD) =>
          people.browser().call('POST', '/password-resets/complete', { token, password });
        expect((await complete(first)).status).toBe(404);
        expect((await complete(second, 'short')).status).toBe(422);
        const answers = await Promise.all([1, 2, 3].map(() => complete(second)));
        expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
        expect((await owner.call('GET', '/account')).status).toBe(401);
        expect((await signIn(owner, 'ada@shop.example')).status).toBe(401);
        expect((await signIn(owner, 'ada@shop.example', NEW_PASSWORD)).status).toBe(200);
        expect(smtp.mails).toHaveLength(2);
        // An unauthenticated client can't fill a mailbox.
        for (let index = 0; index < 5; index += 1) await ask('ada@shop.example');
        await smtp.mail(2);
        await people.accounts.close();
        expect(smtp.mails).toHaveLength(3);
      } finally {
        await smtp.close();
      }
    });

    test('invitations are mailed too, and shown where the mail server refuses', async () => {
      const smtp = await startTestSmtp();
      try {
        people = openPeople(db, { clock, mailer: createMailer({ url: smtp.url, from: 'g@app.example' }) });
        const owner = await people.owner();
        const invite = (email: string) =>
          owner.call('POST', '/organization/invitations', { email, role: 'viewer' });
        expect((await invite('bob@shop.example')).body).toMatchObject({ mailed: true, link: null });
        expect(smtp.mails[0]?.text).toContain('https://dash.example/invitation#token=');
        smtp.refuse('550 no');
        expect((await invite('eve@shop.example')).body).toMatchObject({
          mailed: false,
          link: expect.stringContaining('/invitation#token='),
        });
      } finally {
        await smtp.close();
      }
    });

    test('without mail the admin token makes the link', async () => {
      const owner = await people.owner();
      expect(
        (await owner.call('POST', '/people/password-resets', { email: 'ada@shop.example' })).status,
      ).toBe(403);
      expect(
        (await people.root.call('POST', '/people/password-resets', { email: 'x@shop.example' })).status,
      ).toBe(404);
      const made = await people.root.call('POST', '/people/password-resets', { email: 'ada@shop.example' });
      const token = tokenOf(made.body.link);
      now += HOUR;
      const late = { token, password: NEW_PASSWORD };
      expect((await people.browser().call('POST', '/password-resets/complete', late)).status).toBe(404);
      await people.accounts.upkeep();
      expect(await db.reader.selectFrom('one_time_links').selectAll().execute()).toEqual([]);
    });
  });

  describe('members', () => {
    test.each(['removed', 'made a viewer'])(
      'an owner who is %s ends no request that was begun before',
      async (change) => {
        const owner = await people.owner();
        const bob = await people.join(owner, 'bob@shop.example', 'owner');
        let finish = (_rest: string) => {};
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"email":"mallory@evil.example",'));
            finish = (rest) => {
              controller.enqueue(new TextEncoder().encode(rest));
              controller.close();
            };
          },
        });
        const unfinished = people.fetch(
          new Request(`${ORIGIN}/api/v1/organization/invitations`, {
            method: 'POST',
            headers: { Origin: ORIGIN, Cookie: bob.cookie, 'Content-Type': 'application/json' },
            body,
            duplex: 'half',
          } as RequestInit),
        );
        const member = `/organization/members/${await idOf(bob)}`;
        if (change === 'removed') expect((await owner.call('DELETE', member)).status).toBe(204);
        else expect((await owner.call('PATCH', member, { role: 'viewer' })).status).toBe(200);
        finish('"role":"owner"}');
        expect((await unfinished).status).toBe(change === 'removed' ? 401 : 403);
        expect((await owner.call('GET', '/organization/invitations')).body.items).toEqual([]);
      },
    );

    test('a change that waited while its maker was removed is not written', async () => {
      const owner = await people.owner();
      const bob = await people.join(owner, 'bob@shop.example', 'owner');
      const { accounts } = people;
      const scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID } as const;
      const [adaId, bobId] = [await idOf(owner), await idOf(bob)];
      const actor = `person:${bobId}`;
      expect((await owner.call('DELETE', `/organization/members/${bobId}`)).status).toBe(204);
      const role = 'owner' as const;
      const changes = [
        () => accounts.joining.invite(scope, actor, { email: 'mallory@evil.example', role, chosen: null }),
        () => accounts.joining.withdraw(scope, actor, adaId),
        () => accounts.organizations.change(scope, actor, adaId, { role: 'viewer' }),
        () => accounts.organizations.remove(scope, actor, adaId),
        () => accounts.organizations.rename(scope, actor, 'Mallory’s'),
        () =>
          accounts.tokens.issue(
            { kind: 'person', scope, role, actor, personId: bobId, sessionId: 's' },
            scope,
            { name: 'left behind', role: 'admin' },
          ),
      ];
      for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'forbidden' });
      expect((await owner.call('GET', '/organization')).body.name).not.toBe('Mallory’s');
    });

    test('the last owner is neither demoted nor removed, nor can two owners do it to each other', async () => {
      const owner = await people.owner();
      const ada = await idOf(owner);
      const demote = (by: Browser, id: string) =>
        by.call('PATCH', `/organization/members/${id}`, { role: 'admin' });
      expect((await demote(owner, ada)).status).toBe(409);
      expect((await owner.call('DELETE', `/organization/members/${ada}`)).status).toBe(409);
      expect((await owner.call('DELETE', `/account/organizations/${DEFAULT_ORGANIZATION_ID}`)).status).toBe(
        409,
      );
      expect((await people.root.call('DELETE', `/organization/members/${ada}`)).status).toBe(409);
      const second = await people.join(owner, 'bob@shop.example', 'owner');
      const bob = await idOf(second);
      for (let round = 0; round < 5; round += 1) {
        await Promise.all([demote(people.root, ada), demote(people.root, bob)]);
        const owners = await db.reader
          .selectFrom('members')
          .selectAll()
          .where('role', '=', 'owner')
          .execute();
        expect(owners).toHaveLength(1);
        for (const id of [ada, bob])
          await people.root.call('PATCH', `/organization/members/${id}`, { role: 'owner' });
      }
      await Promise.all([
        owner.call('DELETE', `/organization/members/${bob}`),
        second.call('DELETE', `/organization/members/${ada}`),
      ]);
      expect(await db.reader.selectFrom('members').selectAll().execute()).toHaveLength(1);
    });

    test('a role holds from the next request on, a removal at once', async () => {
      const owner = await people.owner();
      const bob = await people.join(owner, 'bob@shop.example', 'viewer');
      const id = await idOf(bob);
      const create = () => bob.call('POST', '/properties', { name: 'Shop', domain: 'shop.example' });
      expect((await create()).status).toBe(403);
      await owner.call('PATCH', `/organization/members/${id}`, { role: 'admin' });
      expect((await create()).status).toBe(201);
      expect((await bob.call('PATCH', `/organization/members/${id}`, { role: 'owner' })).status).toBe(403);
      expect((await owner.call('DELETE', `/organization/members/${id}`)).status).toBe(204);
      expect((await create()).status).toBe(401);
      expect((await signIn(bob, 'bob@shop.example')).status).toBe(403);
      // Listed in the order in which they came.
      now += 1;
      await people.join(owner, 'bob@shop.example', 'viewer');
      expect((await owner.call('GET', '/organization/members')).body.items).toMatchObject([
        { email: 'ada@shop.example', role: 'owner' },
        { email: 'bob@shop.example', role: 'viewer', totp: false },
      ]);
    });
  });

  describe('API tokens', () => {
    const issue = async (by: Browser, token: Record<string, unknown>) =>
      await by.call('POST', '/organization/tokens', { name: 'CI', role: 'admin', ...token });
    const withToken = (token: string) => people.browser({ token });

    test('appear in full only in the answer that issues them', async () => {
      const owner = await people.owner();
      const { body, status } = await issue(owner, {});
      expect(status).toBe(201);
      expect(body.token).toMatch(/^ght_[0-9A-Za-z]{43}$/);
      const caller = withToken(body.token);
      expect((await caller.call('GET', '/session')).body).toMatchObject({
        kind: 'token',
        role: 'admin',
        actor: `token:${body.id}`,
        organization_id: DEFAULT_ORGANIZATION_ID,
        runs_installation: true,
        person: null,
      });
      const listed = JSON.stringify((await owner.call('GET', '/organization/tokens')).body);
      const stored = JSON.stringify(await db.reader.selectFrom('api_tokens').selectAll().execute());
      for (const text of [listed, stored]) {
        expect(text).toContain(body.token.slice(0, 12));
        expect(text).not.toContain(body.token.slice(12));
      }
      await people.accounts.close();
      const [used] = (await owner.call('GET', '/organization/tokens')).body.items;
      expect(used.last_used_at).toBe(new Date(now).toISOString());
      expect(used.last_used_from).toMatch(/^\d+\.\d+\.\d+\.0\/24$/);
    });

    test('end when they are revoked, and at their time', async () => {
      const owner = await people.owner();
      const { body } = await issue(owner, { expires_at: new Date(now + DAY).toISOString() });
      const caller = withToken(body.token);
      expect((await caller.call('GET', '/properties')).status).toBe(200);
      now += DAY;
      expect((await caller.call('GET', '/properties')).status).toBe(401);
      const second = (await issue(owner, {})).body;
      expect((await withToken(second.token).call('GET', '/properties')).status).toBe(200);
      expect((await owner.call('DELETE', `/organization/tokens/${second.id}`)).status).toBe(204);
      expect((await withToken(second.token).call('GET', '/properties')).status).toBe(401);
      expect((await withToken(`ght_${'x'.repeat(43)}`).call('GET', '/properties')).status).toBe(401);
      expect((await issue(owner, { expires_at: new Date(now - 1).toISOString() })).status).toBe(422);
    });

    test('are of one property where they say so, and of the role that they say', async () => {
      const owner = await people.owner();
      const create = async (name: string) =>
        (await owner.call('POST', '/properties', { name, domain: `${name}.example` })).body.id as string;
      const [mine, other] = [await create('mine'), await create('other')];
      const bound = withToken((await issue(owner, { attribution_id: mine.toUpperCase() })).body.token);
      expect((await bound.call('GET', `/properties/${mine}`)).status).toBe(200);
      expect(
        (await bound.call('PATCH', `/properties/${mine.toUpperCase()}`, { name: 'Renamed' })).status,
      ).toBe(200);
      expect((await bound.call('GET', `/properties/${other}`)).status).toBe(404);
      expect((await bound.call('PATCH', `/properties/${other}`, { name: 'Stolen' })).status).toBe(404);
      const listed = (await bound.call('GET', '/properties')).body.items as { id: string }[];
      expect(listed.map(({ id }) => id)).toEqual([mine]);
      expect((await bound.call('POST', '/properties', { name: 'x', domain: 'x.example' })).status).toBe(403);
      expect((await bound.call('GET', '/organization/members')).status).toBe(403);
      const reader = withToken((await issue(owner, { role: 'viewer' })).body.token);
      expect((await reader.call('GET', '/properties')).body.items).toHaveLength(2);
      expect((await reader.call('PATCH', `/properties/${mine}`, { name: 'x' })).status).toBe(403);
      const foreign = { attribution_id: '11111111-1111-4111-8111-111111111111' };
      expect((await issue(owner, foreign)).body.errors[0].pointer).toBe('/attribution_id');
    });

    test('can’t make or end tokens, nor touch people', async () => {
      const owner = await people.owner();
      const { id, token } = (await issue(owner, {})).body;
      const caller = withToken(token);
      for (const [method, path, body] of [
        ['POST', '/organization/tokens', { name: 'x', role: 'admin' }],
        ['GET', '/organization/tokens', undefined],
        ['DELETE', `/organization/tokens/${id}`, undefined],
        ['POST', '/organization/invitations', { email: 'eve@evil.example', role: 'owner' }],
        ['PATCH', `/organization/members/${await idOf(owner)}`, { role: 'viewer' }],
        ['GET', '/account', undefined],
        ['POST', '/organizations', { name: 'x' }],
      ] as const)
        expect((await caller.call(method, path, body)).status, path).toBe(403);
    });

    test('can do no more than their creator can now', async () => {
      const owner = await people.owner();
      const bob = await people.join(owner, 'bob@shop.example', 'admin');
      const id = await idOf(bob);
      const { token } = (await issue(bob, {})).body;
      const create = () => withToken(token).call('POST', '/properties', { name: 'x', domain: 'x.example' });
      expect((await create()).status).toBe(201);
      await owner.call('PATCH', `/organization/members/${id}`, { role: 'viewer' });
      now += 5_001;
      expect((await create()).status).toBe(403);
      await owner.call('DELETE', `/organization/members/${id}`);
      now += 5_001;
      expect((await create()).status).toBe(401);
    });

    test('are listed and revoked by their creator, and by owners', async () => {
      const owner = await people.owner();
      const bob = await people.join(owner, 'bob@shop.example', 'admin');
      const [hers, his] = [(await issue(owner, {})).body, (await issue(bob, {})).body];
      const list = async (by: Browser) =>
        (await by.call('GET', '/organization/tokens')).body.items.map(({ id }: { id: string }) => id).sort();
      expect(await list(bob)).toEqual([his.id]);
      expect(await list(owner)).toEqual([hers.id, his.id].sort());
      expect((await bob.call('DELETE', `/organization/tokens/${hers.id}`)).status).toBe(404);
      expect((await owner.call('DELETE', `/organization/tokens/${his.id}`)).status).toBe(204);
    });
  });

  describe('the audit log', () => {
    test('has a row for each change, read by page, by those who may', async () => {
      const owner = await people.owner();
      const bob = await people.join(owner, 'bob@shop.example', 'viewer');
      const id = await idOf(bob);
      await owner.call('PATCH', '/organization', { name: 'Shop' });
      await owner.call('PATCH', '/account', { name: 'Ada L.' });
      await owner.call('PUT', '/account/password', { current: PASSWORD, new: NEW_PASSWORD });
      const { secret } = (await owner.call('POST', '/account/totp', { password: NEW_PASSWORD })).body;
      await owner.call('POST', '/account/totp/confirm', { code: totpCode(secret, stepAt(now)) });
      const { recovery_codes: codes } = (
        await owner.call('POST', '/account/recovery-codes', { password: NEW_PASSWORD })
      ).body;
      await owner.call('POST', '/account/totp/disable', { password: NEW_PASSWORD, code: codes[0] });
      await owner.call('DELETE', '/account/sessions');
      const token = (await owner.call('POST', '/organization/tokens', { name: 'CI', role: 'admin' })).body;
      const property = await people.browser({ token: token.token }).call('POST', '/properties', {
        name: 'Shop',
        domain: 'shop.example',
      });
      await owner.call('DELETE', `/organization/tokens/${token.id}`);
      const invited = await owner.call('POST', '/organization/invitations', {
        email: 'c@shop.example',
        role: 'viewer',
      });
      await owner.call('DELETE', `/organization/invitations/${invited.body.id}`);
      await owner.call('PATCH', `/organization/members/${id}`, { role: 'admin' });
      await people.root.call('POST', '/people/password-resets', { email: 'bob@shop.example' });
      const [session] = (await bob.call('GET', '/account/sessions')).body.items;
      await bob.call('DELETE', `/account/sessions/${session.id}`);
      await owner.call('DELETE', `/organization/members/${id}`);

      expect((await actions(owner)).sort()).toEqual(
        [
          ...['member.added', 'member.added', 'session.started', 'session.started'],
          ...['invitation.created', 'invitation.created', 'invitation.withdrawn'],
          ...['organization.renamed', 'person.renamed', 'password.changed', 'password.reset_requested'],
          ...['second_factor.on', 'recovery_codes.renewed', 'recovery_code.used', 'second_factor.off'],
          ...['session.others_revoked', 'session.revoked'],
          ...['api_token.issued', 'property.created', 'api_token.revoked'],
          ...['member.made_admin', 'member.removed'],
        ].sort(),
      );
      const entry = async (action: string) =>
        (await owner.call('GET', `/organization/audit?action=${action}`)).body.items[0];
      expect(await entry('property.created')).toMatchObject({
        actor: `token:${token.id}`,
        actor_name: 'CI',
        subject: property.body.id,
        request_id: 'POST/properties',
      });
      expect(await entry('member.removed')).toMatchObject({ actor_name: 'Ada L.', subject: id });
      expect(await entry('password.reset_requested')).toMatchObject({ actor: 'root', actor_name: null });

      const paged: string[] = [];
      for (let after = ''; ; ) {
        const page = (await owner.call('GET', `/organization/audit?limit=5${after}`)).body;
        expect(page.items.length).toBeLessThanOrEqual(5);
        paged.push(...page.items.map(({ action }: { action: string }) => action));
        if (page.next === null) break;
        after = `&after=${page.next}`;
      }
      expect(paged).toEqual(await actions(owner));
      const stored = JSON.stringify(await db.reader.selectFrom('audit_log').selectAll().execute());
      for (const text of [PASSWORD, NEW_PASSWORD, token.token, secret, 'shop.example', ...codes])
        expect(stored).not.toContain(text);
    });

    test('is narrowed to one actor, or to a kind of them, whichever sessions they used', async () => {
      const owner = await people.owner();
      const id = await idOf(owner);
      await owner.call('PATCH', '/organization', { name: 'By Ada' });
      const signedIn = people.browser();
      await signedIn.call('POST', '/session', { token: ROOT_TOKEN });
      const organization = (await owner.call('GET', '/session')).body.organization.id;
      const rename = (by: Browser, name: string) =>
        by.call('PATCH', `/organization?organization=${organization}`, { name });
      expect((await rename(signedIn, 'By a browser of the root')).status).toBe(200);
      now += 1_000;
      await rename(people.root, 'By the admin token');
      const by = async (actor: string) =>
        (
          await owner.call('GET', `/organization/audit?action=organization.renamed&actor=${actor}`)
        ).body.items.map((entry: { actor: string }) => entry.actor);
      expect(await by('root')).toEqual(['root', expect.stringMatching(/^root:[0-9a-f]{8}$/)]);
      const [, session] = await by('root');
      expect(await by(session)).toEqual([session]);
      expect(await by(`person:${id}`)).toEqual([`person:${id}`]);
      expect(await by('person')).toEqual([`person:${id}`]);
      for (const none of ['roo', 'root:', 'r%25', 'token']) expect(await by(none)).toEqual([]);
    });

    test('is for admins of its organization alone', async () => {
      const owner = await people.owner();
      const viewer = await people.join(owner, 'bob@shop.example', 'viewer');
      expect((await viewer.call('GET', '/organization/audit')).status).toBe(403);
      const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
      const stranger = await people.join(people.root, 'eve@other.example', 'owner', { organization: other });
      expect((await actions(stranger)).sort()).toEqual([
        'invitation.created',
        'member.added',
        'organization.created',
        'session.started',
      ]);
      const foreign = await owner.call('GET', `/organization/audit?organization=${other}`);
      expect(foreign.status).toBe(404);
    });
  });
});
