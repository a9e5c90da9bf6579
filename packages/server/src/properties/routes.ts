/** The properties part of the management API; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  canonicalTimeZone,
  createApi,
  dateOf,
  nameSchema,
  narrowScope,
  problemResponse,
} from '../common/index.ts';
import { normalizeDomain, type Properties, type Property, type Recounting } from './index.ts';

export interface PropertyRoutesDeps {
  readonly properties: Properties;
  readonly recounting: Recounting;
}

const domainSchema = z
  .string()
  .max(2_048)
  .transform((text, context) => {
    const host = normalizeDomain(text);
    if (host !== null) return host;
    context.addIssue({ code: 'custom', message: 'Enter a host name, for example shop.example.' });
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    description: 'Host name; stored in lower case, without scheme and port',
    example: 'shop.example',
  });

const timeZoneSchema = z
  .string()
  .transform((text, context) => {
    const timeZone = canonicalTimeZone(text.trim());
    if (timeZone !== null) return timeZone;
    context.addIssue({
      code: 'custom',
      message:
        'Enter an IANA time zone, such as Europe/Berlin, America/New_York or UTC, not an offset or an abbreviation.',
    });
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    description: 'IANA name, in any letter case; former names are stored as the current ones',
    example: 'Europe/Berlin',
  });

const searchEnginesSchema = z.boolean().openapi({
  description:
    'Store visits of search crawlers (Googlebot, Bingbot …) under a class of their own, `search_engine`. They are never counted as AI',
});

const newPropertySchema = z
  .object({
    name: nameSchema,
    domain: domainSchema,
    time_zone: timeZoneSchema.default('UTC'),
    search_engines: searchEnginesSchema.default(false),
  })
  .openapi('NewProperty');
const changesSchema = z
  .object({
    name: nameSchema.optional(),
    domain: domainSchema.optional(),
    time_zone: timeZoneSchema.optional(),
    search_engines: searchEnginesSchema.optional(),
  })
  .openapi('PropertyChanges');
const propertySchema = z
  .object({
    id: z.uuid().openapi({ description: 'The attribution ID' }),
    organization_id: z.uuid(),
    name: z.string(),
    domain: z.string(),
    time_zone: z
      .string()
      .openapi({ description: 'IANA name of the time zone that defines the days of reports' }),
    time_zone_since: z.iso.date().nullable().openapi({
      description:
        'The first day of this zone; earlier days, whose raw hits are gone, use the previous time zone. null: every day uses this one',
    }),
    search_engines: searchEnginesSchema,
    recount: z.object({ days: z.number().int(), counted: z.number().int() }).nullable().openapi({
      description:
        'After a change of the zone: so many days are counted again, of so many. Reports stay correct in the meantime, but are slower. null: done',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Property');
const listSchema = z.object({ items: z.array(propertySchema) }).openapi('Properties');

const idParam = z.object({
  id: z.guid('Enter the attribution ID, a UUID.').openapi({ param: { name: 'id', in: 'path' } }),
});
const narrowing = z.object({
  organization: z
    .guid('Enter an organization ID, a UUID.')
    .optional()
    .openapi({ description: 'Limits the admin token to this organization' }),
});
const json = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
const tags = ['properties'];

export function propertyRoutes({ properties, recounting }: PropertyRoutesDeps): Api {
  const api = createApi();
  const view = async (property: Property) => ({
    id: property.id,
    organization_id: property.organizationId,
    name: property.name,
    domain: property.domain,
    time_zone: property.timeZone,
    time_zone_since: property.zoneSince === null ? null : dateOf(property.zoneSince.day),
    search_engines: property.searchEngines,
    recount: await recounting.progress(property),
    created_at: new Date(property.createdAt).toISOString(),
    updated_at: new Date(property.updatedAt).toISOString(),
  });

  api.openapi(
    createRoute({
      method: 'post',
      path: '/properties',
      tags,
      summary: 'Create a property; its ID is the attribution ID',
      request: {
        query: narrowing,
        body: { required: true, content: { 'application/json': { schema: newPropertySchema } } },
      },
      responses: {
        201: json(propertySchema, 'Created'),
        404: problemResponse('No such organization'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      const { name, domain, time_zone: timeZone, search_engines: searchEngines } = c.req.valid('json');
      const made = await properties.create(narrowed, actor, { name, domain, timeZone, searchEngines });
      return c.json(await view(made), 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties',
      tags,
      summary: 'All properties, oldest first (at most 1,000)',
      request: { query: narrowing },
      responses: { 200: json(listSchema, 'OK') },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json({ items: await Promise.all((await properties.list(scope)).map(view)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}',
      tags,
      summary: 'One property',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(propertySchema, 'OK'), 404: problemResponse('No such property') },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json(await view(await properties.get(scope, c.req.valid('param').id)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: '/properties/{id}',
      tags,
      summary: 'Change the name, the domain, the time zone, or whether search crawlers are stored',
      request: {
        params: idParam,
        query: narrowing,
        body: { required: true, content: { 'application/json': { schema: changesSchema } } },
      },
      responses: {
        200: json(propertySchema, 'Changed'),
        404: problemResponse('No such property'),
        422: problemResponse('Not accepted'),
        503: problemResponse('The warehouse is down: the time zone can not be changed now'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      const { name, domain, time_zone: timeZone, search_engines: searchEngines } = c.req.valid('json');
      const standing = await properties.get(narrowed, c.req.valid('param').id);
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(domain === undefined ? {} : { domain }),
        ...(searchEngines === undefined ? {} : { searchEngines }),
        ...(timeZone === undefined || timeZone === standing.timeZone
          ? {}
          : { zone: { timeZone, since: await recounting.since(standing, timeZone) } }),
      };
      const changed = await properties.update(narrowed, actor, standing.id, changes);
      if (changes.zone !== undefined) recounting.begin();
      return c.json(await view(changed), 200);
    },
  );

  api.openapi(
    createRoute({
      // What an editor of the property, or a token for it, can't undo.
      'x-need': 'admin_of_all',
      method: 'delete',
      path: '/properties/{id}',
      tags,
      summary: 'Delete a property with everything in it; it can’t be undone, and its ID is never reused',
      description:
        'Its keys stop working at once. Everything that it has collected is deleted in the background; `GET /api/v1/deletions` shows how far that is, and ends with a count of what is left.',
      request: { params: idParam, query: narrowing },
      responses: { 204: { description: 'Deleted' }, 404: problemResponse('No such property') },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      await properties.delete(narrowed, actor, c.req.valid('param').id);
      return c.body(null, 204);
    },
  );

  return api;
}
