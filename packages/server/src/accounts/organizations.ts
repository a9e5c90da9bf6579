/** Organizations and who belongs to them. */
import { randomUUID } from 'node:crypto';
import {
  type Caller,
  type Clock,
  DEFAULT_ORGANIZATION_ID,
  limitsOf,
  owningOrganization,
  type Role,
  type Scope,
  ServiceError,
} from '../common/index.ts';
import {
  audit,
  auditChange,
  type ChangeAction,
  type Database,
  existingOrganization,
  lockOrganization,
  prefixed,
} from '../database/index.ts';
import { accessOf, type Chosen, checkAccess, sameAccess, writeAccess } from './access.ts';
import { personActor } from './audit.ts';
import { assertCurrentRole } from './current-role.ts';
import { removeMembers } from './deleting-members.ts';
import {
  MAX_MEMBERS,
  type Membership,
  type MemberView,
  type Organization,
  readMembers,
  readMemberships,
} from './reading-members.ts';
import type { Member } from './sessions.ts';

/** Beyond what a person reads. */
const MAX_LISTED = 1_000;

/** Names the groups of the company's provider in the audit log. */
const GROUPS_ACTOR = 'groups';

type Queries = Database['kysely'];
/** What a member is. */
type Standing = Pick<Member, 'role' | 'access'>;
type Who = Pick<Member, 'organizationId' | 'personId'>;

/** As the audit log compares it: each chosen property with the role there. */
const loggedOf = ({ role, access }: Standing): Record<string, unknown> => ({
  role,
  properties: access === null ? 'all' : 'chosen',
  ...(access === null ? {} : prefixed('properties', Object.fromEntries(access))),
});

/** What is left out stays as it is; owners and admins see all properties. */
export interface MemberChange {
  readonly role?: Role | undefined;
  /** null: all properties. */
  readonly chosen?: readonly Chosen[] | null | undefined;
}

export interface Organizations {
  /** The caller's own; for the admin token the default one, or what it is narrowed to. @throws ServiceError `not_found` */
  get(scope: Scope): Promise<Organization>;
  list(scope: Scope): Promise<Organization[]>;
  create(actor: Caller['actor'], name: string): Promise<Organization>;
  rename(scope: Scope, actor: Caller['actor'], name: string): Promise<Organization>;
  /**
   * Its members, keys and tokens are of no use at once; a job deletes everything else. Who was a member of no other organization loses
   * the account. @param name as typed to confirm @throws ServiceError `not_found`, `invalid` for another name, `conflict` for the first organization
   */
  delete(scope: Scope, actor: Caller['actor'], name: string): Promise<void>;
  /** Oldest membership first. A scope of chosen properties has the members who see one of them too, and nothing of what else they see. */
  members(scope: Scope): Promise<MemberView[]>;
  /**
   * Who is no owner any more takes their open invitations along.
   * @throws ServiceError `not_found`, `conflict` for the last owner, `invalid` for properties that the role or the organization does not have
   */
  change(scope: Scope, actor: Caller['actor'], personId: string, change: MemberChange): Promise<void>;
  /** Ends their sessions in it too; tokens that they made stop with the membership. @throws ServiceError as above */
  remove(scope: Scope, actor: Caller['actor'], personId: string): Promise<void>;
  /**
   * Makes of a person what their groups say. @param wanted null: no group says anything, so what groups have given is taken
   * @returns why nothing was changed: the last owner would have been lost, or there is no room for another member
   */
  follow(trx: Queries, who: Who, wanted: Standing | null): Promise<'followed' | 'last_owner' | 'full'>;
  /** Whether another member may be added. */
  hasRoom(queries: Queries, organizationId: string): Promise<boolean>;
  /** The organizations of a person, oldest membership first. */
  of(personId: string): Promise<Membership[]>;
  /** @throws ServiceError `conflict` when they are one already, or there are too many */
  add(trx: Queries, actor: Caller['actor'], member: Member): Promise<void>;
}

export interface OrganizationHooks {
  /**
   * In the transaction that changes what a member may do, or removes them: what other rooms keep of theirs and must not outlive the right to it.
   * @param standing null: no member any more
   */
  readonly onStanding?: (
    trx: Queries,
    who: Who,
    standing: Standing | null,
    actor: Caller['actor'],
  ) => Promise<void>;
  /** In the transaction that deletes an organization: what other rooms keep of it and must not outlive it. @param found rows that went with its members */
  readonly onDelete?: (
    trx: Queries,
    organization: Organization,
    actor: Caller['actor'],
    found: Readonly<Record<string, number>>,
  ) => Promise<void>;
  /** After it. Never waits. */
  readonly onDeleted?: () => void;
}

