/** The second factor of a person: an authenticator's secret, encrypted, and ten recovery codes, each valid once. */
import { hash, randomBytes } from 'node:crypto';
import { type Clock, ServiceError } from '../common/index.ts';
import { type Database, DecryptError, rotateRows, type SecretCipher } from '../database/index.ts';
import type { Person } from './credentials.ts';
import { generateSecret, matchingStep, otpauthUri, toBase32 } from './totp.ts';

const RECOVERY_CODES = 10;
/** 50 bits, in ten letters. */
const RECOVERY_BYTES = 7;
const RECOVERY_LENGTH = 10;

type Queries = Database['kysely'];

export interface SecondFactors {
  isOn(personId: string): Promise<boolean>;
  recoveryCodesLeft(personId: string): Promise<number>;
  /** A new secret, which counts for nothing until it is confirmed. @throws ServiceError `conflict` when one is on already */
  begin(person: Person): Promise<{ secret: string; uri: string }>;
  /** Turns it on when the code is right. @returns the recovery codes, which stand nowhere else, or null for a wrong code */
  confirm(trx: Queries, personId: string, code: string): Promise<string[] | null>;
  /** Takes a code of the authenticator, or a recovery code, once. @returns how it was proved, null when it was not */
  use(trx: Queries, personId: string, code: string): Promise<'totp' | 'recovery_code' | null>;
  turnOff(trx: Queries, personId: string): Promise<void>;
  /** New recovery codes that replace all old ones. */
  renewCodes(trx: Queries, personId: string): Promise<string[]>;
  /** Re-encrypts secrets that are encrypted with SECRET_KEY_PREVIOUS. */
  rotateSecrets(): Promise<number>;
}

export function createSecondFactors(
  db: Database,
  { cipher, clock }: { cipher: SecretCipher; clock: Clock },
): SecondFactors {
  const stored = (queries: Queries, personId: string) =>
    queries.selectFrom('second_factors').selectAll().where('person_id', '=', personId).executeTakeFirst();
  const open = (row: { person_id: string; secret: string }): string => {
    try {
      return cipher.decrypt(row.secret, purpose(row.person_id));
    } catch (error) {
      if (!(error instanceof DecryptError)) throw error;
      throw new ServiceError(
        'second_factor_required',
        'The authenticator’s secret can no longer be read here: enter a recovery code, or ask the operator for help.',
        { cause: error },
      );
    }
  };

  const renewCodes = async (trx: Queries, personId: string): Promise<string[]> => {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await trx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
    await trx
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ person_id: personId, digest: recoveryDigest(personId, code) })))
      .execute();
    return codes;
  };

  /** The step moves in one statement: of two requests with the same code, one finds it taken. */
  const takeStep = async (trx: Queries, personId: string, step: number): Promise<boolean> => {
    const { numUpdatedRows } = await trx
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('person_id', '=', personId)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  return {
    async isOn(personId) {
      const row = await stored(db.reader, personId);
      return row !== undefined && row.confirmed_at !== null;
    },
    async recoveryCodesLeft(personId) {
      const { count } = await db.reader
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async begin(person) {
      const secret = generateSecret();
      const fresh = {
        secret: cipher.encrypt(secret, purpose(person.id)),
        created_at: clock(),
        confirmed_at: null,
        last_step: 0,
      };
      const { numInsertedOrUpdatedRows } = await db.kysely
        .insertInto('second_factors')
        .values({ person_id: person.id, ...fresh })
        .onConflict((conflict) =>
          conflict.column('person_id').doUpdateSet(fresh).where('second_factors.confirmed_at', 'is', null),
        )
        .executeTakeFirst();
      if (Number(numInsertedOrUpdatedRows ?? 0n) === 0) {
        throw new ServiceError(
          'conflict',
          'Two-factor authentication is already on; turn it off before you set it up again.',
        );
      }
      return { secret, uri: otpauthUri(secret, person.email) };
    },
    async confirm(trx, personId, code) {
      const row = await stored(trx, personId);
      if (row === undefined || row.confirmed_at !== null) {
        throw new ServiceError('conflict', 'There is nothing to confirm; start again with a new QR code.');
      }
      const step = matchingStep(open(row), code, clock());
      if (step === null || !(await takeStep(trx, personId, step))) return null;
      await trx
        .updateTable('second_factors')
        .set({ confirmed_at: clock() })
        .where('person_id', '=', personId)
        .execute();
      return await renewCodes(trx, personId);
    },
    async use(trx, personId, code) {
      const given = code.replaceAll(/[\s-]/g, '').toLowerCase();
      if (given.length === RECOVERY_LENGTH) {
        const { numDeletedRows } = await trx
          .deleteFrom('recovery_codes')
          .where('person_id', '=', personId)
          .where('digest', '=', recoveryDigest(personId, given))
          .executeTakeFirst();
        return numDeletedRows > 0n ? 'recovery_code' : null;
      }
      const row = await stored(trx, personId);
      if (row === undefined || row.confirmed_at === null) return null;
      const step = matchingStep(open(row), given, clock());
      return step !== null && (await takeStep(trx, personId, step)) ? 'totp' : null;
    },
    async turnOff(trx, personId) {
      await trx.deleteFrom('second_factors').where('person_id', '=', personId).execute();
      await trx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
    },
    renewCodes,
    rotateSecrets: () =>
      rotateRows(cipher, {
        page: (after, limit) =>
          db.reader
            .selectFrom('second_factors')
            .select(['person_id as id', 'secret as sealed'])
            .where('person_id', '>', after)
            .orderBy('person_id')
            .limit(limit)
            .execute(),
        purposeOf: ({ id }) => purpose(id),
        store: (row, secret) =>
          db.kysely
            .updateTable('second_factors')
            .set({ secret })
            .where('person_id', '=', row.id)
            .where('secret', '=', row.sealed)
            .execute(),
      }),
  };
}

const purpose = (personId: string): string => `totp:${personId}`;

function newRecoveryCode(): string {
  const text = toBase32(randomBytes(RECOVERY_BYTES)).toLowerCase().slice(0, RECOVERY_LENGTH);
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/** Bound to its person; 50 random bits behind a throttle need no slow hash. */
function recoveryDigest(personId: string, code: string): string {
  return hash('sha256', `${personId}:${code.replaceAll('-', '')}`);
}
