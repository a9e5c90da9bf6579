/**
 * Who a person is and how their password is checked: the core of better-auth, over our own database handle. This file alone knows it. Its
 * endpoints, cookies, sessions and plugins are not used (docs/decisions/0011-people.md), so nothing of it listens, and it reports nothing.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../database/index.ts';
import { createPasswordGate } from './password-gate.ts';

/** Length of a password in UTF-16 units, as its owner's keyboard counts them, except for emoji. */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;
const PROVIDER = 'credential';
/** Of the hash's form, so that checking a password against it costs the same as against a real one; no password gives it. */
const DECOY = `${'0'.repeat(32)}:${'0'.repeat(128)}`;

export interface Person {
  readonly id: string;
  readonly name: string;
  /** Lower case. */
  readonly email: string;
}

/** How passwords are hashed, where it is not the library's own way (scrypt, N 16384, r 16): tests hash hundreds. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(data: { hash: string; password: string }): Promise<boolean>;
}

export interface Credentials {
  /** Loads the library (0.2 s) before a request waits for it. */
  load(): Promise<void>;
  find(email: string): Promise<Person | undefined>;
  findById(personId: string): Promise<Person | undefined>;
  /** @throws ServiceError `unavailable` when too many passwords are being checked already, as `check` does */
  hash(password: string): Promise<string>;
  /** Takes as long for a person who does not exist (undefined), or has no password, as for one who does. */
  check(person: Person | undefined, password: string): Promise<boolean>;
  /** @param trx the transaction that makes them a member; without a hash they have no password. @returns the new person's id */
  create(trx: Queries, person: Omit<Person, 'id'> & { readonly hash: string | null }): Promise<string>;
  setPassword(trx: Queries, personId: string, hash: string): Promise<void>;
  rename(trx: Queries, personId: string, name: string): Promise<void>;
}

type Queries = Database['kysely'];

export function createCredentials(db: Database, hashing?: PasswordHashing): Credentials {
  const gate = createPasswordGate();
  // It signs the cookies and encrypts the columns of flows that are not used here: nothing outlives this process that was made with it.
  const secret = randomBytes(32).toString('base64url');
  /** Made over a transaction it writes in that one (about a millisecond). */
  const over = async (queries: Queries) => {
    // Not at import: a command that talks to the running service has no use for it.
    const { betterAuth } = await import('better-auth');
    const auth = betterAuth({
      secret,
      baseURL: 'http://ghostlight.internal',
      database: { db: queries, type: db.adapter.name },
      telemetry: { enabled: false },
      // Its warnings name email addresses.
      logger: { disabled: true },
      emailAndPassword: {
        enabled: true,
        disableSignUp: true,
        minPasswordLength: PASSWORD_LENGTH.min,
        maxPasswordLength: PASSWORD_LENGTH.max,
        ...(hashing === undefined ? {} : { password: hashing }),
      },
      user: {
        modelName: 'people',
        fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      },
      account: {
        modelName: 'credentials',
        fields: {
          userId: 'person_id',
          providerId: 'provider_id',
          accountId: 'account_id',
          createdAt: 'created_at',
          updatedAt: 'updated_at',
        },
      },
      advanced: { database: { generateId: () => randomUUID() } },
    });
    return await auth.$context;
  };
  let reading: ReturnType<typeof over> | undefined;
  const read = () => {
    reading ??= over(db.reader);
    return reading;
  };

  return {
    async load() {
      await read();
    },
    async find(email) {
      const found = await (await read()).internalAdapter.findUserByEmail(email);
      return found === null ? undefined : toPerson(found.user);
    },
    async findById(personId) {
      const found = await (await read()).internalAdapter.findUserById(personId);
      return found === null ? undefined : toPerson(found);
    },
    async hash(password) {
      const { password: passwords } = await read();
      return await gate(() => passwords.hash(password));
    },
    async check(person, password) {
      const { internalAdapter, password: passwords } = await read();
      // Asked for in either case: a person who does not exist must not answer a round trip sooner.
      const credential = await internalAdapter.findCredentialAccount(person?.id ?? '');
      const hash = credential?.password ?? DECOY;
      return await gate(() => passwords.verify({ hash, password }));
    },
    async create(trx, { name, email, hash }) {
      const { internalAdapter } = await over(trx);
      // The holder of the link that leads here can read the address's mail, or got it from an owner; or the company's provider says so.
      const { id } = await internalAdapter.createUser(
        { name, email, emailVerified: true },
        { method: 'email-password' },
      );
      const account = { userId: id, providerId: PROVIDER, accountId: id };
      if (hash !== null) await internalAdapter.linkAccount({ ...account, password: hash });
      return id;
    },
    async setPassword(trx, personId, hash) {
      const { internalAdapter } = await over(trx);
      if ((await internalAdapter.findCredentialAccount(personId)) !== null)
        return await internalAdapter.updatePassword(personId, hash);
      // Who came by the company's provider has none yet.
      const account = { userId: personId, providerId: PROVIDER, accountId: personId };
      await internalAdapter.linkAccount({ ...account, password: hash });
      return undefined;
    },
    async rename(trx, personId, name) {
      const { internalAdapter } = await over(trx);
      await internalAdapter.updateUser(personId, { name });
    },
  };
}

function toPerson({ id, name, email }: Person): Person {
  return { id, name, email };
}
