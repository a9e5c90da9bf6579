/** Addresses and user agents of touches, after SECRET_KEY was changed. What neither key opens ends with its 30 days. */
import { type Database, rotateRows, type SecretCipher } from '../database/index.ts';
import { clientPurpose } from './accepted.ts';

/** @returns how many were re-encrypted */
export const rotateClients = ({ reader, kysely }: Database, cipher: SecretCipher): Promise<number> =>
  rotateRows(cipher, {
    page: (after, limit) =>
      reader
        .selectFrom('touches')
        .select(['id', 'attribution_id', 'visitor_id', 'organization_id', 'client as sealed'])
        .where('client', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    purposeOf: (row) => clientPurpose(row.attribution_id, row.visitor_id),
    store: (row, client) =>
      kysely
        .updateTable('touches')
        .set({ client })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        .where('client', '=', row.sealed)
        .execute(),
  });
