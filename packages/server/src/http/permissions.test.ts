import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import {
  type ApiEnv,
  type Caller,
  DEFAULT_ORGANIZATION_ID,
  type PersonCaller,
  type PropertyRole,
  type Role,
  ServiceError,
} from '../common/index.ts';
import { createPermissions, needOf } from './permissions.ts';

const PROPERTY = '6f0e0c1e-4d27-4d52-8f5a-0d5e3c2b1a99';
const scope = { kind: 'organization', id: 'a' } as const;
const person = (role: Role): Caller => ({
  kind: 'person',
  scope,
  role,
  actor: 'person:1',
  personId: '1',
  sessionId: 's',
});
const token = (role: Role, propertyId: string | null = null): Caller => ({
  kind: 'token',
  scope:
    propertyId === null
      ? scope
      : { ...scope, properties: new Map([[propertyId, role === 'viewer' ? 'viewer' : 'editor']]) },
  role,
  actor: 'token:1',
});
const guest = (...properties: readonly (readonly [string, PropertyRole])[]): Caller => ({
  ...(person('viewer') as PersonCaller),
  scope: { kind: 'organization', id: DEFAULT_ORGANIZATION_ID, properties: new Map(properties) },
});
const root: Caller = { kind: 'root', scope: { kind: 'all' }, role: 'owner', actor: 'root' };

const ROUTES = [
  ['GET', '/api/v1/config', undefined],
  ['GET', '/api/v1/properties', undefined],
  ['POST', '/api/v1/properties', undefined],
  ['GET', '/api/v1/properties/{id}', undefined],
  ['PATCH', '/api/v1/properties/{id}', undefined],
  ['DELETE', '/api/v1/properties/{id}', 'admin_of_all'],
  ['GET', '/api/v1/audit', 'admin'],
  ['GET', '/api/v1/members', 'owner'],
  ['POST', '/api/v1/tokens', 'admin_in_person'],
  ['PUT', '/api/v1/account', 'person'],
  ['GET', '/api/v1/spool', 'operator'],
  ['POST', '/api/v1/lists/bots', 'operator_admin'],
  ['POST', '/api/v1/drain', 'root'],
  ['GET', '/api/v1/anything', undefined],
] as const;

async function ask(caller: Caller, method: string, path: string): Promise<number> {
  return (await answered(caller, method, path)).status;
}

async function answered(caller: Caller, method: string, path: string) {
  const app = new Hono<ApiEnv>();
  const permit = createPermissions(() =>
    ROUTES.map(([verb, at, need]) => ({ method: verb, path: at, need })),
  );
  app.onError((error, c) =>
    error instanceof ServiceError
      ? c.text(error.message, error.code === 'forbidden' ? 403 : 404)
      : c.text('fault', 500),
  );
  app.use('/api/v1/*', async (c, next) => {
    permit(c, caller);
    await next();
  });
  for (const [verb, at] of ROUTES) app.on(verb, at.replace('{id}', ':id'), (c) => c.text('ok'));
  app.get('/api/v1/forgotten', (c) => c.text('ok'));
  const response = await app.request(path, { method });
  return { status: response.status, text: await response.text() };
}

