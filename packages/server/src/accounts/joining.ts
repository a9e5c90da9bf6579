/** How people join: the first owner by the link of the first start, everyone else by an invitation. */

import {
  type Caller,
  DEFAULT_ORGANIZATION_ID,
  type Role,
  type Scope,
  ServiceError,
} from '../common/index.ts';
import { audit, type Database, lockOrganization } from '../database/index.ts';
import { type Chosen, checkAccess } from './access.ts';
import { personActor } from './audit.ts';
import { assertCurrentRole } from './current-role.ts';
import type { Link } from './links.ts';
import { linkMail } from './mails.ts';
import { normalizeEmail, type Parts } from './parts.ts';
import { assertUncommon } from './password-choice.ts';
import type { Started, StartedFrom } from './sessions.ts';
import { provePerson, startSession } from './sign-in.ts';

/** Invitations of one organization that are open at a time. */
const MAX_INVITATIONS = 100;

export interface Invited {
  readonly link: Link;
  /** To be copied; null when it went by mail. */
  readonly url: string | null;
}

export interface Invitation {
  readonly email: string;
  readonly role: Role;
  /** null: all properties. */
  readonly chosen: readonly Chosen[] | null;
}

export interface Joining {
  /** A link that makes its user the owner of the default organization; null when an account exists already. It replaces the one before. */
  welcomeLink(): Promise<string | null>;
  /** @throws ServiceError `not_found` for a used link, and once an account exists */
  welcome(
    person: { token: string; name: string; email: string; password: string },
    from: StartedFrom,
  ): Promise<Started>;
  /** @throws ServiceError `conflict` when they are a member already, or there are too many, `invalid` for properties that are not there */
  invite(scope: Scope, actor: Caller['actor'], invitation: Invitation): Promise<Invited>;
  invitations(scope: Scope): Promise<Link[]>;
  /** @throws ServiceError `not_found` */
  withdraw(scope: Scope, actor: Caller['actor'], id: string): Promise<void>;
  /** A new person gives a name and chooses a password; a person with an account signs in. */
  accept(
    answer: { token: string; name?: string | undefined; password: string; code?: string | undefined },
    from: StartedFrom,
  ): Promise<Started>;
}

