/**
 * Which account an identity opens, and what it may do. An account is found by issuer and subject alone. By its email address it is found once,
 * when the operator has said that the provider decides whose addresses of that domain are (docs/decisions/0029-oidc.md): an address that anyone
 * can claim at a provider must not open what another person has here.
 */
import { type OidcSettings, owningOrganization } from '../../common/index.ts';
import { audit, type Database } from '../../database/index.ts';
import { existingAccess, readAccessText } from '../access.ts';
import { auditPerson, personActor } from '../audit.ts';
import type { Parts } from '../parts.ts';
import { OidcError } from './failure.ts';
import { membershipsOf, type Wanted } from './groups.ts';
import type { Identity } from './identity.ts';

type Queries = Database['kysely'];

/** @returns the person, a member of at least one organization. @throws OidcError; what groups have taken stays taken then */
export async function admit(parts: Parts, settings: OidcSettings, identity: Identity): Promise<string> {
  const trusted = trustedAddress(identity, settings);
  const once = () =>
    parts.db.kysely.transaction().execute((trx) => admitted(trx, parts, settings, identity, trusted));
  const personId = await once().catch(async (error: unknown) => {
    if (error instanceof OidcError) throw error;
    // Two windows came back at once with a person who was new: the other one made the account.
    return await once();
  });
  if (personId === null) throw new OidcError('no_access');
  return personId;
}

/**
 * The address, where the provider may be trusted about it; null: it says none.
 * @throws OidcError `unverified_email`, `wrong_domain`
 */
function trustedAddress(
  { email, emailVerified }: Identity,
  { allowedDomains, trustEmail }: OidcSettings,
): string | null {
  if (email === null) {
    if (allowedDomains.length > 0) throw new OidcError('no_email');
    return null;
  }
  const isVerified = emailVerified === true || (emailVerified === undefined && trustEmail);
  if (allowedDomains.length === 0) return isVerified ? email : null;
  if (!isVerified) throw new OidcError('unverified_email');
  if (!allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1))) throw new OidcError('wrong_domain');
  return email;
}

async function admitted(
  trx: Queries,
  parts: Parts,
  settings: OidcSettings,
  identity: Identity,
  trusted: string | null,
): Promise<string | null> {
  const { clock, log, organizations } = parts;
  const at = clock();
  const wanted = await standingOrganizations(trx, parts, settings, identity);
  const invitations = trusted === null ? [] : await openInvitations(trx, trusted, at);
  const offering = new Set([
    ...[...wanted].flatMap(([id, one]) => (one === null ? [] : [id])),
    ...invitations.flatMap(({ organization_id: id }) => (id === null ? [] : [id])),
  ]);
  const full = new Set<string>();
  for (const id of offering) if (!(await organizations.hasRoom(trx, id))) full.add(id);
  const skipFull = (organization: string) =>
    log.warn(
      { organization },
      'an organization has no room for another member; a sign-in gave no access to it',
    );
  const gains = offering.size > full.size;
  const personId = await personOf(trx, parts, settings, { identity, trusted, gains });
  if (personId === null) {
    for (const id of full) skipFull(id);
    return null;
  }

  for (const [organizationId, one] of wanted) {
    const outcome = await organizations.follow(trx, { organizationId, personId }, one);
    // What groups say of other organizations applies anyway.
    if (outcome === 'full') skipFull(organizationId);
    if (outcome === 'last_owner')
      log.warn(
        { organization: organizationId },
        'groups would have taken the last owner of an organization; the role was kept',
      );
  }
  const member = async () =>
    await trx.selectFrom('members').select('organization_id').where('person_id', '=', personId).execute();
  for (const { id, organization_id: organizationId, role, properties } of invitations) {
    if (organizationId === null || role === null) continue;
    const isMember = (await member()).some((one) => one.organization_id === organizationId);
    if (!isMember && !(await organizations.hasRoom(trx, organizationId))) {
      // The invitation stays: there may be room at the next sign-in.
      skipFull(organizationId);
      continue;
    }
    await trx.deleteFrom('one_time_links').where('id', '=', id).execute();
    if (isMember) continue;
    const access = readAccessText(properties);
    await organizations.add(trx, personActor(personId), { organizationId, personId, role, access });
  }
  return (await member()).length === 0 ? null : personId;
}