describe('permissions', () => {
  it.each<[string, Caller, readonly string[]]>([
    ['a viewer', person('viewer'), ['GET /api/v1/properties', 'PUT /api/v1/account']],
    ['a viewer token', token('viewer'), ['GET /api/v1/properties']],
    [
      'an admin',
      person('admin'),
      [
        'GET /api/v1/properties',
        'POST /api/v1/properties',
        'GET /api/v1/audit',
        'POST /api/v1/tokens',
        'PUT /api/v1/account',
      ],
    ],
    [
      'an admin token',
      token('admin'),
      ['GET /api/v1/properties', 'POST /api/v1/properties', 'GET /api/v1/audit'],
    ],
    [
      'an owner',
      person('owner'),
      [
        ...['GET /api/v1/properties', 'POST /api/v1/properties', 'GET /api/v1/audit', 'GET /api/v1/members'],
        ...['POST /api/v1/tokens', 'PUT /api/v1/account'],
      ],
    ],
    [
      'the admin token',
      root,
      [
        ...['GET /api/v1/properties', 'POST /api/v1/properties', 'GET /api/v1/audit', 'GET /api/v1/members'],
        ...['POST /api/v1/tokens', 'POST /api/v1/drain', 'GET /api/v1/forgotten', 'GET /api/v1/spool'],
        'POST /api/v1/lists/bots',
      ],
    ],
    [
      'a viewer of the first organization',
      { ...person('viewer'), scope: { kind: 'organization', id: DEFAULT_ORGANIZATION_ID } } as Caller,
      ['GET /api/v1/properties', 'PUT /api/v1/account', 'GET /api/v1/spool'],
    ],
    [
      'an admin token of the first organization',
      { ...token('admin'), scope: { kind: 'organization', id: DEFAULT_ORGANIZATION_ID } } as Caller,
      [
        ...['GET /api/v1/properties', 'POST /api/v1/properties', 'GET /api/v1/audit', 'GET /api/v1/spool'],
        'POST /api/v1/lists/bots',
      ],
    ],
  ])('%s may do this and nothing else', async (_name, caller, may) => {
    for (const name of [
      ...['GET /api/v1/properties', 'POST /api/v1/properties', 'GET /api/v1/audit', 'GET /api/v1/members'],
      ...['POST /api/v1/tokens', 'PUT /api/v1/account', 'POST /api/v1/drain', 'GET /api/v1/forgotten'],
      'GET /api/v1/spool',
      'POST /api/v1/lists/bots',
    ]) {
      const [method = '', path = ''] = name.split(' ');
      expect(await ask(caller, method, path), name).toBe(may.includes(name) ? 200 : 403);
    }
  });

  it.each<[string, Caller, string, readonly string[]]>([
    ['a viewer', person('viewer'), 'POST /api/v1/properties', ['Your role is viewer', 'admin', 'An owner']],
    [
      'a viewer token',
      token('viewer'),
      'POST /api/v1/properties',
      ['This API token has the viewer role', 'admin', 'create a token'],
    ],
    ['an admin', person('admin'), 'GET /api/v1/members', ['Your role is admin', 'owner', 'give you']],
    ['an admin token', token('admin'), 'POST /api/v1/tokens', ['An API token', 'sign in']],
    ['another organization', token('admin'), 'GET /api/v1/spool', ['whole installation', 'admin token']],
  ])('say to %s which one is missing, and who can give it', async (_name, caller, route, words) => {
    const [method = '', path = ''] = route.split(' ');
    const { text } = await answered(caller, method, path);
    for (const word of words) expect(text).toContain(word);
    if (caller.kind === 'token') expect(text).not.toMatch(/\byou\b/i);
  });

  it('keep a token of one property at it, in any letter case', async () => {
    const bound = token('admin', PROPERTY);
    expect(await ask(bound, 'GET', `/api/v1/properties/${PROPERTY}`)).toBe(200);
    expect(await ask(bound, 'PATCH', `/api/v1/properties/${PROPERTY.toUpperCase()}`)).toBe(200);
    expect(await ask(bound, 'GET', '/api/v1/properties/6f0e0c1e-4d27-4d52-8f5a-0d5e3c2b1a98')).toBe(404);
    expect(await ask(bound, 'GET', '/api/v1/properties')).toBe(200);
    expect(await ask(bound, 'DELETE', `/api/v1/properties/${PROPERTY}`)).toBe(403);
    expect(await ask(bound, 'GET', '/api/v1/audit')).toBe(403);
    expect(await ask(bound, 'GET', '/api/v1/config')).toBe(200);
    expect(await ask(token('viewer', PROPERTY), 'PATCH', `/api/v1/properties/${PROPERTY}`)).toBe(403);
  });

  it('keep a guest at chosen properties, in the role of each, and out of the organization', async () => {
    const other = '6f0e0c1e-4d27-4d52-8f5a-0d5e3c2b1a97';
    const hidden = '6f0e0c1e-4d27-4d52-8f5a-0d5e3c2b1a98';
    const caller = guest([PROPERTY, 'editor'], [other, 'viewer']);
    const at = (id: string) => `/api/v1/properties/${id}`;
    expect(await ask(caller, 'GET', at(PROPERTY))).toBe(200);
    expect(await ask(caller, 'PATCH', at(PROPERTY.toUpperCase()))).toBe(200);
    expect(await ask(caller, 'DELETE', at(PROPERTY))).toBe(403);
    expect(await ask(caller, 'GET', at(other))).toBe(200);
    expect(await ask(caller, 'PATCH', at(other))).toBe(403);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const { status, text } = await answered(caller, method, at(hidden));
      // As for one that is nowhere, whatever would be missing beyond it.
      expect({ status, text }).toEqual(
        await answered(caller, method, at('11111111-1111-4111-8111-111111111111')),
      );
      expect(status).toBe(404);
    }
    expect(await ask(caller, 'GET', '/api/v1/properties')).toBe(200);
    expect(await ask(caller, 'PUT', '/api/v1/account')).toBe(200);
    // The first organization's members run the installation; its guests don't.
    for (const refused of ['GET /api/v1/spool', 'GET /api/v1/audit', 'POST /api/v1/properties']) {
      const [method = '', path = ''] = refused.split(' ');
      expect(await ask(caller, method, path), refused).toBe(403);
    }
    expect(await ask(guest(), 'GET', at(PROPERTY))).toBe(404);
    expect(await ask(guest(), 'GET', '/api/v1/properties')).toBe(200);
  });

  it('keep a guest from a route of the organization that a viewer may read, unless it is listed', async () => {
    expect(await ask(person('viewer'), 'GET', '/api/v1/anything')).toBe(200);
    expect(await ask(guest([PROPERTY, 'editor']), 'GET', '/api/v1/anything')).toBe(403);
  });

  it('look like the method where a route says nothing, and hold for HEAD as for GET', async () => {
    expect(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => needOf(method, undefined))).toEqual([
      ...['viewer', 'admin', 'admin', 'admin', 'admin'],
    ]);
    expect(needOf('GET', 'no such word')).toBe('root');
    expect(await ask(person('viewer'), 'HEAD', '/api/v1/properties')).toBe(200);
    expect(await ask(person('viewer'), 'HEAD', '/api/v1/audit')).not.toBe(200);
    expect(await ask(person('viewer'), 'GET', '/api/v1/nothing')).toBe(404);
  });
});
