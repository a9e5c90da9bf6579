import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settingsFor, startTestProvider, tour } from '../accounts/oidc/testing.ts';
import { type Browser, openPeople, type People } from '../accounts/testing.ts';
import { DEFAULT_ORGANIZATION_ID, type PersonCaller } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('what a member made, after a change of rights, on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let people: People;
  let owner: Browser;
  let [shop, blog] = ['', ''];
  beforeEach(async () => {
    now = 1_750_000_000_000;
    home = await backend.fresh({ clock });
    db = await home.node();
    people = openPeople(db, { clock });
    owner = await people.owner();
    [shop, blog] = [await property('shop'), await property('blog')];
  });
  afterEach(() => home.remove());

  const property = async (name: string, organization?: string): Promise<string> => {
    const query = organization === undefined ? '' : `?organization=${organization}`;
    const by = organization === undefined ? owner : people.root;
    return (await by.call('POST', `/properties${query}`, { name, domain: `${name}.example` })).body.id;
  };
  const idOf = async (by: Browser): Promise<string> => (await by.call('GET', '/account')).body.id;
  const change = async (member: string, body: unknown) =>
    await owner.call('PATCH', `/organization/members/${member}`, body);
  const remove = (member: string) => owner.call('DELETE', `/organization/members/${member}`);
  const share = async (by: Browser, id: string, name: string): Promise<string> => {
    const made = await by.call('POST', `/properties/${id}/share-links`, { name });
    expect(made.status).toBe(201);
    return made.body.token;
  };
  /** Names of the links that open, as every node has it after its cache. */
  const open = async (tokens: readonly string[]): Promise<string[]> => {
    now += 5_001;
    const found = await Promise.all(tokens.map((token) => people.links.byToken(token)));
    return found.flatMap((link) => (link === undefined ? [] : [link.name]));
  };
  const revocations = async (): Promise<unknown[]> =>
    (await owner.call('GET', '/organization/audit?action=share_link.revoked')).body.items.map(
      ({ actor, changes }: { actor: string; changes: { after: unknown }[] }) => [actor, changes[0]?.after],
    );
  const order = async (personId: string, ids: readonly string[], organization = DEFAULT_ORGANIZATION_ID) => {
    for (const id of ids)
      await db.kysely
        .insertInto('report_mails')
        .values({
          ...{ id: `${personId}-${id}`, organization_id: organization, attribution_id: id },
          ...{ person_id: personId, every: 'week' as const, day: 1, hour: 8, created_at: now, next_at: now },
          ...{ last_sent_at: null, last_error: null, attempts: 0 },
        })
        .execute();
  };
  const ordered = async (personId: string): Promise<string[]> =>
    (
      await db.kysely
        .selectFrom('report_mails')
        .select('attribution_id')
        .where('person_id', '=', personId)
        .execute()
    ).map((row) => row.attribution_id);

  test('links of a member who is removed are revoked with the reason, those made with their tokens too, and no others', async () => {
    const bob = await people.join(owner, 'bob@shop.example', 'admin');
    const { token } = (await bob.call('POST', '/organization/tokens', { name: 'T', role: 'admin' })).body;
    const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
    const far = await property('far', other);
    const tokens = [
      await share(bob, shop, 'his'),
      await share(people.browser({ token }), blog, 'of his token'),
      await share(owner, shop, 'hers'),
      await share(people.root, shop, 'of root'),
    ];
    const id = await idOf(bob);
    // The same person elsewhere: rights there are untouched.
    const { body } = await people.root.call('POST', `/properties/${far}/share-links?organization=${other}`, {
      name: 'elsewhere',
    });
    await db.kysely
      .updateTable('share_links')
      .set({ created_by: `person:${id}` })
      .where('id', '=', body.id)
      .execute();
    expect(await open([...tokens, body.token])).toHaveLength(5);

    expect((await remove(id)).status).toBe(204);
    expect(await open([...tokens, body.token])).toEqual(['hers', 'of root', 'elsewhere']);
    const ada = `person:${await idOf(owner)}`;
    expect(await revocations()).toEqual([
      [ada, 'its creator left the organization'],
      [ada, 'its creator left the organization'],
    ]);
    // A return brings none of them back.
    await people.join(owner, 'bob@shop.example', 'admin');
    expect(await open(tokens)).toEqual(['hers', 'of root']);
  });

  test('a lower role, or a property less, revokes the links that the member could not make any more', async () => {
    const bob = await people.join(owner, 'bob@shop.example', 'admin');
    const id = await idOf(bob);
    const tokens = [await share(bob, shop, 'shop'), await share(bob, blog, 'blog')];
    const editor = (...ids: string[]) => ids.map((one) => ({ attribution_id: one, role: 'editor' }));

    await change(id, { role: 'owner' });
    expect(await open(tokens)).toEqual(['shop', 'blog']);
    await change(id, { role: 'viewer', properties: editor(shop, blog) });
    expect(await open(tokens)).toEqual(['shop', 'blog']);
    await change(id, { properties: editor(shop) });
    expect(await open(tokens)).toEqual(['shop']);
    await change(id, { properties: [{ attribution_id: shop, role: 'viewer' }] });
    expect(await open(tokens)).toEqual([]);
    const reason = 'its creator may no longer create links of this property';
    const ada = `person:${await idOf(owner)}`;
    expect(await revocations()).toEqual([
      [ada, reason],
      [ada, reason],
    ]);
  });

  test('the audit log names the link, also once it is revoked', async () => {
    await share(owner, shop, 'The board');
    const [{ id }] = (await owner.call('GET', `/properties/${shop}/share-links`)).body.items;
    await owner.call('DELETE', `/properties/${shop}/share-links/${id}`);
    const { items } = (await owner.call('GET', '/organization/audit?action=share_link')).body;
    expect(
      items.map(({ action, subject_name }: Record<string, string>) => [action, subject_name]).sort(),
    ).toEqual([
      ['share_link.issued', 'The board'],
      ['share_link.revoked', 'The board'],
    ]);
  });

  test('an admin who becomes a viewer of everything has no links left', async () => {
    const bob = await people.join(owner, 'bob@shop.example', 'admin');
    const token = await share(bob, shop, 'his');
    await change(await idOf(bob), { role: 'viewer' });
    expect(await open([token])).toEqual([]);
  });

  test('groups that take a role revoke the links too', async () => {
    const provider = await startTestProvider();
    try {
      const groups = [
        { group: 'admins', role: 'admin' as const },
        { group: 'all', role: 'viewer' as const },
      ];
      const settings = settingsFor(provider.issuer, {
        groups: groups.map((one) => ({
          ...{ ...one, organizationId: DEFAULT_ORGANIZATION_ID, properties: null },
        })),
      });
      people = openPeople(db, { clock, oidc: { settings, send: provider.send } });
      const signIn = async (names: readonly string[]) => {
        const claims = { email: 'bob@shop.example', email_verified: true, name: 'Bob', groups: names };
        provider.signsInAs('bob', claims);
        const at = people.browser();
        await tour(provider, at);
        return at;
      };
      for (const [less, after] of [
        [['all'], 'its creator may no longer create links of this property'],
        [[], 'its creator left the organization'],
      ] as const) {
        const token = await share(await signIn(['admins']), shop, 'his');
        await signIn(['admins']);
        expect(await open([token])).toEqual(['his']);
        await signIn(less);
        expect(await open([token])).toEqual([]);
        expect((await revocations())[0]).toEqual(['groups', after]);
      }
    } finally {
      await provider.close();
    }
  });

  test('a link whose request came before the removal is not created after it', async () => {
    const bob = await people.join(owner, 'bob@shop.example', 'admin');
    const { token } = (await bob.call('POST', '/organization/tokens', { name: 'T', role: 'admin' })).body;
    const ofToken = await people.accounts.tokens.authenticate(token, '198.51.100.7');
    const caller = { actor: `person:${await idOf(bob)}` } as PersonCaller;
    const issue = (by: typeof caller | NonNullable<typeof ofToken>) =>
      people.links.issue(
        by,
        { id: shop, organizationId: DEFAULT_ORGANIZATION_ID },
        { name: 'late', passwordHash: null, expiresAt: null },
      );
    await issue(caller);
    await change(await idOf(bob), {
      role: 'viewer',
      properties: [{ attribution_id: shop, role: 'editor' }],
    });
    await issue(caller);
    await remove(await idOf(bob));
    if (ofToken === undefined) throw new Error('no token');
    for (const by of [caller, ofToken]) await expect(issue(by)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('mails that a removed member ordered are gone, and so are those of a property that was taken', async () => {
    const bob = await people.join(owner, 'bob@shop.example', 'viewer');
    const [id, ada] = [await idOf(bob), await idOf(owner)];
    const other = (await people.root.call('POST', '/organizations', { name: 'Other' })).body.id;
    const far = await property('far', other);
    await order(id, [shop, blog]);
    await order(id, [far], other);
    await order(ada, [shop]);
    await change(id, { properties: [{ attribution_id: shop }, { attribution_id: blog }] });
    expect(new Set(await ordered(id))).toEqual(new Set([shop, blog, far]));
    await change(id, { properties: [{ attribution_id: blog }] });
    expect(new Set(await ordered(id))).toEqual(new Set([blog, far]));
    await remove(id);
    expect(await ordered(id)).toEqual([far]);
    expect(await ordered(ada)).toEqual([shop]);
  });
});
