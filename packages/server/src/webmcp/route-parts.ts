/** What the routes of the room share. */
import { z } from '@hono/zod-openapi';
import { type Caller, narrowScope, problemResponse } from '../kit/index.ts';
import type { Properties, Property } from '../properties/index.ts';

export const PATH = '/properties/{id}/webmcp';
export const tags = ['webmcp'];

export const idParam = z.object({
  id: z.guid('Give the attribution ID, a UUID.').openapi({ param: { name: 'id', in: 'path' } }),
});
export const narrowing = z.object({
  organization: z
    .guid('Give an organization ID, a UUID.')
    .optional()
    .openapi({ description: 'Narrows what the root token sees' }),
});
export const body = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: { 'application/json': { schema } },
});
export const json = <T extends z.ZodType>(schema: T, description = 'OK') => ({
  description,
  content: { 'application/json': { schema } },
});
export const absent = problemResponse('No such property');
export const refused = problemResponse('Not accepted; every place is named');

/** @throws ServiceError `not_found` for a property that the caller may not see, as for one that does not exist */
export type FindProperty = (
  caller: Caller,
  id: string,
  organization: string | undefined,
) => Promise<Property>;

export function propertyFinder(properties: Pick<Properties, 'get'>): FindProperty {
  return ({ scope }, id, organization) => properties.get(narrowScope(scope, organization), id);
}
