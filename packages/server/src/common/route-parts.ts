/** What management routes have in common: the property in the path, the narrowing of the admin token, JSON bodies and answers. */
import { z } from '@hono/zod-openapi';

/** `{id}` of `/properties/{id}/…`. */
export const idParam = z.object({
  id: z.guid('Enter the attribution ID, a UUID.').openapi({ param: { name: 'id', in: 'path' } }),
});
export const narrowing = z.object({
  organization: z
    .guid('Enter an organization ID, a UUID.')
    .optional()
    .openapi({ description: 'Limits the admin token to this organization' }),
});
/** Where a key or token was last used from. */
export const networkSchema = z.string().nullable().openapi({
  description: 'The network of the address: `203.0.113.0/24`, `2001:db8:85a3::/48`; null: not known',
  example: '203.0.113.0/24',
});
/** What a list is asked for that is read in pages: `database/paging.ts`. */
export const pageQuery = z.object({
  limit: z.coerce.number('Enter a number.').int().min(1, 'At least 1.').max(200, 'At most 200.').default(50),
  after: z.string().max(200).optional().openapi({ description: '`next` of the page before' }),
});
/** A page of it. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next: z.string().nullable() });
export const body = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: { 'application/json': { schema } },
});
export const json = <T extends z.ZodType>(schema: T, description = 'OK') => ({
  description,
  content: { 'application/json': { schema } },
});
