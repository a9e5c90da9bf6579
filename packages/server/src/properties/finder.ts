/** How routes below `/properties/{id}` come to their property. */
import { type Caller, narrowScope } from '../common/index.ts';
import type { Properties, Property } from './properties.ts';

/** A request of such a route: Hono's context, as far as it is read. The route's schemas have checked both texts. */
interface PropertyRequest {
  get(name: 'caller'): Caller;
  readonly req: {
    param(name: 'id'): string | undefined;
    query(name: 'organization'): string | undefined;
  };
}

/** @throws ServiceError `not_found` for a property that the caller may not see, as for one that does not exist */
export type FindProperty = (request: PropertyRequest) => Promise<Property>;

export function propertyFinder(properties: Pick<Properties, 'get'>): FindProperty {
  return async (c) => {
    const scope = narrowScope(c.get('caller').scope, c.req.query('organization'));
    return await properties.get(scope, c.req.param('id') ?? '');
  };
}
