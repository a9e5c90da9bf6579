import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { type ApiEnv, DEFAULT_ORGANIZATION_ID, type Scope } from '../common/index.ts';
import { type SetupRoutesDeps, setupRoutes } from './routes.ts';

const OTHER = '7d7f4d1c-58c4-4a57-9d3c-4b1b8d1d9a01';
const PROPERTY = '6f0e0c1e-4d27-4d52-8f5a-0d5e3c2b1a99';

async function findingsFor(scope: Scope): Promise<string[]> {
  const none = async () => [];
  const property = { id: PROPERTY, organizationId: OTHER, domain: 'shop.example' };
  const deps = {
    properties: { get: async () => property },
    keys: { list: none },
    signals: { flush: async () => undefined, list: none },
    quarantine: { list: none },
    arrivals: { last: none, lastTest: async () => null, hosts: none },
    untrustedProxy: () => ({ count: 12, lastAt: 0 }),
    clock: () => 0,
  } as unknown as SetupRoutesDeps;
  const app = new OpenAPIHono<ApiEnv>();
  app.use(async (c, next) => {
    c.set('caller', { kind: 'root', role: 'owner', scope, actor: 'root' } as never);
    await next();
  });
  const response = await app.route('/', setupRoutes(deps)).request(`/properties/${PROPERTY}/setup`);
  const { findings } = (await response.json()) as { findings: { code: string }[] };
  return findings.map(({ code }) => code);
}

it('only those who run the installation see how often all organizations together came by an untrusted proxy', async () => {
  expect(await findingsFor({ kind: 'all' })).toContain('untrusted_proxy');
  expect(await findingsFor({ kind: 'organization', id: DEFAULT_ORGANIZATION_ID })).toContain(
    'untrusted_proxy',
  );
  expect(await findingsFor({ kind: 'organization', id: OTHER })).not.toContain('untrusted_proxy');
});
