/**
 * Accepted events into the database, in one transaction: which of them are new, then visitors, sessions, touches. Every upsert takes the
 * smaller or the larger of two times, so that it does not matter in which order events come, nor over which node.
 */

import { topicOfBrowserEvent } from '@ghostlight/core';
import type { NewRow } from '../database/index.ts';
import type { AcceptedEvent } from './accepted.ts';
import { isMarked, readMark } from './erased-mark.ts';
import type { SessionsDeps, VisitorKey } from './ports.ts';
import { saveTouches } from './touches.ts';
import { type Db, inOrder, larger, merged, smaller } from './upsert.ts';
import { saveSessions, saveVisitors } from './visits.ts';

export interface Recorded {
  /** Whose rows go on to the warehouse: what is new, and what this very batch recorded before a crash. */
  readonly onward: readonly AcceptedEvent[];
  /** Reported before: by the page again, or over another node. */
  readonly repeated: number;
  /** Of visitors who were erased after the event had come. */
  readonly erased: number;
  /** Visitors with a new touch, or with one that was recorded just before a crash, when perhaps it could not be announced. */
  readonly touched: readonly VisitorKey[];
}

/** @param events of one transaction: at most some hundreds, so that no other query waits for long */
export async function record(
  db: Db,
  events: readonly AcceptedEvent[],
  onBrowserConversion: SessionsDeps['onBrowserConversion'],
): Promise<Recorded> {
  const standing = await withoutErased(db, events);
  const { fresh, again } = await claim(db, standing);
  const visits = fresh.flatMap((event) => (event.visit === null ? [] : [{ event, visit: event.visit }]));
  visits.sort((a, b) => a.visit.at - b.visit.at);
  await saveVisitors(db, visits);
  const touched = await saveTouches(db, visits);
  const retold = again.flatMap(({ attribution_id, visit }) =>
    visit === null || visit.arrival === null
      ? []
      : [{ attributionId: attribution_id, visitorId: visit.visitorId }],
  );
  await saveSessions(db, visits);
  await saveArrivals(db, fresh);
  await tellConversions(db, fresh, onBrowserConversion);
  return {
    onward: [...fresh, ...again],
    repeated: standing.length - fresh.length - again.length,
    erased: events.length - standing.length,
    touched: [...touched, ...retold],
  };
}

/** Leaves out what came before its visitor was erased. */
async function withoutErased(db: Db, events: readonly AcceptedEvent[]): Promise<readonly AcceptedEvent[]> {
  const erasedUntil = await erasedSince(db, Math.min(...events.map(({ received_at }) => received_at)));
  return events.filter(
    ({ attribution_id, row, received_at }) => received_at > erasedUntil(attribution_id, row.visitor_id),
  );
}

/** Until when what came of a visitor is erased; minus infinity: nothing is. */
export type ErasedUntil = (attributionId: string, visitorId: string) => number;

/** Knows the visitors that were erased at or after a moment: nearly always none. */
export async function erasedSince(db: Db, since: number): Promise<ErasedUntil> {
  const rows = await db
    .selectFrom('erased_visitors')
    .select(['attribution_id', 'visitor_id', 'at'])
    .where('at', '>=', since)
    .execute();
  const marks = rows.map((row) => ({ ...row, mark: readMark(row.visitor_id) }));
  return (attributionId, visitorId) =>
    marks
      .filter((row) => row.attribution_id === attributionId && isMarked(row.mark, visitorId))
      .reduce((latest, { at }) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
}

/** The first acceptance of an event id is the event; `again`: this acceptance was the first, and was recorded before. */
async function claim(
  db: Db,
  events: readonly AcceptedEvent[],
): Promise<{ fresh: AcceptedEvent[]; again: AcceptedEvent[] }> {
  if (events.length === 0) return { fresh: [], again: [] };
  const rows: NewRow<'seen_events'>[] = events.map((event) => ({
    attribution_id: event.attribution_id,
    event_id: event.event_id,
    organization_id: event.organization_id,
    receipt: event.receipt,
    at: event.received_at,
  }));
  const inserted = await db
    .insertInto('seen_events')
    .values(inOrder(rows, ({ attribution_id, event_id }) => `${attribution_id}/${event_id}`))
    .onConflict((conflict) => conflict.columns(['attribution_id', 'event_id']).doNothing())
    .returning('receipt')
    .execute();
  const now = new Set(inserted.map(({ receipt }) => receipt));
  const fresh = events.filter(({ receipt }) => now.has(receipt));
  const rest = events.filter(({ receipt }) => !now.has(receipt));
  if (rest.length === 0) return { fresh, again: [] };
  const before = await db
    .selectFrom('seen_events')
    .select('receipt')
    .where('attribution_id', 'in', [...new Set(rest.map(({ attribution_id }) => attribution_id))])
    .where('event_id', 'in', [...new Set(rest.map(({ event_id }) => event_id))])
    .execute();
  const earlier = new Set(before.map(({ receipt }) => receipt));
  return { fresh, again: rest.filter(({ receipt }) => earlier.has(receipt)) };
}

/** A machine buys nothing: its word of a conversion is none. */
async function tellConversions(
  db: Db,
  fresh: readonly AcceptedEvent[],
  tell: SessionsDeps['onBrowserConversion'],
): Promise<void> {
  for (const { attribution_id, organization_id, event_id, row } of inOrder(
    fresh,
    ({ row }) => row.conversion_id,
  )) {
    const topic = topicOfBrowserEvent(row.event_name);
    if (topic === null || row.conversion_id === '' || row.sdk_bot) continue;
    await tell(
      db,
      { id: attribution_id, organizationId: organization_id },
      {
        topic,
        conversionId: row.conversion_id,
        eventId: event_id,
        visitorId: row.visitor_id === '' ? null : row.visitor_id,
        sessionId: row.session_id === '' ? null : row.session_id,
        at: row.at,
      },
    );
  }
}

async function saveArrivals(db: Db, fresh: readonly AcceptedEvent[]): Promise<void> {
  const rows = merged(
    fresh.map(({ attribution_id, organization_id, received_at }) => ({
      attribution_id,
      organization_id,
      first_at: received_at,
      last_at: received_at,
    })),
    ({ attribution_id }) => attribution_id,
    (a, b) => ({ ...a, first_at: Math.min(a.first_at, b.first_at), last_at: Math.max(a.last_at, b.last_at) }),
  );
  if (rows.length === 0) return;
  await db
    .insertInto('event_arrivals')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('attribution_id').doUpdateSet({
        first_at: smaller('event_arrivals.first_at', 'excluded.first_at'),
        last_at: larger('event_arrivals.last_at', 'excluded.last_at'),
      }),
    )
    .execute();
}
