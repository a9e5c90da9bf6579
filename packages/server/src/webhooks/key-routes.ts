/** Webhook keys: issue, list, change, revoke. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, body, createApi, idParam, json, narrowing, problemResponse } from '../common/index.ts';
import type { FindProperty } from '../properties/index.ts';
import * as schemas from './schemas.ts';
import { keyView } from './views.ts';
import type { WebhookKeys } from './webhook-keys.ts';

const PATH = '/properties/{id}/webhook-keys';
const tags = ['webhooks'];
const absent = problemResponse('No such property or key');
const keyParam = idParam.extend({
  key_id: z.guid("Enter the key's id, a UUID.").openapi({ param: { name: 'key_id', in: 'path' } }),
});

export function keyRoutes(keys: WebhookKeys, find: FindProperty): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'post',
      path: PATH,
      tags,
      summary: 'Issue a webhook key; only this answer contains the full key',
      request: { params: idParam, query: narrowing, body: body(schemas.newKeySchema) },
      responses: {
        201: json(schemas.issuedKeySchema, 'Issued'),
        404: absent,
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      const { name, rate_limit: rateLimit } = c.req.valid('json');
      const issued = await keys.issue(property, caller.actor, { name, rateLimit });
      return c.json({ ...keyView(issued), key: issued.key }, 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'All webhook keys, newest first, revoked ones included (at most 1,000)',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.keysSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      return c.json({ items: (await keys.list(property)).map(keyView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: `${PATH}/{key_id}`,
      tags,
      summary: 'Rename a key or change its rate limit; applies from the next request',
      request: { params: keyParam, query: narrowing, body: body(schemas.keyChangesSchema) },
      responses: {
        200: json(schemas.keySchema, 'Changed'),
        404: absent,
        409: problemResponse('The key is revoked'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { key_id: keyId } = c.req.valid('param');
      const property = await find(c);
      const { name, rate_limit: rateLimit } = c.req.valid('json');
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(rateLimit === undefined ? {} : { rateLimit }),
      };
      return c.json(keyView(await keys.update(property, caller.actor, keyId, changes)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: `${PATH}/{key_id}`,
      tags,
      summary: 'Revoke a webhook key; every node refuses it within 5 seconds',
      request: { params: keyParam, query: narrowing },
      responses: { 204: { description: 'Revoked' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { key_id: keyId } = c.req.valid('param');
      const property = await find(c);
      await keys.revoke(property, caller.actor, keyId);
      return c.body(null, 204);
    },
  );

  return api;
}
