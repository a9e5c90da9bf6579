/**
 * Which properties a member sees: all of the organization's, or chosen ones with a role each. Here it is read and written; what follows of it for a
 * request is decided by its scope (`common/scope.ts`) and `http/permissions.ts`.
 */
import {
  type PropertyAccess,
  type PropertyRole,
  type Role,
  type Scope,
  ServiceError,
} from '../common/index.ts';
import type { Database } from '../database/index.ts';

/** Properties of one member; who needs more is given all. */
export const MAX_CHOSEN = 200;

type Queries = Database['kysely'];

/** A chosen property, in any letter case. */
export interface Chosen {
  readonly attributionId: string;
  readonly role: PropertyRole;
}

/** Owners and admins see everything, so a limit that is left of an earlier role has no effect on them. */
export async function accessOf(
  queries: Queries,
  {
    organizationId,
    personId,
    role,
    limited,
  }: { organizationId: string; personId: string; role: Role; limited: number },
): Promise<PropertyAccess | null> {
  if (role !== 'viewer' || limited === 0) return null;
  return (await accessOfMembers(queries, organizationId, [personId])).get(personId) ?? new Map();
}

/** Of several members at once; those without a property are left out. */
export async function accessOfMembers(
  queries: Queries,
  organizationId: string,
  people: readonly string[],
): Promise<ReadonlyMap<string, PropertyAccess>> {
  if (people.length === 0) return new Map();
  const rows = await queries
    .selectFrom('member_properties as a')
    .innerJoin('properties as p', (join) =>
      join.onRef('p.id', '=', 'a.attribution_id').onRef('p.organization_id', '=', 'a.organization_id'),
    )
    .select(['a.person_id', 'a.attribution_id', 'a.role'])
    .where('a.organization_id', '=', organizationId)
    .where('a.person_id', 'in', people)
    .where('p.deleted_at', 'is', null)
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute();
  const access = new Map<string, Map<string, PropertyRole>>();
  for (const { person_id: person, attribution_id: id, role } of rows) {
    const own = access.get(person) ?? new Map<string, PropertyRole>();
    access.set(person, own.set(id, role));
  }
  return access;
}

/**
 * @param chosen null: all properties
 * @throws ServiceError `invalid` for a role that sees all properties anyway, and for a property that the organization does not have
 */
export async function checkAccess(
  queries: Queries,
  { organizationId, role, chosen }: { organizationId: string; role: Role; chosen: readonly Chosen[] | null },
): Promise<PropertyAccess | null> {
  if (chosen === null) return null;
  if (role !== 'viewer')
    throw refused('/properties', `An ${role} sees all properties. Choose the role viewer to limit access.`);
  const access = new Map(chosen.map((one) => [one.attributionId.toLowerCase(), one.role]));
  const rows = await standing(queries, organizationId, [...access.keys()]);
  const known = new Set(rows);
  chosen.forEach(({ attributionId }, index) => {
    if (!known.has(attributionId.toLowerCase()))
      throw refused(`/properties/${index}/attribution_id`, 'Is not a property of this organization.');
  });
  return access;
}

/** Replaces what the member had. @param trx has the organization's lock; the membership is there */
export async function writeAccess(
  trx: Queries,
  { organizationId, personId }: { organizationId: string; personId: string },
  access: PropertyAccess | null,
): Promise<void> {
  await trx
    .deleteFrom('member_properties')
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .execute();
  await trx
    .updateTable('members')
    .set({ limited: access === null ? 0 : 1 })
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .execute();
  // An invitation may be older than the deletion of a property that it names.
  const there = await existingAccess(trx, organizationId, access);
  if (there === null || there.size === 0) return;
  await trx
    .insertInto('member_properties')
    .values(
      [...there].map(([id, role]) => ({
        organization_id: organizationId,
        person_id: personId,
        attribution_id: id,
        role,
      })),
    )
    .execute();
}

/** Without properties that are not there (any more). */
export async function existingAccess(
  queries: Queries,
  organizationId: string,
  access: PropertyAccess | null,
): Promise<PropertyAccess | null> {
  if (access === null) return null;
  const there = new Set(await standing(queries, organizationId, [...access.keys()]));
  return new Map([...access].filter(([id]) => there.has(id)));
}

export function sameAccess(one: PropertyAccess | null, other: PropertyAccess | null): boolean {
  if (one === null || other === null) return one === other;
  return one.size === other.size && [...one].every(([id, role]) => other.get(id) === role);
}

/** As a row of an invitation has it. */
export function accessText(access: PropertyAccess | null): string | null {
  return access === null ? null : JSON.stringify([...access]);
}

export function readAccessText(text: string | null): PropertyAccess | null {
  return text === null ? null : new Map(JSON.parse(text) as [string, PropertyRole][]);
}

/** The scope of a member's calls. */
export function memberScope(
  organizationId: string,
  access: PropertyAccess | null,
): Extract<Scope, { kind: 'organization' }> {
  return access === null
    ? { kind: 'organization', id: organizationId }
    : { kind: 'organization', id: organizationId, properties: access };
}

async function standing(queries: Queries, organizationId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await queries
    .selectFrom('properties')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

function refused(pointer: string, message: string): ServiceError {
  return new ServiceError('invalid', 'Nothing was changed.', { errors: [{ pointer, message }] });
}
