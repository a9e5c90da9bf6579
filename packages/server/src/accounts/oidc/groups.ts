/** What a person's groups make of them: per organization a role, and the properties that a viewer sees. */
import {
  type GroupMapping,
  includesRole,
  type PropertyAccess,
  type PropertyRole,
  type Role,
} from '../../common/index.ts';

export interface Wanted {
  readonly role: Role;
  /** null: all properties. */
  readonly access: PropertyAccess | null;
}

/** @returns for each organization that any group decides about what the person is there; null: nothing */
export function membershipsOf(
  mappings: readonly GroupMapping[],
  groups: readonly string[],
): ReadonlyMap<string, Wanted | null> {
  const own = new Set(groups);
  const wanted = new Map<string, Wanted | null>();
  for (const mapping of mappings) {
    const before = wanted.get(mapping.organizationId) ?? null;
    const gained = own.has(mapping.group) ? both(before, wantedBy(mapping)) : before;
    wanted.set(mapping.organizationId, gained);
  }
  return wanted;
}

function wantedBy({ role, properties }: GroupMapping): Wanted {
  if (properties === null || role !== 'viewer') return { role, access: null };
  return { role, access: new Map(properties.map((one) => [one.attributionId.toLowerCase(), one.role])) };
}

/** Of two groups the stronger role counts, and of two viewers' properties all. */
function both(one: Wanted | null, other: Wanted): Wanted {
  if (one === null) return other;
  if (one.role !== other.role) return includesRole(one.role, other.role) ? one : other;
  if (one.access === null || other.access === null) return { role: one.role, access: null };
  const access = new Map<string, PropertyRole>(one.access);
  for (const [id, role] of other.access) if (access.get(id) !== 'editor') access.set(id, role);
  return { role: one.role, access };
}
