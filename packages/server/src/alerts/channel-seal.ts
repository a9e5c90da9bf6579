/** A channel's address and secret, sealed as one under the channel's own name; and anew after SECRET_KEY was changed. */
import { type Database, type Row, resealRows, SealError, type Sealer } from '../database/index.ts';
import type { ChannelAddress } from './channel-address.ts';

const purpose = (id: string): string => `alert-channel:${id}`;

export const sealAddress = (sealer: Sealer, id: string, address: ChannelAddress): string =>
  sealer.seal(JSON.stringify(address), purpose(id));

/** @throws SealError */
export function openAddress(
  sealer: Sealer,
  { id, sealed }: Pick<Row<'alert_channels'>, 'id' | 'sealed'>,
): ChannelAddress {
  return JSON.parse(sealer.open(sealed, purpose(id))) as ChannelAddress;
}

export function canOpen(sealer: Sealer, channel: Parameters<typeof openAddress>[1]): boolean {
  try {
    openAddress(sealer, channel);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}

/** What neither key opens has to be entered anew. @returns how many were sealed anew */
export const resealChannels = ({ reader, kysely }: Database, sealer: Sealer): Promise<number> =>
  resealRows(sealer, {
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
