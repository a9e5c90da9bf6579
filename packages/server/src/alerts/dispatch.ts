/**
 * Sends what waits: each message until it is taken or its attempts are used up. An attempt is counted before it is made, so that a node that
 * dies in the middle neither forgets the message nor hammers its receiver; at worst a receiver gets one twice, with the same id.
 * A node that has no key to an address leaves its messages to the others, as they are: while SECRET_KEY is rotated node by node that is
 * ordinary. What no node could send within a day ends as `unreadable`.
 */

import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import type { Clock, Log } from '../common/index.ts';
import type { Database, Row } from '../database/index.ts';
import type { ChannelRow } from './channels.ts';
import { type AlertTally, outcomeOf } from './figures.ts';
import type { Kind } from './kinds.ts';
import { alertLink } from './link.ts';
import type { Message } from './message.ts';
import { type Post, type Posted, UNREADABLE } from './post.ts';

/** After each attempt that failed: nine hours in all. */
const BACK_OFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS] as const;
const MAX_ATTEMPTS = BACK_OFF_MS.length + 1;
/** To one channel. What comes on top waits, for a day at most. */
const MAX_AN_HOUR = 20;
const MAX_AGE_MS = 24 * HOUR_MS;
/** Channels of one pass, those whose messages wait longest first. */
const CHANNELS = 200;
/** Channels that are served at the same time. */
const CHANNELS_AT_ONCE = 8;
/** What one channel may take of a pass before its messages wait for the next. */
const CHANNEL_TIME_MS = 20_000;
/** After this long no channel gets its turn: messages that were written meanwhile wait for the end of the pass. */
const PASS_TIME_MS = 30_000;

export interface DispatchOptions {
  readonly database: Database;
  readonly post: Post;
  /** Whether this node has the key to the channel's address. */
  readonly canOpen: (channel: ChannelRow) => boolean;
  /** Where the dashboard is, without a slash at its end. */
  readonly appBaseUrl: () => string;
  readonly tally: Pick<AlertTally, 'sent'>;
  readonly clock: Clock;
  readonly log: Log;
}

type MessageRow = Row<'alert_messages'>;

/**
 * One pass over what is due; once per cluster, by a lock. Channels are served side by side, each in its own time: one that does not answer
 * gets one message, and keeps no other waiting. @returns how many were sent
 */
export type Dispatch = (signal?: AbortSignal) => Promise<number>;

export function createDispatch(options: DispatchOptions): Dispatch {
  const { database, clock } = options;
  return async (signal) => {
    let sent = 0;
    await database.withLock('alerts:dispatch', async () => {
      const began = clock();
      const channels = await dueChannels(options);
      const serve = async (): Promise<void> => {
        for (let channel = channels.shift(); channel !== undefined; channel = channels.shift()) {
          if (signal?.aborted === true || clock() - began >= PASS_TIME_MS) return;
          sent += await serveChannel(options, channel, signal);
        }
      };
      // All of them are awaited, whatever the outcome of one: the lock is released when no send is in progress.
      const ended = await Promise.allSettled(Array.from({ length: CHANNELS_AT_ONCE }, serve));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    });
    return sent;
  };
}

async function dueChannels({
  database: { reader },
  clock,
}: DispatchOptions): Promise<Pick<MessageRow, 'channel_id' | 'organization_id'>[]> {
  return await reader
    .selectFrom('alert_messages')
    .select(['channel_id', 'organization_id'])
    .where('next_at', '<=', clock())
    .groupBy(['channel_id', 'organization_id'])
    // What this node could not open the last time keeps no other channel from its place among those served.
    .orderBy(sql`min(case when error = ${UNREADABLE} then 1 else 0 end)`)
    .orderBy((eb) => eb.fn.min('next_at'))
    .orderBy('channel_id')
    .limit(CHANNELS)
    .execute();
}

