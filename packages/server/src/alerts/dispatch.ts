/**
 * Sends what waits: each message until it is taken or its attempts are used up. An attempt is counted before it is made, so that a node that
 * dies in the middle neither forgets the message nor hammers its receiver; at worst a receiver gets one twice, with the same id.
 */
import type { Database, Row } from '../database/index.ts';
import type { Clock, Log } from '../kit/index.ts';
import { type AlertTally, outcomeOf } from './figures.ts';
import type { Kind } from './kinds.ts';
import type { Message } from './message.ts';
import type { Post, Posted } from './post.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After each attempt that failed: nine hours in all. */
const BACK_OFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS] as const;
const MAX_ATTEMPTS = BACK_OFF_MS.length + 1;
/** To one channel. What comes on top waits, for a day at most. */
const MAX_AN_HOUR = 20;
const MAX_AGE_MS = 24 * HOUR_MS;
const AT_ONCE = 200;
/** Channels that are served at the same time: one that hangs for its ten seconds keeps only its own messages waiting. */
const CHANNELS_AT_ONCE = 8;

export interface DispatchOptions {
  readonly database: Database;
  readonly post: Post;
  /** Where the dashboard is, without a slash at its end. */
  readonly appBaseUrl: () => string;
  readonly tally: Pick<AlertTally, 'sent'>;
  readonly clock: Clock;
  readonly log: Log;
}

type MessageRow = Row<'alert_messages'>;

/** One pass over what is due; once per cluster, by a lock. @returns how many were sent */
export function createDispatch(options: DispatchOptions): () => Promise<number> {
  const { database } = options;
  return async () => {
    let sent = 0;
    await database.withLock('alerts:dispatch', async () => {
      const due = await database.reader
        .selectFrom('alert_messages')
        .selectAll()
        .where('next_at', '<=', options.clock())
        .orderBy('next_at')
        .orderBy('id')
        .limit(AT_ONCE)
        .execute();
      const queues = [...Map.groupBy(due, ({ channel_id }) => channel_id).values()];
      const serve = async (): Promise<void> => {
        for (let queue = queues.shift(); queue !== undefined; queue = queues.shift())
          for (const row of queue) if (await attempt(options, row)) sent += 1;
      };
      // All of them are waited for, whatever becomes of one: the lock is given back when nobody sends any more.
      const ended = await Promise.allSettled(Array.from({ length: CHANNELS_AT_ONCE }, serve));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    });
    return sent;
  };
}

async function attempt(options: DispatchOptions, row: MessageRow): Promise<boolean> {
  const { database, post, tally, clock, log } = options;
  const now = clock();
  const channel = await database.reader
    .selectFrom('alert_channels')
    .selectAll()
    .where('id', '=', row.channel_id)
    .where('organization_id', '=', row.organization_id)
    .executeTakeFirst();
  if (channel === undefined || channel.deleted_at !== null || channel.enabled === 0)
    return await settle(database, row, { ok: false, error: 'channel_off', isFinal: true });
  if (now - row.created_at >= MAX_AGE_MS) {
    tally.sent(channel.type, 'failed');
    return await settle(database, row, { ok: false, error: row.error ?? 'too_many', isFinal: true });
  }
  const freeAt = await roomAt(database, row, now);
  if (freeAt > now) {
    await change(database, row, { next_at: freeAt });
    return false;
  }
  const message = await messageOf(options, row);
  // Its alert is older than what is kept.
  if (message === null) return await settle(database, row, { ok: false, error: 'alert_gone', isFinal: true });
  if (!(await claim(database, row, now))) return false;
  const posted = await post(channel, message, now).catch((error: unknown): Posted => {
    // A fault of ours keeps no other message waiting.
    log.error({ err: error, channel: channel.id }, 'a message could not be made');
    return { ok: false, error: 'internal', isFinal: false };
  });
  if (!posted.ok)
    log.warn({ channel: channel.id, type: channel.type, error: posted.error }, 'an alert could not be sent');
  const attempted = { ...row, attempts: row.attempts + 1 };
  tally.sent(channel.type, outcomeOf(posted, isOver(attempted, posted)));
  return await settle(database, attempted, posted);
}

/** Counts the attempt; false: another node is at it. */
async function claim({ kysely }: Pick<Database, 'kysely'>, row: MessageRow, now: number): Promise<boolean> {
  const claimed = await kysely
    .updateTable('alert_messages')
    .set({
      attempts: row.attempts + 1,
      tried_at: now,
      next_at: now + (BACK_OFF_MS[row.attempts] ?? HOUR_MS),
    })
    .where('id', '=', row.id)
    .where('organization_id', '=', row.organization_id)
    .where('attempts', '=', row.attempts)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** When the channel may be sent one more; epoch ms, not after now: at once. */
async function roomAt(
  { reader }: Pick<Database, 'reader'>,
  { id, organization_id, channel_id }: MessageRow,
  now: number,
): Promise<number> {
  const newest = await reader
    .selectFrom('alert_messages')
    .select('tried_at')
    .where('channel_id', '=', channel_id)
    .where('organization_id', '=', organization_id)
    // A second attempt is no second message.
    .where('id', '!=', id)
    .where('tried_at', '>', now - HOUR_MS)
    .orderBy('tried_at', 'desc')
    .limit(MAX_AN_HOUR)
    .execute();
  const first = newest.length < MAX_AN_HOUR ? null : (newest.at(-1)?.tried_at ?? null);
  return first === null ? now : first + HOUR_MS;
}

const isOver = ({ attempts }: MessageRow, { ok, isFinal }: Posted): boolean =>
  ok || isFinal || attempts >= MAX_ATTEMPTS;

async function settle(database: Database, row: MessageRow, posted: Posted): Promise<boolean> {
  await change(database, row, {
    error: posted.error,
    ...(isOver(row, posted)
      ? { state: posted.ok ? ('sent' as const) : ('failed' as const), next_at: null }
      : {}),
  });
  return posted.ok;
}

async function change(
  { kysely }: Pick<Database, 'kysely'>,
  row: MessageRow,
  columns: Partial<MessageRow>,
): Promise<void> {
  await kysely
    .updateTable('alert_messages')
    .set(columns)
    .where('id', '=', row.id)
    .where('organization_id', '=', row.organization_id)
    .execute();
}

async function messageOf(
  { database, appBaseUrl }: DispatchOptions,
  row: MessageRow,
): Promise<Message | null> {
  const { reader } = database;
  const alert = await reader
    .selectFrom('alerts')
    .selectAll()
    .where('id', '=', row.alert_id)
    .where('organization_id', '=', row.organization_id)
    .executeTakeFirst();
  const property = await reader
    .selectFrom('properties')
    .select(['id', 'name', 'domain', 'time_zone as timeZone'])
    .where('id', '=', row.attribution_id)
    .where('organization_id', '=', row.organization_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (alert === undefined || property === undefined) return null;
  return {
    id: row.id,
    phase: row.phase,
    property,
    alert: {
      id: alert.id,
      kind: alert.kind as Kind,
      subject: alert.subject,
      at: alert.at,
      resolvedAt: row.phase === 'resolved' ? alert.resolved_at : null,
      title: alert.title,
      text: alert.text,
      now: alert.now,
      usual: alert.usual,
      unit: alert.unit,
      link: `${appBaseUrl()}/p/${property.id}${alert.link}`,
    },
  };
}
