/** What a person does with their own account: name, password, second factor, sessions, organizations. */
import { type PersonCaller, type Role, ServiceError } from '../common/index.ts';
import { auditPerson } from './audit.ts';
import type { Person } from './credentials.ts';
import type { Parts } from './parts.ts';
import { assertUncommon } from './password-choice.ts';
import type { Membership, Organization } from './reading-members.ts';
import type { NewPassword } from './resets.ts';
import type { SessionView } from './sessions.ts';
import { useCode } from './sign-in.ts';
import type { ApiTokens } from './tokens.ts';

export interface AccountView extends Person {
  readonly role: Role;
  readonly organization: Organization;
  readonly organizations: readonly Membership[];
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  /** API tokens of this person that open something now. */
  readonly apiTokens: number;
}

/** Each throws ServiceError `invalid` with the place of a wrong password or code, `rate_limited` after too many. */
export interface OwnAccount {
  view(caller: PersonCaller): Promise<AccountView>;
  rename(caller: PersonCaller, name: string): Promise<void>;
  /** Ends all other sessions. */
  changePassword(
    caller: PersonCaller,
    change: NewPassword & { readonly current: string },
    ip: string,
  ): Promise<void>;
  beginSecondFactor(
    caller: PersonCaller,
    password: string,
    ip: string,
  ): Promise<{ secret: string; uri: string }>;
  /** @returns the recovery codes, shown once */
  confirmSecondFactor(caller: PersonCaller, code: string): Promise<string[]>;
  turnOffSecondFactor(caller: PersonCaller, password: string, code: string, ip: string): Promise<void>;
  renewRecoveryCodes(caller: PersonCaller, password: string, ip: string): Promise<string[]>;
  sessions(caller: PersonCaller): Promise<SessionView[]>;
  /** @throws ServiceError `not_found` */
  endSession(caller: PersonCaller, sessionId: string): Promise<void>;
  endOtherSessions(caller: PersonCaller): Promise<void>;
  /** Moves this session to another organization of the person. @throws ServiceError `not_found` */
  moveTo(caller: PersonCaller, organizationId: string): Promise<void>;
}

export function createOwnAccount(parts: Parts, tokens: ApiTokens): OwnAccount {
  const { db, clock, credentials, secondFactors, sessions, organizations, guesses } = parts;

  const person = async ({ personId }: PersonCaller): Promise<Person> => {
    const found = await credentials.findById(personId);
    if (found === undefined) throw new ServiceError('unauthorized', 'This account no longer exists.');
    return found;
  };

  /** A person at an unlocked browser may not be its owner: changes that would lock the owner out ask for the password. */
  const prove = async (
    caller: PersonCaller,
    password: string,
    ip: string,
    pointer: string,
  ): Promise<Person> => {
    const found = await person(caller);
    // They are signed in: guesses at this password from elsewhere don't block them.
    const attempt = guesses.password(ip, found.email, `session:${caller.sessionId}`);
    if (!(await credentials.check(found, password))) throw wrong(pointer, 'is not your password');
    attempt.forgive();
    return found;
  };

  type Work<T> = (trx: typeof db.kysely) => Promise<T>;
  const changed = <T>(
    { personId, actor }: PersonCaller,
    action: string,
    subject: string,
    work: Work<T>,
  ): Promise<T> =>
    db.kysely.transaction().execute(async (trx) => {
      const result = await work(trx);
      await auditPerson(trx, personId, { at: clock(), actor, action, subject });
      return result;
    });

  return {
    async view(caller) {
      const [found, all, secondFactor, recoveryCodesLeft, apiTokens] = await Promise.all([
        person(caller),
        organizations.of(caller.personId),
        secondFactors.isOn(caller.personId),
        secondFactors.recoveryCodesLeft(caller.personId),
        tokens.countOf(caller.personId),
      ]);
      const organization = await organizations.get(caller.scope);
      return {
        ...found,
        role: caller.role,
        organization,
        organizations: all,
        secondFactor,
        recoveryCodesLeft,
        apiTokens,
      };
    },
    async rename(caller, name) {
      const { personId } = caller;
      await changed(caller, 'person.renamed', personId, (trx) => credentials.rename(trx, personId, name));
    },
    async changePassword(caller, { current, password, revokeTokens }, ip) {
      const { name, email } = await prove(caller, current, ip, '/current');
      await assertUncommon(password, [name, email], '/new');
      const hash = await credentials.hash(password);
      const revoked = await changed(caller, 'password.changed', caller.personId, async (trx) => {
        await credentials.setPassword(trx, caller.personId, hash);
        await sessions.revoke(trx, caller.personId, { allBut: caller.sessionId });
        return revokeTokens ? await tokens.revokeOf(trx, caller.personId, caller.actor) : [];
      });
      tokens.forget(revoked);
    },
    async beginSecondFactor(caller, password, ip) {
      return await secondFactors.begin(await prove(caller, password, ip, '/password'));
    },
    async confirmSecondFactor(caller, code) {
      const attempt = guesses.code(caller.personId);
      const codes = await changed(caller, 'second_factor.on', caller.personId, async (trx) => {
        const confirmed = await secondFactors.confirm(trx, caller.personId, code);
        if (confirmed === null) throw wrong('/code', 'is not the code that the authenticator shows now');
        return confirmed;
      });
      attempt.forgive();
      return codes;
    },
    async turnOffSecondFactor(caller, password, code, ip) {
      await prove(caller, password, ip, '/password');
      if (!(await useCode(parts, caller.personId, code)))
        throw wrong('/code', 'is wrong or has already been used');
      await changed(caller, 'second_factor.off', caller.personId, (trx) =>
        secondFactors.turnOff(trx, caller.personId),
      );
    },
    async renewRecoveryCodes(caller, password, ip) {
      await prove(caller, password, ip, '/password');
      if (!(await secondFactors.isOn(caller.personId))) {
        throw new ServiceError('conflict', 'Two-factor authentication is off; set it up first.');
      }
      return await changed(caller, 'recovery_codes.renewed', caller.personId, (trx) =>
        secondFactors.renewCodes(trx, caller.personId),
      );
    },
    sessions: (caller) => sessions.list(caller.personId),
    async endSession(caller, sessionId) {
      await changed(caller, 'session.revoked', caller.personId, async (trx) => {
        if ((await sessions.revoke(trx, caller.personId, { id: sessionId })) === 0) {
          throw new ServiceError('not_found', 'There is no such session of yours; list them to find its ID.');
        }
      });
    },
    async endOtherSessions(caller) {
      await changed(caller, 'session.others_revoked', caller.personId, (trx) =>
        sessions.revoke(trx, caller.personId, { allBut: caller.sessionId }),
      );
    },
    async moveTo({ personId, sessionId }, organizationId) {
      const own = (await organizations.of(personId)).find(({ id }) => id === organizationId.toLowerCase());
      if (own === undefined) {
        throw new ServiceError('not_found', 'You are not a member of this organization.');
      }
      await sessions.moveTo(db.kysely, sessionId, own.id);
    },
  };
}

function wrong(pointer: string, message: string): ServiceError {
  return new ServiceError('invalid', 'Nothing was changed.', { errors: [{ pointer, message }] });
}
