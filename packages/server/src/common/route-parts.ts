/** What management routes have in common: the property in the path, the narrowing of the root token, JSON bodies and answers. */
import { z } from '@hono/zod-openapi';

/** `{id}` of `/properties/{id}/…`. */
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
