/** The list of alerts, with what became of their messages. */

import { sql } from 'kysely';
import { type Caller, ServiceError } from '../common/index.ts';
import { audit, type Database, newestFirst, type PageQuery } from '../database/index.ts';
import type { Owner, Property } from '../properties/index.ts';
import type { AlertRow } from './alert-store.ts';
import type { Kind } from './kinds.ts';
import { alertLink } from './link.ts';

export interface AlertQuery extends PageQuery {
  readonly kind?: Kind | undefined;
  readonly state?: 'open' | 'resolved' | undefined;
}

export interface SentMessage {
  readonly alertId: string;
  readonly channelId: string;
  readonly name: string;
  readonly type: 'email' | 'slack' | 'webhook';
  readonly phase: 'opened' | 'resolved';
  /** null: it waits for its turn, or for its next attempt. */
  readonly ok: boolean | null;
  readonly error: string | null;
  readonly attempts: number;
  /** Of the newest attempt, or when it was written; epoch ms. */
  readonly at: number;
}

export interface AlertPage {
  readonly items: readonly {
    readonly alert: AlertRow;
    /** Where it is looked into: a path below the property. */
    readonly link: string;
    readonly sent: readonly SentMessage[];
  }[];
  readonly next: string | null;
  /** Of all that is open, whatever the query asks for. */
  readonly open: number;
  /** When the property was last evaluated, epoch ms; null: it never was. */
  readonly checkedAt: number | null;
}

/** Twenty channels of the property and of its organization, two messages each, a few times over. */
const MAX_MESSAGES = 20_000;

/** Newest first. @param now epoch ms @throws ServiceError `invalid` for a cursor that is none of ours */
export async function listAlerts(
  { reader }: Pick<Database, 'reader'>,
  { timeZone, ...owner }: Owner & Pick<Property, 'timeZone'>,
  { kind, state, ...asked }: AlertQuery,
  now: number,
): Promise<AlertPage> {
  const ofProperty = () =>
    reader
      .selectFrom('alerts')
      .where('attribution_id', '=', owner.id)
      .where('organization_id', '=', owner.organizationId);
  const page = await newestFirst(
    ofProperty()
      .selectAll()
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
      .$if(state !== undefined, (query) =>
        query.where('resolved_at', state === 'open' ? 'is' : 'is not', null),
      ),
    {
      at: sql<number>`at`,
      id: sql<string>`id`,
      ties: 'desc',
      idForm: 'alt_[0-9a-f]{32}',
      lastOf: ({ at, id }) => ({ at, id }),
    },
    asked,
  );
  const { open } = await ofProperty()
    .select(({ fn }) => fn.countAll<number | string>().as('open'))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  const watch = await reader
    .selectFrom('alert_watches')
    .select('evaluated_at')
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .executeTakeFirst();
  const sent = Map.groupBy(await messagesOf(reader, owner, page.items), ({ alertId }) => alertId);
  return {
    items: page.items.map((alert) => ({
      alert,
      link: alertLink(alert, timeZone, now),
      sent: sent.get(alert.id) ?? [],
    })),
    next: page.next,
    open: Number(open),
    checkedAt: watch?.evaluated_at ?? null,
  };
}

async function messagesOf(
  reader: Database['reader'],
  { organizationId }: Owner,
  alerts: readonly AlertRow[],
): Promise<SentMessage[]> {
  if (alerts.length === 0) return [];
  const rows = await reader
    .selectFrom('alert_messages')
    .innerJoin('alert_channels', 'alert_channels.id', 'alert_messages.channel_id')
    .select([
      'alert_messages.id',
      'alert_id',
      'channel_id',
      'alert_channels.name',
      'alert_channels.type',
      'phase',
      'state',
      'error',
      'attempts',
      'tried_at',
      'alert_messages.created_at',
    ])
    .where('alert_messages.organization_id', '=', organizationId)
    .where(
      'alert_id',
      'in',
      alerts.map(({ id }) => id),
    )
    .orderBy('alert_messages.created_at')
    .orderBy('alert_channels.created_at')
    .orderBy('alert_messages.id')
    .limit(MAX_MESSAGES)
    .execute();
  return rows.map((row) => ({
    alertId: row.alert_id,
    channelId: row.channel_id,
    name: row.name,
    type: row.type,
    phase: row.phase,
    ok: row.state === 'pending' ? null : row.state === 'sent',
    error: row.error,
    attempts: row.attempts,
    at: row.tried_at ?? row.created_at,
  }));
}

/** Marks an alert as seen, or as not seen. @throws ServiceError `not_found` */
export async function replyToAlert(
  { kysely }: Pick<Database, 'kysely'>,
  { id, organizationId }: Owner,
  actor: Caller['actor'],
  {
    alert,
    acknowledged,
    now,
  }: { readonly alert: string; readonly acknowledged: boolean; readonly now: number },
): Promise<AlertRow> {
  const own = (db: Database['kysely']) =>
    db
      .selectFrom('alerts')
      .selectAll()
      .where('id', '=', alert.toLowerCase())
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId);
  return await kysely.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('alerts')
      .set(
        acknowledged
          ? { acknowledged_at: now, acknowledged_by: actor }
          : { acknowledged_at: null, acknowledged_by: null },
      )
      .where('id', '=', alert.toLowerCase())
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('acknowledged_at', acknowledged ? 'is' : 'is not', null)
      .executeTakeFirst();
    const row = await own(trx).executeTakeFirst();
    if (row === undefined)
      throw new ServiceError('not_found', 'There is no such alert; list the alerts to find its ID.');
    if (numUpdatedRows > 0n) {
      const action = acknowledged ? 'alert.acknowledged' : 'alert.reopened';
      await audit(trx, { at: now, actor, action, subject: row.id, organizationId });
    }
    return row;
  });
}
