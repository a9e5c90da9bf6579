/** Whether the organization that a caller names is there. */
import type { Kysely } from 'kysely';
import { owningOrganization, type Scope, ServiceError } from '../common/index.ts';
import type { Row, Tables } from './tables.ts';

/** @returns the organization that a new row of this scope belongs to @throws ServiceError `not_found` */
export async function existingOrganization(
  queries: Kysely<Tables>,
  scope: Scope,
): Promise<Row<'organizations'>> {
  const found = await queries
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', owningOrganization(scope))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (found === undefined)
    throw new ServiceError('not_found', 'There is no such organization; omit ?organization=.');
  return found;
}
