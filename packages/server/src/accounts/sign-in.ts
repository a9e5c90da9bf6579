/** Signing in with email and password, and with a code where the person has a second factor. */
import { ServiceError } from '../common/index.ts';
import { auditPerson, personActor } from './audit.ts';
import type { Person } from './credentials.ts';
import { normalizeEmail, type Parts } from './parts.ts';
import type { Started, StartedFrom } from './sessions.ts';

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator, or a recovery code. */
  readonly code?: string | undefined;
}

/** Where a password comes from, as guessing is counted. */
export interface SignInFrom {
  readonly ip: string;
  /** The bucket of the browser, when this person has signed in with it before. */
  readonly browserOf: (personId: string) => string | null;
}

/**
 * Who proves to be the person with this address. Unknown address and wrong password are one answer that takes one time.
 * @throws ServiceError `unauthorized`, `second_factor_required`, `rate_limited`, `unavailable`
 */
export async function provePerson(
  parts: Parts,
  { email, password, code }: PasswordSignIn,
  { ip, browserOf }: SignInFrom,
): Promise<Person> {
  const address = normalizeEmail(email);
  const person = await parts.credentials.find(address);
  const attempt = parts.guesses.password(ip, address, person === undefined ? null : browserOf(person.id));
  if (!(await parts.credentials.check(person, password)) || person === undefined) {
    throw new ServiceError('unauthorized', 'The email address or the password is wrong.');
  }
  attempt.forgive();
  await proveSecondFactor(parts, person.id, code);
  return person;
}

/** @throws ServiceError `second_factor_required` when the person has one and no good code is given */
async function proveSecondFactor(parts: Parts, personId: string, code: string | undefined): Promise<void> {
  if (!(await parts.secondFactors.isOn(personId))) return;
  if (code === undefined) {
    throw new ServiceError(
      'second_factor_required',
      'Enter the code from your authenticator app, or a recovery code.',
    );
  }
  if (!(await useCode(parts, personId, code))) {
    throw new ServiceError(
      'second_factor_required',
      'The code is wrong or has already been used; enter the next one.',
    );
  }
}

/** @returns whether it was good. @throws ServiceError `rate_limited` */
export async function useCode(parts: Parts, personId: string, code: string): Promise<boolean> {
  const attempt = parts.guesses.code(personId);
  const { db, clock } = parts;
  const proved = await db.kysely.transaction().execute(async (trx) => {
    const used = await parts.secondFactors.use(trx, personId, code);
    if (used === 'recovery_code') {
      const change = {
        at: clock(),
        actor: personActor(personId),
        action: 'recovery_code.used',
        subject: personId,
      };
      await auditPerson(trx, personId, change);
    }
    return used !== null;
  });
  if (proved) attempt.forgive();
  return proved;
}

/** Starts a session in the first of the person's organizations, or in the one given. @throws ServiceError `forbidden` when they have none */
export async function startSession(
  { sessions, organizations }: Pick<Parts, 'sessions' | 'organizations'>,
  personId: string,
  from: StartedFrom,
  { organizationId, endsAt = null }: { organizationId?: string; endsAt?: number | null } = {},
): Promise<Started> {
  const all = await organizations.of(personId);
  const chosen = all.find(({ id }) => id === organizationId) ?? all[0];
  if (chosen === undefined) {
    throw new ServiceError(
      'forbidden',
      'You are no longer a member of any organization; ask an owner to invite you.',
    );
  }
  const { id, role, access } = chosen;
  return await sessions.startPerson({ personId, organizationId: id, role, access }, from, endsAt);
}
