/**
 * What a person has made here lasts as long as the right to it: a share link as long as its creator may create links of that property, a mail as
 * long as its reader sees the property. A link that outlived its creator's rights would show them what was taken from them.
 */
import { sql } from 'kysely';
import { type Caller, includesRole, type PropertyAccess, type Role, ServiceError } from '../common/index.ts';
import { audit, type Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

type Queries = Database['kysely'];
type Actor = Caller['actor'];

const PERSON = 'person:';
const TOKEN = 'token:';

/** What a person is in an organization from now on. */
export interface Standing {
  readonly role: Role;
  /** null: all properties. */
  readonly access: PropertyAccess | null;
}

/**
 * Ends what a changed member has no right to any more.
 * @param trx that of the change, with the organization's lock
 * @param standing null: no member any more
 */
export async function endWithRights(
  trx: Queries,
  { organizationId, personId }: { organizationId: string; personId: string },
  standing: Standing | null,
  { actor, at }: { actor: Actor; at: number },
): Promise<void> {
  await endMails(trx, { organizationId, personId }, standing);
  if (standing !== null && includesRole(standing.role, 'admin')) return;
  const edited = [...(standing?.access ?? [])].filter(([, role]) => role === 'editor').map(([id]) => id);
  const revoked = await trx
    .updateTable('share_links')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('created_by', '=', `${PERSON}${personId}`),
        // A token has its creator's rights, and a link made with it is the creator's.
        eb(
          'created_by',
          'in',
          selectFrom('api_tokens')
            .select(sql<string>`${sql.lit(TOKEN)} || ${sql.ref('api_tokens.id')}`.as('actor'))
            .where('organization_id', '=', organizationId)
            .where('person_id', '=', personId),
        ),
      ]),
    )
    .$if(edited.length > 0, (query) => query.where('attribution_id', 'not in', edited))
    .returning('id')
    .execute();
  const reason =
    standing === null
      ? 'its creator left the organization'
      : 'its creator may no longer create links of this property';
  for (const { id: subject } of revoked)
    await audit(trx, {
      ...{ at, actor, action: 'share_link.revoked', subject, organizationId },
      changes: [{ what: 'reason', before: null, after: reason }],
    });
}

/** A mail of a property that the person sees no more would go on when they come back. */
async function endMails(
  trx: Queries,
  { organizationId, personId }: { organizationId: string; personId: string },
  standing: Standing | null,
): Promise<void> {
  if (standing !== null && standing.access === null) return;
  const seen = [...(standing?.access?.keys() ?? [])];
  await trx
    .deleteFrom('report_mails')
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .$if(seen.length > 0, (query) => query.where('attribution_id', 'not in', seen))
    .execute();
}

/**
 * The right to create links was checked when the request came; a removal since then has ended the links that were there.
 * @param trx with the organization's lock
 * @throws ServiceError `forbidden`
 */
export async function assertMayShare(
  trx: Queries,
  actor: Actor,
  { id, organizationId }: Owner,
): Promise<void> {
  const personId = await personBehind(trx, actor, organizationId);
  if (personId === null) return;
  const member = await trx
    .selectFrom('members')
    .select(['role', 'limited'])
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (member !== undefined && includesRole(member.role, 'admin')) return;
  if (member !== undefined && member.limited !== 0) {
    const chosen = await trx
      .selectFrom('member_properties')
      .select('role')
      .where('organization_id', '=', organizationId)
      .where('person_id', '=', personId)
      .where('attribution_id', '=', id)
      .executeTakeFirst();
    if (chosen?.role === 'editor') return;
  }
  throw new ServiceError('forbidden', 'Your role in this organization has changed. Reload the page.');
}

/** @returns null: the admin token, or a token that it issued */
async function personBehind(trx: Queries, actor: Actor, organizationId: string): Promise<string | null> {
  if (actor.startsWith(PERSON)) return actor.slice(PERSON.length);
  if (!actor.startsWith(TOKEN)) return null;
  const token = await trx
    .selectFrom('api_tokens')
    .select('person_id')
    .where('id', '=', actor.slice(TOKEN.length))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return token?.person_id ?? null;
}
