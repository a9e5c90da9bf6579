import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { type ApiEnv, DEFAULT_ORGANIZATION_ID, retentionLimits, ServiceError } from '../common/index.ts';
import type { Properties, Property } from '../properties/index.ts';
import { type QuotaRoutesDeps, quotaRoutes } from './quota/routes.ts';
import { type RetentionRoutesDeps, retentionRoutes } from './retention/routes.ts';

const ID = '8f14e45f-ceea-467f-a0e6-0a1f3c5b7d90';

/** What a request changed, and the pointers and messages of a refusal. */
async function ask(method: string, path: string, body: unknown) {
  const property = { id: ID, organizationId: DEFAULT_ORGANIZATION_ID, retention: { samples: 30 } };
  const properties = { get: async () => property as unknown as Property } as Pick<Properties, 'get'>;
  const changes: unknown[] = [];
  const limits = retentionLimits({ retentionDays: 400, visitorRetentionDays: 180, dailyDays: 1_096 });
  const retention = {
    limits,
    runs: async () => [],
    preview: async () => [],
    set: async (...given: readonly unknown[]) => {
      changes.push(given.at(-1));
      return property;
    },
  } as unknown as RetentionRoutesDeps['retention'];
  const quota = { limit: null, of: 'property', own: null, used: 0, state: 'open', until: null };
  const quotas = {
    read: async () => quota,
    set: async (...given: readonly unknown[]) => changes.push(given.at(-1)),
    setOrganization: async (...given: readonly unknown[]) => changes.push(given.at(-1)),
  } as unknown as QuotaRoutesDeps['quotas'];
  const app = new Hono<ApiEnv>();
  let errors: unknown = null;
  app.onError((error) => {
    if (!(error instanceof ServiceError) || error.code !== 'invalid') throw error;
    errors = error.errors;
    return new Response(null, { status: 422 });
  });
  app.use(async (c, next) => {
    const scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID } as const;
    c.set('caller', { kind: 'root', role: 'owner', scope, actor: 'root' });
    await next();
  });
  app.route('/', retentionRoutes({ properties, retention }));
  app.route('/', quotaRoutes({ properties, quotas }));
  const { status } = await app.request(path, {
    ...{ method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
  });
  return { status, changes, errors };
}

it.each([
  ['PUT', `/properties/${ID}/retention`, { sample: 7 }, 'sample'],
  ['POST', `/properties/${ID}/retention/preview`, { sample: 7, events: 7 }, 'sample'],
  ['PUT', `/properties/${ID}/quota`, { hits_per_day: null, hits: 5 }, 'hits'],
  ['PUT', '/organization/quota', { hits_per_day: null, hits: 5 }, 'hits'],
])('%s %s refuses a name that it does not know, and changes nothing', async (method, path, body, name) => {
  const message = `Has unknown members: "${name}". Leave them out.`;
  expect(await ask(method, path, body)).toEqual({
    ...{ status: 422, changes: [], errors: [{ pointer: '', message }] },
  });
});

it('rules and quotas whose names are known are taken', async () => {
  expect(await ask('PUT', `/properties/${ID}/retention`, { samples: 7, events: null })).toEqual({
    ...{ status: 200, changes: [{ samples: 7 }], errors: null },
  });
  expect(await ask('PUT', `/properties/${ID}/quota`, { hits_per_day: 5 })).toMatchObject({
    ...{ status: 200, changes: [5] },
  });
  expect(await ask('PUT', '/organization/quota', { hits_per_day: null })).toMatchObject({
    ...{ status: 204, changes: [null] },
  });
});
