/** Who belongs to an organization, and to which organizations a person belongs. */
import type { PropertyAccess, Role } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { accessOf, accessOfMembers } from './access.ts';
import type { Member } from './sessions.ts';

/** Members of one organization, and organizations of one person. */
export const MAX_MEMBERS = 500;

export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export interface MemberView extends Member {
  readonly name: string;
  readonly email: string;
  readonly secondFactor: boolean;
  /** The company's provider decides about the membership. */
  readonly byGroups: boolean;
  readonly joinedAt: number;
}

/** An organization as its member has it. */
export interface Membership extends Organization {
  readonly role: Role;
  readonly access: PropertyAccess | null;
}

/** Oldest membership first. @param limits of the caller; null: none */
export async function readMembers(
  db: Database,
  organizationId: string,
  limits: PropertyAccess | null,
): Promise<MemberView[]> {
  const rows = await db.reader
    .selectFrom('members as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .leftJoin('second_factors as f', 'f.person_id', 'm.person_id')
    .select(['m.person_id', 'm.role', 'm.limited', 'm.by_groups', 'm.created_at'])
    .select(['p.name', 'p.email', 'f.confirmed_at'])
    .where('m.organization_id', '=', organizationId)
    .orderBy('m.created_at')
    .orderBy('m.person_id')
    .limit(MAX_MEMBERS)
    .execute();
  const limited = rows.filter((row) => row.role === 'viewer' && row.limited !== 0);
  const people = limited.map((row) => row.person_id);
  const access = await accessOfMembers(db.reader, organizationId, people);
  const all = rows.map((row) => ({
    personId: row.person_id,
    organizationId,
    role: row.role,
    access: people.includes(row.person_id) ? (access.get(row.person_id) ?? NONE) : null,
    name: row.name,
    email: row.email,
    secondFactor: row.confirmed_at !== null,
    byGroups: row.by_groups === 1,
    joinedAt: row.created_at,
  }));
  return limits === null ? all : asSeenWithin(limits, all);
}

/** Oldest membership first. */
export async function readMemberships(db: Database, personId: string): Promise<Membership[]> {
  const rows = await db.reader
    .selectFrom('members as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name', 'o.created_at', 'm.role', 'm.limited'])
    .where('m.person_id', '=', personId)
    .orderBy('m.created_at')
    .orderBy('o.id')
    .limit(MAX_MEMBERS)
    .execute();
  return await Promise.all(
    rows.map(async ({ id, name, created_at: createdAt, role, limited }) => ({
      ...{ id, name, createdAt, role },
      access: await accessOf(db.reader, { organizationId: id, personId, role, limited }),
    })),
  );
}

const NONE: PropertyAccess = new Map();

/** The members that callers with limits see: who works on one of their properties, and what it is that both see. */
function asSeenWithin(limits: PropertyAccess, members: readonly MemberView[]): MemberView[] {
  return members.flatMap((member) => {
    if (member.access === null) return [member];
    const shared = [...member.access].filter(([id]) => limits.has(id));
    return shared.length === 0 ? [] : [{ ...member, access: new Map(shared) }];
  });
}
