/** What became of the message that each channel was sent last. */
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

export interface LastMessage {
  /** Of its newest attempt; epoch ms. */
  readonly at: number;
  /** null: it is on its way, or waits for its next attempt. */
  readonly ok: boolean | null;
  readonly error: string | null;
}

/** @returns by channel; one that was never sent anything is missing. Alerts of other properties count too: the channel is the same. */
export async function lastMessages(
  reader: Database['reader'],
  { organizationId }: Owner,
  channels: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, LastMessage>> {
  if (channels.length === 0) return new Map();
  const rows = await reader
    .selectFrom('alert_messages as message')
    .select(['channel_id', 'state', 'error', 'tried_at'])
    .where('organization_id', '=', organizationId)
    .where(
      'channel_id',
      'in',
      channels.map(({ id }) => id),
    )
    .where('tried_at', '=', ({ selectFrom }) =>
      selectFrom('alert_messages as other')
        .select(({ fn }) => fn.max('other.tried_at').as('newest'))
        .whereRef('other.channel_id', '=', 'message.channel_id')
        .whereRef('other.organization_id', '=', 'message.organization_id'),
    )
    // Of several in one millisecond the last one that was written stays in the map.
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return new Map(
    rows.flatMap(({ channel_id, state, error, tried_at: at }) =>
      at === null ? [] : [[channel_id, { at, ok: state === 'pending' ? null : state === 'sent', error }]],
    ),
  );
}
