/** A forgotten password: a link by mail, or one that the operator creates for the person. */
import { type Clock, ServiceError } from '../common/index.ts';
import { auditPerson, personActor } from './audit.ts';
import type { Person } from './credentials.ts';
import { linkMail } from './mails.ts';
import { normalizeEmail, type Parts } from './parts.ts';
import { assertUncommon } from './password-choice.ts';
import type { ApiTokens } from './tokens.ts';

export interface Resets {
  /** Sends a link if there is such a person and mail is set up. Tells nothing of it: the caller doesn't wait for what comes of it. */
  request(email: string, ip: string): void;
  /**
   * For the admin token. @param secondFactorOff turns it off too, for a person who has lost phone and recovery codes
   * @throws ServiceError `not_found`
   */
  linkFor(
    actor: string,
    email: string,
    secondFactorOff: boolean,
  ): Promise<{ url: string; expiresAt: number }>;
  /**
   * Sets the password, ends every session of the person and every other link to reset it. API tokens go on, unless they are to be revoked.
   * @throws ServiceError `not_found`, `invalid`
   */
  complete(reset: NewPassword & { readonly token: string }): Promise<void>;
}

export interface NewPassword {
  readonly password: string;
  /** Revokes the API tokens that the person has made, in every organization. */
  readonly revokeTokens: boolean;
}

export function createResets(parts: Parts, tokens: ApiTokens): Resets {
  const { db, clock, log, credentials, secondFactors, sessions, links, guesses, mailer } = parts;

  const issue = (person: Person, createdBy: string) =>
    db.kysely.transaction().execute(async (trx) => {
      // Only the newest link works: one in an older mail doesn't.
      await trx.deleteFrom('one_time_links').where('person_id', '=', person.id).execute();
      const made = await links.issue(trx, { kind: 'reset', personId: person.id, createdBy });
      await auditPerson(trx, person.id, change(clock, createdBy, 'password.reset_requested', person.id));
      return made;
    });

  /** Who came by the company's provider gets none by mail: leaving the company must end the way in. The operator can hand one out. */
  const hasPassword = async ({ id }: Person): Promise<boolean> =>
    (await db.reader
      .selectFrom('credentials')
      .select('id')
      .where('person_id', '=', id)
      .limit(1)
      .executeTakeFirst()) !== undefined;

  const send = async (email: string): Promise<void> => {
    const person = await credentials.find(email);
    if (person === undefined || mailer === null || !(await hasPassword(person))) return;
    const { url } = await issue(person, personActor(person.id));
    await mailer.send(linkMail({ kind: 'reset', to: person.email, url, organization: null }));
  };

  return {
    request(email, ip) {
      const address = normalizeEmail(email);
      if (mailer === null || !guesses.mail(ip, address)) return;
      send(address).catch((error: unknown) =>
        log.warn({ err: error }, 'a link to choose a new password could not be mailed'),
      );
    },
    async linkFor(actor, email, secondFactorOff) {
      const person = await credentials.find(normalizeEmail(email));
      if (person === undefined) {
        throw new ServiceError(
          'not_found',
          'No account has this email address; `ghostlight people list` lists all accounts.',
        );
      }
      if (secondFactorOff) {
        await db.kysely.transaction().execute(async (trx) => {
          await secondFactors.turnOff(trx, person.id);
          await auditPerson(trx, person.id, change(clock, actor, 'second_factor.off', person.id));
        });
      }
      const { url, link } = await issue(person, actor);
      return { url, expiresAt: link.expiresAt };
    },
    async complete({ token, password, revokeTokens }) {
      const { kind, personId: owner } = await links.inspect(token);
      if (kind !== 'reset' || owner === null)
        throw new ServiceError('not_found', 'This link is not for a password reset.');
      const person = await credentials.findById(owner);
      await assertUncommon(password, [person?.name ?? '', person?.email ?? ''], '/password');
      const hash = await credentials.hash(password);
      const revoked = await db.kysely.transaction().execute(async (trx) => {
        const { personId } = await links.use(trx, token, 'reset');
        if (personId === null) throw new Error('A link to reset a password names no person.');
        await credentials.setPassword(trx, personId, hash);
        await sessions.revoke(trx, personId, { allBut: null });
        const actor = personActor(personId);
        await auditPerson(trx, personId, change(clock, actor, 'password.reset', personId));
        return revokeTokens ? await tokens.revokeOf(trx, personId, actor) : [];
      });
      tokens.forget(revoked);
    },
  };
}

function change(clock: Clock, actor: string, action: string, subject: string) {
  return { at: clock(), actor, action, subject };
}
