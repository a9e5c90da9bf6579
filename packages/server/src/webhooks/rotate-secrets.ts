/** Personal data of conversions, after SECRET_KEY was changed. What neither key opens ends with its retention. */
import { type Database, rotateRows, type SecretCipher } from '../database/index.ts';
import { personalPurpose } from './conversions.ts';

/** @returns how many rows were re-encrypted */
export const rotatePersonal = ({ reader, kysely }: Database, cipher: SecretCipher): Promise<number> =>
  rotateRows(cipher, {
    page: (after, limit) =>
      reader
        .selectFrom('conversions')
        .select(['id', 'organization_id', 'personal as sealed'])
        .where('personal_until', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    purposeOf: ({ id }) => personalPurpose(id),
    store: (row, personal) =>
      kysely
        .updateTable('conversions')
        .set({ personal })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        .where('personal', '=', row.sealed)
        .execute(),
  });