export function createJoining(parts: Parts): Joining {
  const { db, clock, log, credentials, organizations, links, mailer } = parts;

  const nobodyYet = async (queries: typeof db.kysely): Promise<boolean> =>
    (await queries.selectFrom('people').select('id').limit(1).executeTakeFirst()) === undefined;

  const mailed = async (link: Link, url: string, organization: string): Promise<boolean> => {
    if (mailer === null || link.email === null) return false;
    try {
      await mailer.send(linkMail({ kind: 'invitation', to: link.email, url, organization }));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'an invitation could not be mailed; its link is shown instead');
      return false;
    }
  };

  return {
    async welcomeLink() {
      return await db.kysely.transaction().execute(async (trx) => {
        if (!(await nobodyYet(trx))) return null;
        await trx.deleteFrom('one_time_links').where('kind', '=', 'welcome').execute();
        const { url } = await links.issue(trx, {
          kind: 'welcome',
          organizationId: DEFAULT_ORGANIZATION_ID,
          role: 'owner',
          createdBy: 'start',
        });
        return url;
      });
    },
    async welcome({ token, name, email, password }, from) {
      const { kind } = await links.inspect(token);
      if (kind !== 'welcome') throw new ServiceError('not_found', 'This link is not for the first account.');
      await assertUncommon(password, [name, email], '/password');
      const hash = await credentials.hash(password);
      const personId = await db.kysely.transaction().execute(async (trx) => {
        await links.use(trx, token, 'welcome');
        // Nodes that start together print a link each; the other one was used first.
        if (!(await nobodyYet(trx))) {
          throw new ServiceError('not_found', 'An owner already exists; ask them to invite you.');
        }
        await trx.deleteFrom('one_time_links').where('kind', '=', 'welcome').execute();
        const id = await credentials.create(trx, { name, email: normalizeEmail(email), hash });
        await organizations.add(trx, personActor(id), {
          personId: id,
          organizationId: DEFAULT_ORGANIZATION_ID,
          role: 'owner',
          access: null,
        });
        return id;
      });
      return await startSession(parts, personId, from);
    },
    async invite(scope, actor, { email, role, chosen }) {
      const organization = await organizations.get(scope);
      const { id: organizationId } = organization;
      const address = normalizeEmail(email);
      const issued = await db.kysely.transaction().execute(async (trx) => {
        await lockOrganization(trx, organizationId);
        await assertCurrentRole(trx, actor, organizationId, 'owner');
        const access = await checkAccess(trx, { organizationId, role, chosen });
        const member = await trx
          .selectFrom('members as m')
          .innerJoin('people as p', 'p.id', 'm.person_id')
          .select('p.id')
          .where('m.organization_id', '=', organizationId)
          .where('p.email', '=', address)
          .executeTakeFirst();
        if (member !== undefined) {
          throw new ServiceError('conflict', 'This person is already a member; change their role instead.');
        }
        await trx
          .deleteFrom('one_time_links')
          .where('organization_id', '=', organizationId)
          .where('kind', '=', 'invitation')
          .where('email', '=', address)
          .execute();
        const { count } = await trx
          .selectFrom('one_time_links')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('organization_id', '=', organizationId)
          .where('expires_at', '>', clock())
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_INVITATIONS) {
          throw new ServiceError(
            'conflict',
            `At most ${MAX_INVITATIONS} invitations can be open; withdraw some first.`,
          );
        }
        const made = await links.issue(trx, {
          kind: 'invitation',
          organizationId,
          email: address,
          role,
          access,
          createdBy: actor,
        });
        const change = { at: clock(), actor, action: 'invitation.created', subject: made.link.id };
        await audit(trx, { ...change, organizationId });
        return made;
      });
      const sent = await mailed(issued.link, issued.url, organization.name);
      return { link: issued.link, url: sent ? null : issued.url };
    },
    async invitations(scope) {
      const { id } = await organizations.get(scope);
      return await links.invitations(id);
    },
    async withdraw(scope, actor, id) {
      const { id: organizationId } = await organizations.get(scope);
      await db.kysely.transaction().execute(async (trx) => {
        await lockOrganization(trx, organizationId);
        await assertCurrentRole(trx, actor, organizationId, 'owner');
        const { numDeletedRows } = await trx
          .deleteFrom('one_time_links')
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .where('kind', '=', 'invitation')
          .executeTakeFirst();
        if (numDeletedRows === 0n) {
          throw new ServiceError('not_found', 'There is no such open invitation; list them to find its ID.');
        }
        await audit(trx, { at: clock(), actor, action: 'invitation.withdrawn', subject: id, organizationId });
      });
    },
    async accept({ token, name, password, code }, from) {
      const invitation = await links.inspect(token);
      const { kind, email, organizationId, role, access } = invitation;
      if (kind !== 'invitation' || email === null || organizationId === null || role === null) {
        throw new ServiceError('not_found', 'This link is not an invitation.');
      }
      const known = await credentials.find(email);
      if (known !== undefined) {
        const { ip } = from.peer;
        await provePerson(parts, { email, password, code }, { ip, browserOf: () => null });
      } else if (name === undefined) {
        throw new ServiceError('invalid', 'Enter your name.', {
          errors: [{ pointer: '/name', message: 'Enter a name of 1 to 100 characters.' }],
        });
      }
      if (known === undefined) await assertUncommon(password, [name ?? '', email], '/password');
      const hash = known === undefined ? await credentials.hash(password) : '';
      const join = async (trx: Database['kysely']): Promise<string> => {
        await links.use(trx, token, 'invitation');
        const id = known?.id ?? (await credentials.create(trx, { name: name ?? '', email, hash }));
        await organizations.add(trx, personActor(id), { personId: id, organizationId, role, access });
        return id;
      };
      const personId = await db.kysely
        .transaction()
        .execute(join)
        .catch(async (error: unknown) => {
          if (error instanceof ServiceError || known !== undefined) throw error;
          // Two organizations had invited the same address, and both links were opened at once: the other was first.
          if ((await credentials.find(email)) !== undefined)
            throw new ServiceError(
              'conflict',
              'Another invitation has just created an account for this address. Open the link again and enter its password.',
            );
          throw error;
        });
      return await startSession(parts, personId, from, { organizationId });
    },
  };
}
