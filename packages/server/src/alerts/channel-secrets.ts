/** A channel's address and secret, encrypted as one value under the channel's own name; re-encrypted after SECRET_KEY was changed. */
import { type Database, DecryptError, type Row, rotateRows, type SecretCipher } from '../database/index.ts';
import type { ChannelAddress } from './channel-address.ts';

const purpose = (id: string): string => `alert-channel:${id}`;

export const encryptAddress = (cipher: SecretCipher, id: string, address: ChannelAddress): string =>
  cipher.encrypt(JSON.stringify(address), purpose(id));

/** @throws DecryptError */
export function openAddress(
  cipher: SecretCipher,
  { id, sealed }: Pick<Row<'alert_channels'>, 'id' | 'sealed'>,
): ChannelAddress {
  return JSON.parse(cipher.decrypt(sealed, purpose(id))) as ChannelAddress;
}

export function canOpen(cipher: SecretCipher, channel: Parameters<typeof openAddress>[1]): boolean {
  try {
    openAddress(cipher, channel);
    return true;
  } catch (error) {
    if (error instanceof DecryptError) return false;
    throw error;
  }
}

/** What neither key decrypts has to be entered again. @returns how many were re-encrypted */
export const rotateChannels = ({ reader, kysely }: Database, cipher: SecretCipher): Promise<number> =>
  rotateRows(cipher, {
    page: (after, limit) =>
      reader
        .selectFrom('alert_channels')
        .select(['id', 'organization_id', 'sealed'])
        .where('deleted_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    purposeOf: ({ id }) => purpose(id),
    store: (row, sealed) =>
      kysely
        .updateTable('alert_channels')
        .set({ sealed })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        .where('sealed', '=', row.sealed)
        .execute(),
  });
