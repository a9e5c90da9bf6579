/** How routes below `/properties/{id}` come to their property. */
import { type Caller, narrowScope } from '../common/index.ts';
import type { Properties, Property } from './properties.ts';

/** @throws ServiceError `not_found` for a property that the caller may not see, as for one that does not exist */
export type FindProperty = (
  caller: Caller,
  id: string,
  organization: string | undefined,
) => Promise<Property>;

export function propertyFinder(properties: Pick<Properties, 'get'>): FindProperty {
  return ({ scope }, id, organization) => properties.get(narrowScope(scope, organization), id);
}
