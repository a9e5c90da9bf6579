import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { type ApiEnv, type Caller, type Role, ServiceError } from '../common/index.ts';
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
  scope,
  role,
  actor: 'token:1',
  propertyId,
});
const root: Caller = { kind: 'root', scope: { kind: 'all' }, role: 'owner', actor: 'root' };

const ROUTES = [
  ['GET', '/api/v1/config', undefined],
  ['GET', '/api/v1/properties', undefined],
  ['POST', '/api/v1/properties', undefined],
  ['GET', '/api/v1/properties/{id}', undefined],
  ['PATCH', '/api/v1/properties/{id}', undefined],
  ['GET', '/api/v1/audit', 'admin'],
  ['GET', '/api/v1/members', 'owner'],
  ['POST', '/api/v1/tokens', 'admin_in_person'],
  ['PUT', '/api/v1/account', 'person'],
  ['POST', '/api/v1/drain', 'root'],
] as const;

async function ask(caller: Caller, method: string, path: string): Promise<number> {
  const app = new Hono<ApiEnv>();
  const permit = createPermissions(() =>
    ROUTES.map(([verb, at, need]) => ({ method: verb, path: at, need })),
  );
  app.onError((error, c) => c.text(error instanceof ServiceError ? error.code : 'fault', 400));
  app.use('/api/v1/*', async (c, next) => {
    permit(c, caller);
    await next();
  });
  for (const [verb, at] of ROUTES) app.on(verb, at.replace('{id}', ':id'), (c) => c.text('ok'));
  app.get('/api/v1/forgotten', (c) => c.text('ok'));
  const response = await app.request(path, { method });
  if (response.status === 200 || response.status === 404) return response.status;
  return { forbidden: 403, not_found: 404 }[await response.text()] ?? 500;
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
      'the root token',
      root,
      [
        ...['GET /api/v1/properties', 'POST /api/v1/properties', 'GET /api/v1/audit', 'GET /api/v1/members'],
        ...['POST /api/v1/tokens', 'POST /api/v1/drain', 'GET /api/v1/forgotten'],
      ],
    ],
  ])('%s may do this and nothing else', async (_name, caller, may) => {
    for (const name of [
      ...['GET /api/v1/properties', 'POST /api/v1/properties', 'GET /api/v1/audit', 'GET /api/v1/members'],
      ...['POST /api/v1/tokens', 'PUT /api/v1/account', 'POST /api/v1/drain', 'GET /api/v1/forgotten'],
    ]) {
      const [method = '', path = ''] = name.split(' ');
      expect(await ask(caller, method, path), name).toBe(may.includes(name) ? 200 : 403);
    }
  });

  it('keep a token of one property at it, in any letter case', async () => {
    const bound = token('admin', PROPERTY);
    expect(await ask(bound, 'GET', `/api/v1/properties/${PROPERTY}`)).toBe(200);
    expect(await ask(bound, 'PATCH', `/api/v1/properties/${PROPERTY.toUpperCase()}`)).toBe(200);
    expect(await ask(bound, 'GET', '/api/v1/properties/6f0e0c1e-4d27-4d52-8f5a-0d5e3c2b1a98')).toBe(404);
    expect(await ask(bound, 'GET', '/api/v1/properties')).toBe(403);
    expect(await ask(bound, 'GET', '/api/v1/audit')).toBe(403);
    expect(await ask(bound, 'GET', '/api/v1/config')).toBe(200);
    expect(await ask(token('viewer', PROPERTY), 'PATCH', `/api/v1/properties/${PROPERTY}`)).toBe(403);
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