/** What groups say of organizations that exist. */
async function standingOrganizations(
  trx: Queries,
  { log }: Parts,
  { groups }: OidcSettings,
  identity: Identity,
) {
  const wanted = membershipsOf(groups, identity.groups);
  const rows = await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', 'in', [...wanted.keys(), owningOrganization({ kind: 'all' })])
    .where('deleted_at', 'is', null)
    .execute();
  const there = new Set(rows.map(({ id }) => id));
  const standing = new Map<string, Wanted | null>();
  // In one order, so that two sign-ins don't wait for each other's locks.
  for (const [id, one] of [...wanted].toSorted(([a], [b]) => a.localeCompare(b))) {
    if (!there.has(id))
      log.warn({ organization: id }, 'OIDC_GROUPS names an organization that does not exist');
    else standing.set(id, one && { role: one.role, access: await existingAccess(trx, id, one.access) });
  }
  return standing;
}

async function openInvitations(trx: Queries, email: string, at: number) {
  return await trx
    .selectFrom('one_time_links')
    .select(['id', 'organization_id', 'role', 'properties'])
    .where('kind', '=', 'invitation')
    .where('email', '=', email)
    .where('expires_at', '>', at)
    .orderBy('organization_id')
    .execute();
}

/** @returns null for an unknown person who would be a member of nothing. @throws OidcError */
async function personOf(
  trx: Queries,
  { clock, credentials, secondFactors }: Parts,
  { allowedDomains }: OidcSettings,
  { identity, trusted, gains }: { identity: Identity; trusted: string | null; gains: boolean },
): Promise<string | null> {
  const { issuer, subject, email, name } = identity;
  const at = clock();
  const known = async () =>
    await trx
      .updateTable('identities')
      .set({ last_used_at: at })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .returning('person_id')
      .executeTakeFirst();
  const before = await known();
  if (before !== undefined) return before.person_id;
  if (trusted === null) {
    if (!gains) return null;
    throw new OidcError(email === null ? 'no_email' : 'unverified_email');
  }
  const existing = await trx
    .selectFrom('people')
    .select('id')
    .where('email', '=', trusted)
    .executeTakeFirst();
  if (existing === undefined && !gains) return null;
  if (existing !== undefined) {
    // Another window may have made both since: PostgreSQL shows each statement what was committed before it.
    const since = await known();
    if (since !== undefined) return since.person_id;
    if (allowedDomains.length === 0) throw new OidcError('not_linked');
    // The address went to another person at the company.
    const other = await trx
      .selectFrom('identities')
      .select('subject')
      .where('person_id', '=', existing.id)
      .where('issuer', '=', issuer)
      .executeTakeFirst();
    if (other !== undefined) throw new OidcError('other_identity');
    // What its owner asks for besides the password must not be left out by a way that asks for less.
    if (await secondFactors.isOn(existing.id)) throw new OidcError('second_factor');
  }
  const personId =
    existing?.id ??
    (await credentials.create(trx, {
      name: name ?? trusted.slice(0, trusted.indexOf('@')),
      email: trusted,
      hash: null,
    }));
  await trx
    .insertInto('identities')
    .values({ issuer, subject, person_id: personId, created_at: at, last_used_at: at })
    .execute();
  const change = { at, actor: personActor(personId), action: 'identity.linked', subject: personId };
  if (existing === undefined) await audit(trx, { ...change, organizationId: null });
  else await auditPerson(trx, personId, change);
  return personId;
}
