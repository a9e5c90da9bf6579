/** A channel's address and secret, sealed as one under the channel's own name; and anew after SECRET_KEY was changed. */
import { type Database, type Row, SealError, type Sealer } from '../database/index.ts';
import type { ChannelAddress } from './channel-address.ts';

const PAGE = 500;

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

/** Seals anew what stands under SECRET_KEY_PREVIOUS, so that it can be dropped; what neither key opens is left as it is. */
export async function resealChannels(database: Database, sealer: Sealer): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await database.reader
      .selectFrom('alert_channels')
      .select(['id', 'organization_id', 'sealed'])
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      if (!sealer.isStale(row.sealed)) continue;
      let plain: string;
      try {
        plain = sealer.open(row.sealed, purpose(row.id));
      } catch (error) {
        if (error instanceof SealError) continue;
        throw error;
      }
      await database.kysely
        .updateTable('alert_channels')
        .set({ sealed: sealer.seal(plain, purpose(row.id)) })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        // Somebody may have entered another meanwhile.
        .where('sealed', '=', row.sealed)
        .execute();
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return;
  }
}
