/** Visitors and their sessions. */
import { type SqlBool, sql } from 'kysely';
import type { AcceptedEvent, Visit } from './accepted.ts';
import { type Db, ifElse, larger, merged, smaller } from './upsert.ts';

/** An event with a visitor. */
export interface Recording {
  readonly event: AcceptedEvent;
  readonly visit: Visit;
}

export async function saveVisitors(db: Db, visits: readonly Recording[]): Promise<void> {
  const rows = merged(
    visits.map(({ event, visit }) => ({
      attribution_id: event.attribution_id,
      visitor_id: visit.visitorId,
      organization_id: event.organization_id,
      first_seen: visit.at,
      last_seen: visit.at,
    })),
    (row) => `${row.attribution_id}/${row.visitor_id}`,
    (a, b) => ({
      ...a,
      first_seen: Math.min(a.first_seen, b.first_seen),
      last_seen: Math.max(a.last_seen, b.last_seen),
    }),
  );
  if (rows.length === 0) return;
  await db
    .insertInto('visitors')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['attribution_id', 'visitor_id']).doUpdateSet({
        first_seen: smaller('visitors.first_seen', 'excluded.first_seen'),
        last_seen: larger('visitors.last_seen', 'excluded.last_seen'),
      }),
    )
    .execute();
}

/** Later than any page: a session whose events named none yet. */
const NO_LANDING = 8.64e15;

export async function saveSessions(db: Db, visits: readonly Recording[]): Promise<void> {
  const rows = merged(
    visits.map(({ event, visit }) => ({
      attribution_id: event.attribution_id,
      visitor_id: visit.visitorId,
      id: visit.sessionId,
      organization_id: event.organization_id,
      started_at: visit.at,
      last_at: visit.at,
      landing_at: visit.host === '' ? NO_LANDING : visit.at,
      landing_host: visit.host,
      landing_path: visit.path,
      referrer_host: visit.referrerHost,
      pages: visit.isPage ? 1 : 0,
      events: 1,
    })),
    (row) => `${row.attribution_id}/${row.visitor_id}/${row.id}`,
    (a, b) => ({
      ...(b.landing_at < a.landing_at ? b : a),
      started_at: Math.min(a.started_at, b.started_at),
      last_at: Math.max(a.last_at, b.last_at),
      pages: a.pages + b.pages,
      events: a.events + b.events,
    }),
  );
  if (rows.length === 0) return;
  const landedEarlier = sql<SqlBool>`excluded.landing_at < sessions.landing_at`;
  await db
    .insertInto('sessions')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['attribution_id', 'visitor_id', 'id']).doUpdateSet({
        started_at: smaller('sessions.started_at', 'excluded.started_at'),
        last_at: larger('sessions.last_at', 'excluded.last_at'),
        landing_at: smaller('sessions.landing_at', 'excluded.landing_at'),
        landing_host: ifElse<string>(landedEarlier, 'excluded.landing_host', 'sessions.landing_host'),
        landing_path: ifElse<string>(landedEarlier, 'excluded.landing_path', 'sessions.landing_path'),
        referrer_host: ifElse<string>(landedEarlier, 'excluded.referrer_host', 'sessions.referrer_host'),
        pages: sql<number>`sessions.pages + excluded.pages`,
        events: sql<number>`sessions.events + excluded.events`,
      }),
    )
    .execute();
}