/** @returns how many were sent */
async function serveChannel(
  options: DispatchOptions,
  { channel_id, organization_id }: Pick<MessageRow, 'channel_id' | 'organization_id'>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { database, clock } = options;
  const began = clock();
  const due = await database.reader
    .selectFrom('alert_messages')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .where('organization_id', '=', organization_id)
    .where('next_at', '<=', began)
    .orderBy('next_at')
    .orderBy('id')
    // What is beyond is put off by the limit of an hour at the next pass.
    .limit(2 * MAX_AN_HOUR)
    .execute();
  let sent = 0;
  for (const row of due) {
    if (signal?.aborted === true || clock() - began >= CHANNEL_TIME_MS) break;
    const outcome = await attempt(options, row, signal);
    if (outcome === 'sent') sent += 1;
    // It would keep each of its messages waiting as long as this one.
    if (outcome === 'unanswered') break;
  }
  return sent;
}

type Outcome = 'sent' | 'not_sent' | 'unanswered';

async function attempt(
  options: DispatchOptions,
  row: MessageRow,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
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
  if (!options.canOpen(channel)) {
    await leave(options, row);
    return 'not_sent';
  }
  const freeAt = Math.max(await roomAt(database, row, now), await afterEarlier(database, row, now));
  if (freeAt > now) {
    await change(database, row, { next_at: freeAt });
    return 'not_sent';
  }
  const message = await messageOf(options, row);
  // Its alert is older than what is kept.
  if (message === null) return await settle(database, row, { ok: false, error: 'alert_gone', isFinal: true });
  if (!(await claim(database, row, now))) return 'not_sent';
  const posted = await post(channel, message, now, signal).catch((error: unknown): Posted => {
    // A fault of ours keeps no other message waiting.
    log.error({ err: error, channel: channel.id }, 'a message could not be made');
    return { ok: false, error: 'internal', isFinal: false };
  });
  // The stop took it back: the next pass sends it, under the same id.
  if (signal?.aborted === true && !posted.ok && !posted.isFinal) {
    await change(database, row, { attempts: row.attempts, next_at: now });
    return 'not_sent';
  }
  if (!posted.ok)
    log.warn({ channel: channel.id, type: channel.type, error: posted.error }, 'an alert could not be sent');
  const attempted = { ...row, attempts: row.attempts + 1 };
  tally.sent(channel.type, outcomeOf(posted, isOver(attempted, posted)));
  const outcome = await settle(database, attempted, posted);
  return posted.isUnanswered === true ? 'unanswered' : outcome;
}

/** Nothing was attempted: the message stays due, for the next pass of a node that has the key. */
async function leave({ database, log }: DispatchOptions, row: MessageRow): Promise<void> {
  if (row.error === UNREADABLE) return;
  log.warn(
    { channel: row.channel_id },
    'no SECRET_KEY of this node opens the address of a channel; another node may',
  );
  await change(database, row, { error: UNREADABLE });
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

/**
 * When an earlier message about the same alert has had its turn; epoch ms, 0: none waits. "Resolved" must not arrive before the "opened" that
 * the receiver did not take at first.
 */
async function afterEarlier(
  { reader }: Pick<Database, 'reader'>,
  { organization_id, channel_id, alert_id, created_at }: MessageRow,
  now: number,
): Promise<number> {
  const earlier = await reader
    .selectFrom('alert_messages')
    .select((eb) => eb.fn.max('next_at').as('nextAt'))
    .where('channel_id', '=', channel_id)
    .where('organization_id', '=', organization_id)
    .where('alert_id', '=', alert_id)
    .where('state', '=', 'pending')
    .where('created_at', '<', created_at)
    .executeTakeFirst();
  return earlier?.nextAt == null ? 0 : Math.max(Number(earlier.nextAt), now) + 1;
}

const isOver = ({ attempts }: MessageRow, { ok, isFinal }: Posted): boolean =>
  ok || isFinal || attempts >= MAX_ATTEMPTS;

async function settle(database: Database, row: MessageRow, posted: Posted): Promise<Outcome> {
  await change(database, row, {
    error: posted.error,
    ...(isOver(row, posted)
      ? { state: posted.ok ? ('sent' as const) : ('failed' as const), next_at: null }
      : {}),
  });
  return posted.ok ? 'sent' : 'not_sent';
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
  { database, appBaseUrl, clock }: DispatchOptions,
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
      link: `${appBaseUrl()}/p/${property.id}${alertLink(alert, property.timeZone, clock())}`,
    },
  };
}
