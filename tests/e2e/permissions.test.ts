/**
 * Every route of the OpenAPI document, with each kind of caller: no caller of another organization sees or changes anything, a viewer
 * changes nothing, and what is an owner's or the installation's is only theirs. New routes are covered automatically.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabase } from '../../packages/server/src/database/testing.ts';
import { type Operation, operationsOf } from '../harness/openapi.ts';
import { ADMIN_TOKEN, type Answer, TestService, workerHit } from '../harness/service.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const PASSWORD = 'correct horse battery';
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Is in all data of the organization that must not be seen. */
const CANARY = 'canary';
/** What the admin token is not tried with: it closes this node's intake, or asks vendors. */
const NOT_AS_ROOT = ['POST /api/v1/spool/drain', 'POST /api/v1/lists/refresh'];

/** What admins may do, with a token too. */
const ADMIN = ['viewer', 'admin', 'admin_of_all', 'operator', 'operator_admin'];

interface Caller {
  readonly name: string;
  readonly headers: Record<string, string>;
}

describe.each(databases.backends)('permissions on $name', (backend) => {
  let home: TestDatabase;
  let service: TestService;
  let operations: Operation[];
  /** Organization A is whose things are walked, B is another one. */
  let ids: Record<'organization' | 'other' | 'property' | 'sibling' | 'key' | 'owner' | 'session', string>;
  let callers: Record<
    | 'owner'
    | 'admin'
    | 'viewer'
    | 'viewerToken'
    | 'adminToken'
    | 'siblingToken'
    | 'guest'
    | 'editor'
    | 'stranger'
    | 'strangerToken'
    | 'reader'
    | 'root',
    Caller
  >;

  beforeAll(async () => {
    home = await backend.fresh();
    service = new TestService(
      home.url === null ? {} : { DATABASE_URL: home.url, SECRET_KEY: 'k'.repeat(40) },
    );
    await service.start();
    operations = (await operationsOf(service)).filter(({ open }) => !open);
    const root = { name: 'root', headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } };

    const welcome = await made(root, '/api/v1/people/welcome-links', undefined);
    const owner = await personBy('owner', '/welcome', {
      token: String(welcome['link']).split('#token=')[1],
      name: `${CANARY} owner`,
      email: `${CANARY}@a.example`,
      password: PASSWORD,
    });
    const invite = async (
      name: string,
      role: string,
      organization?: string,
      properties: readonly object[] | null = null,
    ): Promise<Caller> => {
      const query = organization === undefined ? '' : `?organization=${organization}`;
      const invited = await call(root, 'POST', `/api/v1/organization/invitations${query}`, {
        email: `${name}@b.example`,
        role,
        properties,
      });
      const token = (invited.body as { link: string }).link.split('#token=')[1];
      return await personBy(name, '/invitations/accept', { token, name, password: PASSWORD });
    };
    const other = await made(root, '/api/v1/organizations', { name: 'Other' });
    const property = await made(owner, '/api/v1/properties', {
      name: `${CANARY} shop`,
      domain: `${CANARY}.example`,
    });
    const sibling = await made(owner, '/api/v1/properties', { name: 'Sibling', domain: 'sibling.example' });
    const key = await made(owner, '/api/v1/ingest-keys', {
      name: `${CANARY} key`,
      provider: 'edge_worker',
      attribution_id: property.id,
    });
    await service.hits(String(key['key']), [workerHit({ pathname: `/${CANARY}` })]);
    await call(owner, 'PUT', `/api/v1/properties/${property.id}/webhooks`, { enabled: true });
    await call(owner, 'POST', `/api/v1/properties/${property.id}/webhook-keys`, { name: `${CANARY} key` });

    const tokenBy = async (by: Caller, name: string, token: Record<string, unknown>): Promise<Caller> => {
      const { token: text } = await made(by, '/api/v1/organization/tokens', { name, ...token });
      return { name, headers: { Authorization: `Bearer ${text}` } };
    };
    const reader = async (): Promise<Caller> => {
      const { token } = await made(owner, `/api/v1/properties/${property.id}/share-links`, {
        name: 'A boss',
      });
      const opened = await call({ name: 'reader', headers: {} }, 'POST', '/api/v1/share/open', { token });
      return {
        name: 'reader of a share link',
        headers: { Authorization: `Bearer ${(opened.body as { access: string }).access}` },
      };
    };
    const stranger = await invite('stranger', 'owner', other.id);
    callers = {
      root,
      owner,
      admin: await invite('admin', 'admin'),
      viewer: await invite('viewer', 'viewer'),
      viewerToken: await tokenBy(owner, 'viewer token', { role: 'viewer' }),
      adminToken: await tokenBy(owner, 'admin token', { role: 'admin' }),
      siblingToken: await tokenBy(owner, 'sibling token', { role: 'admin', attribution_id: sibling.id }),
      guest: await invite('guest', 'viewer', undefined, [{ attribution_id: sibling.id }]),
      editor: await invite('editor', 'viewer', undefined, [{ attribution_id: sibling.id, role: 'editor' }]),
      stranger,
      reader: await reader(),
      strangerToken: await tokenBy(stranger, 'foreign token', { role: 'admin' }),
    };
    const account = (await call(owner, 'GET', '/api/v1/account')).body as {
      id: string;
      organization: { id: string };
    };
    const sessions = (await call(owner, 'GET', '/api/v1/account/sessions')).body as {
      items: { id: string }[];
    };
    ids = {
      organization: account.organization.id,
      other: other.id,
      property: property.id,
      sibling: sibling.id,
      key: key.id,
      owner: account.id,
      session: sessions.items[0]?.id ?? '',
    };
  });
  afterAll(async () => {
    await service.dispose();
    await home.remove();
  });

  async function call(caller: Caller, method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${service.address}${path}`, {
      method,
      headers: { Origin: service.address, ...caller.headers, ...(body === undefined ? {} : JSON_TYPE) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) {
      // It would never end.
      await response.body?.cancel();
      return { status: response.status, headers: response.headers, body: '' };
    }
    const text = await response.text();
    const json = /[/+]json/.test(type) && text !== '';
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  }

  async function made(
    by: Caller,
    path: string,
    body: unknown,
  ): Promise<Record<string, unknown> & { id: string }> {
    const answer = await call(by, 'POST', path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(201);
    return answer.body as Record<string, unknown> & { id: string };
  }

  async function personBy(name: string, path: string, body: unknown): Promise<Caller> {
    const answer = await call({ name, headers: {} }, 'POST', `/api/v1${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return { name, headers: { Cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '' } };
  }

  /** The operation's address among organization A's things; what it has none of gets an unknown id. */
  function address({ path, query }: Operation, property = ids.property): string {
    const filled = path
      .replace('/ingest-keys/{id}', `/ingest-keys/${ids.key}`)
      .replace('/properties/{id}', `/properties/${property}`)
      .replace('{person_id}', ids.owner)
      .replace('{organization_id}', ids.organization)
      .replace('{session_id}', ids.session)
      .replaceAll(/\{\w+\}/g, () => randomUUID());
    return filled + query;
  }

  const label = (caller: Caller, { method, path }: Operation, { status, body }: Answer) =>
    `${caller.name}: ${method} ${path} → ${status} ${JSON.stringify(body).slice(0, 300)}`;

  /** What organization A looks like to its owner: no other caller's walk may change it. */
  async function standing(): Promise<unknown> {
    const paths = [
      '/api/v1/properties',
      '/api/v1/ingest-keys',
      '/api/v1/organization/members',
      '/api/v1/organization',
    ];
    const parts = await Promise.all(paths.map((path) => call(callers.owner, 'GET', path)));
    const audit = await call(callers.owner, 'GET', '/api/v1/organization/audit?limit=200');
    const tokens = await call(callers.owner, 'GET', '/api/v1/organization/tokens');
    const { items } = tokens.body as { items: { id: string; revoked_at: unknown }[] };
    return [
      parts.map(({ body }) => withoutUse(body)),
      audit.body,
      items.map(({ id, revoked_at: at }) => [id, at]),
    ];
  }

  it('are stated for every route that asks for a caller', () => {
    expect(operations.length).toBeGreaterThan(50);
    const needs = new Set([
      ...['viewer', 'admin', 'admin_of_all', 'owner', 'admin_in_person'],
      ...['person', 'operator', 'operator_admin', 'root'],
    ]);
    for (const { method, path, need } of operations)
      expect(needs.has(need ?? ''), `${method} ${path}`).toBe(true);
    const stated = (asked: string) =>
      operations.filter(({ need }) => need === asked).map(({ method, path }) => `${method} ${path}`);
    expect(stated('root')).toEqual(
      expect.arrayContaining([
        'POST /api/v1/organizations',
        'POST /api/v1/people/password-resets',
        ...NOT_AS_ROOT,
      ]),
    );
    expect(stated('owner')).toEqual(
      expect.arrayContaining([
        'PATCH /api/v1/organization',
        'PATCH /api/v1/organization/members/{person_id}',
        'DELETE /api/v1/organization/members/{person_id}',
        'POST /api/v1/organization/invitations',
      ]),
    );
    // Nothing that changes anything is for viewers, unless it is their own.
    expect(operations.filter(({ method, need }) => method !== 'GET' && need === 'viewer')).toEqual([]);
  });

  it('show nothing to another organization, nor to a token or a member of another property', {
    timeout: 240_000,
  }, async () => {
    const before = await standing();
    const ofSibling = [callers.siblingToken, callers.guest, callers.editor];
    for (const caller of [callers.stranger, callers.strangerToken, ...ofSibling]) {
      let refused = 0;
      let ofProperty = 0;
      for (const operation of operations) {
        const { method, path, body, narrows, query } = operation;
        // Their own account is theirs.
        if (operation.need === 'person' && caller === callers.stranger && !path.includes('{')) continue;
        if (operation.need === 'person' && [callers.guest, callers.editor].includes(caller)) continue;
        // Their own organization is theirs to delete, and they are needed for the rest of the walk.
        const theirOwn = method === 'DELETE' && path === '/api/v1/organization';
        const target = theirOwn ? `${path}?confirm=no` : address(operation);
        const answer = await call(caller, method, target, body);
        const what = label(caller, operation, answer);
        expect(answer.status, what).not.toBe(401);
        expect(answer.status, what).toBeLessThan(500);
        // The owners are known to everyone in their organization.
        const owners = path === '/api/v1/organization/members' && ofSibling.includes(caller);
        if (!owners) expect(JSON.stringify(answer.body), what).not.toContain(CANARY);
        expect(JSON.stringify(answer.body), what).not.toContain(ids.key);
        if (path.startsWith('/api/v1/properties/{id}')) {
          ofProperty += 1;
          expect([400, 403, 404, 422], what).toContain(answer.status);
          if (answer.status === 403 || answer.status === 404) refused += 1;
        }
        // What is added up over all organizations is for those who run the installation.
        if (operation.need?.startsWith('operator')) expect(answer.status, what).toBe(403);
        if (narrows && !ofSibling.includes(caller)) {
          const narrowed = `${address(operation)}${query === '' ? '?' : '&'}organization=${ids.organization}`;
          const asked = await call(caller, method, narrowed, body);
          expect([400, 403, 404, 422], label(caller, operation, asked)).toContain(asked.status);
          expect(JSON.stringify(asked.body), label(caller, operation, asked)).not.toContain(CANARY);
        }
      }
      // A few bodies can't be made up and are refused before ownership is checked.
      expect(refused / ofProperty).toBeGreaterThan(0.8);
    }
    expect(await standing()).toEqual(before);
  });

  it('tell a guest the same of a hidden property as of none, on every route', async () => {
    const nowhere = randomUUID();
    const told = ({ status, body }: Answer, id: string) => {
      const { request_id: _, ...said } = (body ?? {}) as Record<string, unknown>;
      return JSON.stringify({ status, ...said }).replaceAll(id, 'ID');
    };
    for (const caller of [callers.editor, callers.siblingToken])
      for (const operation of operations) {
        const { method, body } = operation;
        if (!operation.path.startsWith('/api/v1/properties/{id}')) continue;
        const ask = (id: string) => call(caller, method, address(operation, id), body);
        const [hidden, none] = [await ask(ids.property), await ask(nowhere)];
        expect(told(hidden, ids.property), label(caller, operation, hidden)).toBe(told(none, nowhere));
      }
  });

  it('let an editor use every route of their own property, and a guest none that changes it', async () => {
    for (const operation of operations) {
      const { method, path, need } = operation;
      if (!path.startsWith('/api/v1/properties/{id}')) continue;
      const ask = async (caller: Caller) => {
        // A body that says nothing: the answer is about that, not about the right.
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const answer = await call(caller, method, address(operation, ids.sibling), body);
        return { status: answer.status, what: label(caller, operation, answer) };
      };
      const editor = await ask(callers.editor);
      if (need === 'viewer' || need === 'admin') expect([401, 403], editor.what).not.toContain(editor.status);
      else expect(editor.status, editor.what).toBe(403);
      if (need === 'viewer') continue;
      const guest = await ask(callers.guest);
      expect(guest.status, guest.what).toBe(403);
    }
  });

  it('show a reader of a share link the listed reports of its property, and nothing of any other route', async () => {
    const before = await standing();
    const shown = new Set(
      [
        'overview',
        'hours',
        'bots',
        'pages',
        'failures',
        'referrals',
        'referrals/hours',
        'ai-share',
        'filters',
      ].map((report) => `/api/v1/properties/{id}/reports/${report}`),
    );
    let reports = 0;
    for (const operation of operations) {
      const { method, path, body, query } = operation;
      const answer = await call(callers.reader, method, address(operation), body);
      const what = label(callers.reader, operation, answer);
      if (method === 'GET' && shown.has(path)) {
        reports += 1;
        expect(answer.status, what).toBe(200);
        const sibling = await call(callers.reader, method, address(operation, ids.sibling));
        expect(sibling.status, label(callers.reader, operation, sibling)).toBe(404);
        const elsewhere = `${address(operation)}${query === '' ? '?' : '&'}organization=${ids.other}`;
        expect((await call(callers.reader, method, elsewhere)).status, elsewhere).toBe(404);
      } else {
        // The session's own routes know no such token at all.
        expect([401, 403], what).toContain(answer.status);
        expect(JSON.stringify(answer.body), what).not.toContain(CANARY);
      }
    }
    expect(reports).toBe(shown.size);
    expect(await standing()).toEqual(before);
  });

  it('let viewers look, and change nothing', async () => {
    const before = await standing();
    for (const caller of [callers.viewer, callers.viewerToken]) {
      for (const operation of operations) {
        const { method, need, body } = operation;
        const own = need === 'person' && caller === callers.viewer;
        if (own && method !== 'GET') continue;
        const answer = await call(caller, method, address(operation), body);
        const what = label(caller, operation, answer);
        expect(answer.status, what).toBeLessThan(500);
        if (own || need === 'viewer' || need === 'operator')
          expect([401, 403], what).not.toContain(answer.status);
        else expect(answer.status, what).toBe(403);
      }
    }
    expect(await standing()).toEqual(before);
  });

  it('keep members and ownership from admins, the installation from owners, and people from the admin token', async () => {
    const before = await standing();
    const may: Record<string, readonly string[]> = {
      admin: [...ADMIN, 'admin_in_person', 'person'],
      adminToken: ADMIN,
      owner: [...ADMIN, 'admin_in_person', 'owner', 'person'],
      root: [...ADMIN, 'admin_in_person', 'owner', 'root'],
    };
    for (const [name, needs] of Object.entries(may)) {
      const caller = callers[name as keyof typeof callers];
      for (const operation of operations) {
        const { method, path, need = '' } = operation;
        const allowed = needs.includes(need);
        if (allowed && caller === callers.root && NOT_AS_ROOT.includes(`${method} ${path}`)) continue;
        // What is allowed is asked of unknown things, with a body that says nothing: the answer is about that, not about the right.
        const nothing = path.replaceAll(/\{\w+\}/g, () => randomUUID());
        if (allowed && method !== 'GET' && (nothing === path || need === 'person')) continue;
        const target = allowed ? nothing + operation.query : address(operation);
        const answer = await call(
          caller,
          method,
          target,
          method === 'GET' || method === 'DELETE' ? undefined : {},
        );
        const what = label(caller, operation, answer);
        expect(answer.status, what).toBeLessThan(500);
        if (allowed) expect([401, 403], what).not.toContain(answer.status);
        else expect(answer.status, what).toBe(403);
      }
    }
    expect(await standing()).toEqual(before);
  });

  it('end an open stream of a property when access to it is taken', async () => {
    const path = `/api/v1/properties/${ids.sibling}`;
    const stream = await fetch(`${service.address}${path}/live/stream`, {
      headers: callers.guest.headers,
      signal: AbortSignal.timeout(45_000),
    });
    expect(stream.status).toBe(200);
    const members = await call(callers.owner, 'GET', '/api/v1/organization/members');
    const { items } = members.body as { items: { person_id: string; name: string }[] };
    const guest = items.find(({ name }) => name === 'guest')?.person_id;
    const changed = await call(callers.owner, 'PATCH', `/api/v1/organization/members/${guest}`, {
      properties: [],
    });
    expect(changed.status).toBe(200);
    expect((await call(callers.guest, 'GET', path)).status).toBe(404);
    // It ends; without the change it has no end.
    const reader = stream.body?.getReader();
    for (let done = false; !done; ) done = (await reader?.read())?.done ?? true;
    expect((await call(callers.guest, 'GET', `${path}/live/stream`)).status).toBe(404);
  });

  it('leave nothing of a password or a token in the log', async () => {
    const secrets = [PASSWORD, ...Object.values(callers).flatMap(({ headers }) => Object.values(headers))];
    for (const secret of secrets) expect(service.log).not.toContain(secret.replace(/^(?:Bearer |\w+=)/, ''));
    expect(service.log).not.toMatch(/"level":"(?:error|fatal)"/);
  });
});

/** A walk uses keys; when and from where is no change. */
function withoutUse(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (name.startsWith('last_used_') ? undefined : value)),
  );
}
