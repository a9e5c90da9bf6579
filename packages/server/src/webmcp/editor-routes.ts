/** What the editor asks for before anything is published. */
import { createRoute } from '@hono/zod-openapi';
import { type Api, createApi } from '../common/index.ts';
import type { Webmcp } from './index.ts';
import {
  absent,
  body,
  type FindProperty,
  idParam,
  json,
  narrowing,
  PATH,
  refused,
  tags,
} from './route-parts.ts';
import * as schemas from './schemas.ts';
import { checkView } from './views.ts';

export function editorRoutes(webmcp: Webmcp, find: FindProperty): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'put',
      path: `${PATH}/draft`,
      tags,
      summary: 'Store the draft, valid or not',
      request: { params: idParam, query: narrowing, body: body(schemas.draftSchema) },
      responses: { 204: { description: 'Kept' }, 404: absent, 422: refused },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      await webmcp.drafts.save(property, caller.actor, c.req.valid('json'));
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: `${PATH}/draft`,
      tags,
      summary: 'Delete the draft',
      request: { params: idParam, query: narrowing },
      responses: { 204: { description: 'There is no draft' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      await webmcp.drafts.discard(property, caller.actor);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/check`,
      tags,
      summary: 'Validate a manifest without publishing it',
      request: { params: idParam, query: narrowing, body: body(schemas.declarationSchema) },
      responses: { 200: json(schemas.checkAnswerSchema), 404: absent, 422: refused },
    }),
    async (c) => {
      const property = await find(c);
      return c.json(checkView(await webmcp.check(property, c.req.valid('json'))), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/try`,
      tags,
      summary: 'Validate arguments against a tool’s schema; the tool is not called',
      request: { params: idParam, query: narrowing, body: body(schemas.trySchema) },
      responses: { 200: json(schemas.tryAnswerSchema), 404: absent, 422: refused },
    }),
    async (c) => {
      const property = await find(c);
      const { tool, arguments: args } = c.req.valid('json');
      const { valid, errors } = await webmcp.tryTool(property, tool, args);
      return c.json({ valid, errors: [...errors] }, 200);
    },
  );

  return api;
}
