import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { type Browser, openPeople, PASSWORD, type People, tokenOf } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('access to chosen properties on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let people: People;
  let owner: Browser;
  /** Two properties of one organization. */
  let [shown, hidden] = ['', ''];
  beforeEach(async () => {
    now = 1_750_000_000_000;
    home = await backend.fresh({ clock });
    db = await home.node();
    people = openPeople(db, { clock });
    owner = await people.owner();
    shown = await property('Shown');
    hidden = await property('Hidden');
  });
  afterEach(() => home.remove());

  const property = async (name: string): Promise<string> => {
    // Lists are in the order in which things were made.
    now += 1_000;
    return (await owner.call('POST', '/properties', { name, domain: `${name}.example` })).body.id;
  };
  const idOf = async (by: Browser): Promise<string> => (await by.call('GET', '/account')).body.id;
  const seen = async (by: Browser): Promise<string[]> =>
    (await by.call('GET', '/properties')).body.items.map(({ name }: { name: string }) => name);
  const change = async (member: Browser, body: unknown) =>
    await owner.call('PATCH', `/organization/members/${await idOf(member)}`, body);
  const only = (...ids: readonly string[]) => ids.map((id) => ({ attribution_id: id }));

  test('an invitation to one property opens this one, in the role that it names', async () => {
    const guest = await people.join(owner, 'guest@client.example', 'viewer', { properties: only(shown) });
    expect(await seen(guest)).toEqual(['Shown']);
    expect((await guest.call('GET', '/session')).body).toMatchObject({
      role: 'viewer',
      properties: [{ attribution_id: shown, role: 'viewer' }],
    });
    expect((await guest.call('GET', `/properties/${shown}`)).status).toBe(200);
    expect((await guest.call('PATCH', `/properties/${shown}`, { name: 'Mine' })).status).toBe(403);
    const at = (id: string) => guest.call('PATCH', `/properties/${id}`, { name: 'Mine' });
    const [there, nowhere] = [await at(hidden), await at(randomUUID())];
    expect(there.status).toBe(404);
    expect({ ...there.body, request_id: '' }).toEqual({ ...nowhere.body, request_id: '' });
    const editor = await people.join(owner, 'editor@client.example', 'viewer', {
      properties: [{ attribution_id: shown.toUpperCase(), role: 'editor' }],
    });
    expect((await editor.call('PATCH', `/properties/${shown}`, { name: 'Renamed' })).status).toBe(200);
    expect((await editor.call('DELETE', `/properties/${shown}`)).status).toBe(403);
    expect((await editor.call('POST', '/properties', { name: 'X', domain: 'x.example' })).status).toBe(403);
    expect((await editor.call('GET', '/organization/audit')).status).toBe(403);
  });

  test('a change applies at once, in both directions, and to the tokens that the member has made', async () => {
    const bob = await people.join(owner, 'bob@shop.example', 'admin');
    const issue = async (body: object) =>
      people.browser({ token: (await bob.call('POST', '/organization/tokens', body)).body.token });
    const [all, ofHidden] = [
      await issue({ name: 'all', role: 'admin' }),
      await issue({ name: 'one', role: 'admin', attribution_id: hidden }),
    ];
    expect(await seen(all)).toEqual(['Shown', 'Hidden']);
    expect(await seen(ofHidden)).toEqual(['Hidden']);

    const limited = await change(bob, {
      role: 'viewer',
      properties: [{ attribution_id: shown, role: 'editor' }],
    });
    expect(limited.body.properties).toEqual([{ attribution_id: shown, role: 'editor' }]);
    expect(await seen(bob)).toEqual(['Shown']);
    now += 5_001;
    expect(await seen(all)).toEqual(['Shown']);
    expect((await all.call('PATCH', `/properties/${shown}`, { name: 'Shown' })).status).toBe(200);
    expect((await all.call('GET', `/properties/${hidden}`)).status).toBe(404);
    expect(await seen(ofHidden)).toEqual([]);
    expect((await ofHidden.call('GET', `/properties/${hidden}`)).status).toBe(404);

    expect((await change(bob, { properties: null })).body).toMatchObject({
      role: 'viewer',
      properties: null,
    });
    expect(await seen(bob)).toEqual(['Shown', 'Hidden']);
    // Entries of one moment are in no order of their own.
    now += 1_000;
    expect((await change(bob, { properties: [] })).body.properties).toEqual([]);
    expect(await seen(bob)).toEqual([]);
    now += 1_000;
    // A role that sees everything leaves no limit behind.
    expect((await change(bob, { role: 'admin' })).body.properties).toBeNull();
    expect((await change(bob, { role: 'viewer' })).body.properties).toBeNull();
    const log = await owner.call('GET', '/organization/audit?action=member.access');
    expect(log.body.items.map(({ action }: { action: string }) => action)).toEqual([
      ...['member.access_all', 'member.access_limited', 'member.access_all', 'member.access_limited'],
    ]);
  });

  test('only viewers are limited, and only to properties of their organization', async () => {
    const bob = await people.join(owner, 'bob@shop.example', 'viewer');
    const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
    const foreign = (
      await people.root.call('POST', `/properties?organization=${other}`, { name: 'F', domain: 'f.example' })
    ).body.id;
    for (const [body, pointer] of [
      [{ role: 'admin', properties: only(shown) }, '/properties'],
      [{ properties: only(shown, foreign) }, '/properties/1/attribution_id'],
      [{ properties: only(randomUUID()) }, '/properties/0/attribution_id'],
    ] as const) {
      const refused = await change(bob, body);
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
      const invited = await owner.call('POST', '/organization/invitations', {
        ...{ role: 'viewer', ...body },
        email: 'new@shop.example',
      });
      expect(invited).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    }
    expect(await seen(bob)).toEqual(['Shown', 'Hidden']);
  });

  test('a guest sees who works on the same property, and nothing of anyone else', async () => {
    const guest = await people.join(owner, 'guest@client.example', 'viewer', { properties: only(shown) });
    await people.join(owner, 'colleague@client.example', 'viewer', { properties: only(shown, hidden) });
    await people.join(owner, 'rival@elsewhere.example', 'viewer', { properties: only(hidden) });
    await people.join(owner, 'vic@shop.example', 'viewer');
    const { body } = await guest.call('GET', '/organization/members');
    const items = body.items as { email: string; properties: unknown }[];
    expect(Object.fromEntries(items.map(({ email, properties }) => [email, properties]))).toEqual({
      'ada@shop.example': null,
      'guest@client.example': [{ attribution_id: shown, role: 'viewer' }],
      'colleague@client.example': [{ attribution_id: shown, role: 'viewer' }],
      'vic@shop.example': null,
    });
    expect((await guest.call('GET', '/organization')).body.members).toBe(4);
    expect((await owner.call('GET', '/organization/members')).body.items).toHaveLength(5);
  });

  test('a property that was deleted is gone from access, and from an invitation that is accepted later', async () => {
    const invited = await owner.call('POST', '/organization/invitations', {
      ...{ email: 'guest@client.example', role: 'viewer' },
      properties: only(hidden),
    });
    expect(invited.body.properties).toEqual([{ attribution_id: hidden, role: 'viewer' }]);
    await owner.call('DELETE', `/properties/${hidden}`);
    const guest = people.browser();
    const accepted = await guest.call('POST', '/invitations/accept', {
      ...{ token: tokenOf(invited.body.link), name: 'Guest', password: PASSWORD },
    });
    expect(accepted.body.properties).toEqual([]);
    // No property is not all of them.
    expect(await seen(guest)).toEqual([]);
  });

  test('a member who is removed and comes back has nothing of the old access', async () => {
    const guest = await people.join(owner, 'guest@client.example', 'viewer', { properties: only(shown) });
    const id = await idOf(guest);
    expect((await owner.call('DELETE', `/organization/members/${id}`)).status).toBe(204);
    expect((await guest.call('GET', '/properties')).status).toBe(401);
    const rows = await db.reader.selectFrom('member_properties').selectAll().execute();
    expect(rows).toEqual([]);
  });

  test('the limits of one organization are not those of another', async () => {
    const guest = await people.join(owner, 'guest@client.example', 'viewer', { properties: only(shown) });
    const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
    const invited = await people.root.call('POST', `/organization/invitations?organization=${other}`, {
      ...{ email: 'guest@client.example', role: 'admin' },
    });
    await guest.call('POST', '/invitations/accept', {
      token: tokenOf(invited.body.link),
      password: PASSWORD,
    });
    expect((await guest.call('GET', '/session')).body).toMatchObject({ role: 'admin', properties: null });
    expect((await guest.call('POST', '/properties', { name: 'N', domain: 'n.example' })).status).toBe(201);
    expect(await seen(guest)).toEqual(['N']);
    expect((await guest.call('GET', `/properties/${shown}`)).status).toBe(404);
  });
});
