/** What the routes of the room share. */
import { z } from '@hono/zod-openapi';
import { idParam, problemResponse } from '../common/index.ts';

export { body, idParam, json, narrowing } from '../common/index.ts';
export type { FindProperty } from '../properties/index.ts';

export const PATH = '/properties/{id}';
export const tags = ['forwarding'];

export const absent = problemResponse('No such property, or nothing of that id');
export const refused = problemResponse('Not accepted; every place is named');

export const destinationParam = idParam.extend({
  destination_id: z
    .string()
    .max(64)
    .openapi({ param: { name: 'destination_id', in: 'path' }, description: '`dst_…`' }),
});
export const deliveryParam = idParam.extend({
  delivery_id: z
    .string()
    .max(64)
    .openapi({ param: { name: 'delivery_id', in: 'path' }, description: '`dlv_…`' }),
});
