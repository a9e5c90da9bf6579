/** Credentials of destinations, after SECRET_KEY was changed. Where neither key opens them, the destination says so. */
import { type Database, rotateRows, type SecretCipher } from '../database/index.ts';
import { credentialsPurpose } from './vault.ts';

/** @returns how many were re-encrypted */
export const rotateCredentials = ({ reader, kysely }: Database, cipher: SecretCipher): Promise<number> =>
  rotateRows(cipher, {
    page: (after, limit) =>
      reader
        .selectFrom('destinations')
        .select(['id', 'organization_id', 'credentials as sealed'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    purposeOf: ({ id }) => credentialsPurpose(id),
    store: (row, credentials) =>
      kysely
        .updateTable('destinations')
        .set({ credentials })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        .where('credentials', '=', row.sealed)
        .execute(),
  });
