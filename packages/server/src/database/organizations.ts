/** Whether the organization that a caller names is there, and which rows of it a scope has. */
import { type Kysely, type SqlBool, sql } from 'kysely';
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

/**
 * The WHERE of a query that takes a scope: the rows of its organization, and of its properties where it is limited to some. A row of no property is
 * then not in it.
 * @param property the column with the property's ID, with its table's name where several are joined
 */
export function inScope(scope: Scope, property: string, organization = 'organization_id') {
  if (scope.kind === 'all') return sql<SqlBool>`1 = 1`;
  const ofOrganization = sql<SqlBool>`${sql.ref(organization)} = ${scope.id}`;
  if (scope.properties === undefined) return ofOrganization;
  const ids = [...scope.properties.keys()];
  if (ids.length === 0) return sql<SqlBool>`1 = 0`;
  return sql<SqlBool>`(${ofOrganization} and ${sql.ref(property)} in (${sql.join(ids)}))`;
}