export function createOrganizations(
  db: Database,
  clock: Clock,
  hooks: OrganizationHooks = {},
): Organizations {
  const existing = async (queries: Queries, scope: Scope): Promise<Organization> => {
    const found = await existingOrganization(queries, scope);
    return { id: found.id, name: found.name, createdAt: found.created_at };
  };

  const memberOf = async (trx: Queries, organizationId: string, personId: string): Promise<Standing> => {
    const found = await trx
      .selectFrom('members')
      .select(['role', 'limited'])
      .where('organization_id', '=', organizationId)
      .where('person_id', '=', personId)
      .executeTakeFirst();
    if (found === undefined) {
      throw new ServiceError('not_found', 'There is no such member; list the members to find the ID.');
    }
    const { role, limited } = found;
    return { role, access: await accessOf(trx, { organizationId, personId, role, limited }) };
  };

  const isLastOwner = async (trx: Queries, organizationId: string, leaving: string): Promise<boolean> => {
    const other = await trx
      .selectFrom('members')
      .select('person_id')
      .where('organization_id', '=', organizationId)
      .where('role', '=', 'owner')
      .where('person_id', '!=', leaving)
      .executeTakeFirst();
    return other === undefined;
  };

  /** Who was an owner may hold a link to an invitation that they made themselves, and come back by it as whatever it says. */
  const withdrawInvitationsOf = async (
    trx: Queries,
    actor: Caller['actor'],
    organizationId: string,
    personId: string,
  ): Promise<void> => {
    const withdrawn = await trx
      .deleteFrom('one_time_links')
      .where('organization_id', '=', organizationId)
      .where('kind', '=', 'invitation')
      .where('created_by', '=', personActor(personId))
      .returning('id')
      .execute();
    for (const { id: subject } of withdrawn)
      await audit(trx, { at: clock(), actor, action: 'invitation.withdrawn', subject, organizationId });
  };

  /** Before an owner is none any more. @throws ServiceError `conflict` for the last one */
  const dethrone = async (trx: Queries, actor: Caller['actor'], { organizationId, personId }: Who) => {
    if (await isLastOwner(trx, organizationId, personId))
      throw new ServiceError('conflict', 'This is the last owner; make another member an owner first.');
    await withdrawInvitationsOf(trx, actor, organizationId, personId);
  };

  const rewrite = async (
    trx: Queries,
    actor: Caller['actor'],
    before: Standing,
    { organizationId, personId, role, access }: Member,
  ): Promise<void> => {
    const noted = async (action: ChangeAction, was: Standing, is: Standing) =>
      await auditChange(trx, {
        ...{ at: clock(), actor, action, subject: personId, organizationId },
        ...{ before: loggedOf(was), after: loggedOf(is) },
      });
    const keepsAccess = sameAccess(before.access, access);
    if (before.role === role && keepsAccess) return;
    if (before.role !== role) {
      if (before.role === 'owner') await dethrone(trx, actor, { organizationId, personId });
      await trx
        .updateTable('members')
        .set({ role })
        .where('organization_id', '=', organizationId)
        .where('person_id', '=', personId)
        .execute();
      await noted(`member.made_${role}`, before, { ...before, role });
    }
    if (!keepsAccess) {
      await writeAccess(trx, { organizationId, personId }, access);
      const action = access === null ? 'member.access_all' : 'member.access_limited';
      await noted(action, { ...before, role }, { role, access });
    }
    await hooks.onStanding?.(trx, { organizationId, personId }, { role, access }, actor);
  };

  const expel = async (trx: Queries, actor: Caller['actor'], { role }: Standing, who: Who): Promise<void> => {
    const { organizationId, personId } = who;
    if (role === 'owner') await dethrone(trx, actor, who);
    for (const table of ['member_properties', 'members', 'sign_in_sessions'] as const) {
      await trx
        .deleteFrom(table)
        .where('organization_id', '=', organizationId)
        .where('person_id', '=', personId)
        .execute();
    }
    await audit(trx, { at: clock(), actor, action: 'member.removed', subject: personId, organizationId });
    await hooks.onStanding?.(trx, who, null, actor);
  };

  return {
    get: (scope) => existing(db.reader, scope),
    async list(scope) {
      const rows = await db.reader
        .selectFrom('organizations')
        .selectAll()
        .where('deleted_at', 'is', null)
        .$if(scope.kind === 'organization', (query) => query.where('id', '=', owningOrganization(scope)))
        .orderBy('created_at')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(({ id, name, created_at: createdAt }) => ({ id, name, createdAt }));
    },
    async create(actor, name) {
      const organization = { id: randomUUID(), name, createdAt: clock() };
      const { id, createdAt: at } = organization;
      await db.kysely.transaction().execute(async (trx) => {
        await trx.insertInto('organizations').values({ id, name, created_at: at }).execute();
        await audit(trx, { at, actor, action: 'organization.created', subject: id, organizationId: id });
      });
      return organization;
    },
    async rename(scope, actor, name) {
      return await db.kysely.transaction().execute(async (trx) => {
        const organization = await existing(trx, scope);
        const { id } = organization;
        await lockOrganization(trx, id);
        await assertCurrentRole(trx, actor, id, 'owner');
        await trx.updateTable('organizations').set({ name }).where('id', '=', id).execute();
        await auditChange(trx, {
          ...{ at: clock(), actor, action: 'organization.renamed', subject: id, organizationId: id },
          ...{ before: { name: organization.name }, after: { name } },
        });
        return { ...organization, name };
      });
    },
    async delete(scope, actor, name) {
      await db.kysely.transaction().execute(async (trx) => {
        const organization = await existing(trx, scope);
        const { id } = organization;
        await lockOrganization(trx, id);
        await assertCurrentRole(trx, actor, id, 'owner');
        if (id === DEFAULT_ORGANIZATION_ID)
          throw new ServiceError(
            'conflict',
            'The installation began with this organization, and its people run it. Delete its properties instead.',
          );
        if (name.trim() !== organization.name.trim())
          throw new ServiceError('invalid', 'Enter the name of the organization to confirm.', {
            errors: [{ pointer: '/confirm', message: 'is not the name of the organization' }],
          });
        const at = clock();
        const { numUpdatedRows } = await trx
          .updateTable('organizations')
          .set({ deleted_at: at })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        const found = await removeMembers(trx, id);
        await hooks.onDelete?.(trx, organization, actor, found);
        // The organization's own log is deleted with it.
        await audit(trx, { at, actor, action: 'organization.deleted', subject: id, organizationId: null });
      });
      hooks.onDeleted?.();
    },
    members: async (scope) => await readMembers(db, (await existing(db.reader, scope)).id, limitsOf(scope)),
    async change(scope, actor, personId, { role: asked, chosen }) {
      await db.kysely.transaction().execute(async (trx) => {
        const { id: organizationId } = await existing(trx, scope);
        await lockOrganization(trx, organizationId);
        await assertCurrentRole(trx, actor, organizationId, 'owner');
        const before = await memberOf(trx, organizationId, personId);
        const role = asked ?? before.role;
        const access =
          chosen !== undefined
            ? await checkAccess(trx, { organizationId, role, chosen })
            : role === 'viewer'
              ? before.access
              : null;
        await rewrite(trx, actor, before, { organizationId, personId, role, access });
      });
    },
    async remove(scope, actor, personId) {
      await db.kysely.transaction().execute(async (trx) => {
        const { id: organizationId } = await existing(trx, scope);
        await lockOrganization(trx, organizationId);
        // Anyone may leave.
        if (actor !== personActor(personId)) await assertCurrentRole(trx, actor, organizationId, 'owner');
        await expel(trx, actor, await memberOf(trx, organizationId, personId), { organizationId, personId });
      });
    },
    async follow(trx, { organizationId, personId }, wanted) {
      await lockOrganization(trx, organizationId);
      const row = await trx
        .selectFrom('members')
        .select(['role', 'limited', 'by_groups'])
        .where('organization_id', '=', organizationId)
        .where('person_id', '=', personId)
        .executeTakeFirst();
      if (row === undefined) {
        if (wanted === null) return 'followed';
        if (!(await hasRoom(trx, organizationId))) return 'full';
        await admit(trx, GROUPS_ACTOR, { organizationId, personId, ...wanted });
      } else {
        const { role, limited } = row;
        const before = { role, access: await accessOf(trx, { organizationId, personId, role, limited }) };
        // Who was invited by hand, and is in none of the groups, stays what they are.
        if (wanted === null && row.by_groups === 0) return 'followed';
        const loses = role === 'owner' && wanted?.role !== 'owner';
        if (loses && (await isLastOwner(trx, organizationId, personId))) return 'last_owner';
        if (wanted === null) {
          await expel(trx, GROUPS_ACTOR, before, { organizationId, personId });
          return 'followed';
        }
        await rewrite(trx, GROUPS_ACTOR, before, { organizationId, personId, ...wanted });
      }
      await trx
        .updateTable('members')
        .set({ by_groups: 1 })
        .where('organization_id', '=', organizationId)
        .where('person_id', '=', personId)
        .execute();
      return 'followed';
    },
    hasRoom,
    of: (personId) => readMemberships(db, personId),
    add: admit,
  };

  async function admit(
    trx: Queries,
    actor: Caller['actor'],
    { organizationId, personId, role, access }: Member,
  ): Promise<void> {
    await lockOrganization(trx, organizationId);
    if (!(await hasRoom(trx, organizationId))) {
      throw new ServiceError('conflict', `An organization may have at most ${MAX_MEMBERS} members.`);
    }
    const at = clock();
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('members')
      .values({ organization_id: organizationId, person_id: personId, role, created_at: at })
      .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doNothing())
      .executeTakeFirst();
    if (Number(numInsertedOrUpdatedRows ?? 0n) === 0) {
      throw new ServiceError('conflict', 'This person is already a member.');
    }
    if (access !== null) await writeAccess(trx, { organizationId, personId }, access);
    await audit(trx, { at, actor, action: 'member.added', subject: personId, organizationId });
  }
}

async function hasRoom(queries: Queries, organizationId: string): Promise<boolean> {
  const { count } = await queries
    .selectFrom('members')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count) < MAX_MEMBERS;
}
