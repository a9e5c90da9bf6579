/** The ingest keys part of the management API; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  createApi,
  isoOf,
  nameSchema,
  narrowScope,
  networkSchema,
  problemResponse,
} from '../common/index.ts';
import { SOURCE_NAMES } from '../sources/index.ts';
import type { IngestKeys, IngestKeyView } from './index.ts';

export interface KeyRoutesDeps {
  readonly keys: Pick<IngestKeys, 'issue' | 'list' | 'revoke' | 'rotate' | 'set'>;
}

const providerSchema = z
  .enum(SOURCE_NAMES)
  .openapi({ description: 'The log source it is meant for; a key works on every endpoint' });
const newKeySchema = z
  .object({
    name: nameSchema,
    provider: providerSchema,
    attribution_id: z
      .guid('Enter the ID of a property, a UUID.')
      .nullish()
      .openapi({ description: 'Default property of elements that name none' }),
  })
  .openapi('NewIngestKey');
const keySchema = z
  .object({
    id: z.uuid(),
    organization_id: z.uuid(),
    attribution_id: z.uuid().nullable(),
    name: z.string(),
    provider: z.string(),
    prefix: z.string().openapi({ description: 'The first 12 characters' }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
    last_used_from: networkSchema,
    revoked_at: z.iso.datetime().nullable(),
    expires_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When it expires, because another key has replaced it' }),
    settings: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'Its settings for the sender; `true` for a secret that is set' }),
  })
  .openapi('IngestKey');
const issuedSchema = keySchema
  .extend({ key: z.string().openapi({ description: 'The full key; it is never shown again' }) })
  .openapi('IssuedIngestKey');
const listSchema = z.object({ items: z.array(keySchema) }).openapi('IngestKeys');

const narrowing = z.object({
  organization: z
    .guid('Enter an organization ID, a UUID.')
    .optional()
    .openapi({ description: 'Limits the admin token to this organization' }),
});
const idParam = z.object({
  id: z.guid("Enter the key's id, a UUID.").openapi({ param: { name: 'id', in: 'path' } }),
});
const tags = ['ingest keys'];

/** A week: time to change a configuration that only few may change. */
const OVERLAP_SECONDS = 7 * 86_400;
const MAX_OVERLAP_SECONDS = 90 * 86_400;
const rotationSchema = z
  .object({
    overlap_seconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(OVERLAP_SECONDS)
      .openapi({ description: 'How long the old key stays valid' }),
  })
  .openapi('KeyRotation');
const settingsSchema = z.record(z.string(), z.unknown()).openapi('KeySettings', {
  description: '`settings` of the key’s source (`GET /sources`); null removes one',
});

export function keyRoutes({ keys }: KeyRoutesDeps): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'post',
      path: '/ingest-keys',
      tags,
      summary: 'Issue an ingest key; only this answer contains the full key',
      request: {
        query: narrowing,
        body: { required: true, content: { 'application/json': { schema: newKeySchema } } },
      },
      responses: {
        201: { description: 'Issued', content: { 'application/json': { schema: issuedSchema } } },
        404: problemResponse('No such organization'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const { name, provider, attribution_id: attributionId } = c.req.valid('json');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      const issued = await keys.issue(narrowed, actor, { name, provider, attributionId });
      return c.json({ ...view(issued), key: issued.key }, 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/ingest-keys',
      tags,
      summary: 'All ingest keys, newest first, revoked ones included (at most 1,000)',
      request: { query: narrowing },
      responses: { 200: { description: 'OK', content: { 'application/json': { schema: listSchema } } } },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json({ items: (await keys.list(scope)).map(view) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/ingest-keys/{id}/rotate',
      tags,
      summary: 'Issue a second key; this one stays valid for the given time',
      request: {
        params: idParam,
        query: narrowing,
        body: { content: { 'application/json': { schema: rotationSchema } } },
      },
      responses: {
        201: { description: 'Issued', content: { 'application/json': { schema: issuedSchema } } },
        404: problemResponse('No such ingest key'),
        409: problemResponse('The key is revoked'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const { overlap_seconds: overlap = OVERLAP_SECONDS } = c.req.valid('json') ?? {};
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      const issued = await keys.rotate(narrowed, actor, c.req.valid('param').id, overlap);
      return c.json({ ...view(issued), key: issued.key }, 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: '/ingest-keys/{id}/settings',
      tags,
      summary: 'Change a key’s settings for its sender; omitted members don’t change',
      request: {
        params: idParam,
        query: narrowing,
        body: { required: true, content: { 'application/json': { schema: settingsSchema } } },
      },
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: keySchema } } },
        404: problemResponse('No such ingest key'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      return c.json(view(await keys.set(narrowed, actor, c.req.valid('param').id, c.req.valid('json'))), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/ingest-keys/{id}',
      tags,
      summary: 'Revoke an ingest key; every node refuses it within 5 seconds',
      request: { params: idParam, query: narrowing },
      responses: { 204: { description: 'Revoked' }, 404: problemResponse('No such ingest key') },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      await keys.revoke(
        narrowScope(scope, c.req.valid('query').organization),
        actor,
        c.req.valid('param').id,
      );
      return c.body(null, 204);
    },
  );

  return api;
}

function view(key: IngestKeyView) {
  return {
    id: key.id,
    organization_id: key.organizationId,
    attribution_id: key.attributionId,
    name: key.name,
    provider: key.provider,
    prefix: key.prefix,
    created_at: new Date(key.createdAt).toISOString(),
    last_used_at: isoOf(key.lastUsedAt),
    last_used_from: key.lastUsedFrom,
    revoked_at: isoOf(key.revokedAt),
    expires_at: isoOf(key.expiresAt),
    settings: { ...key.settings },
  };
}
