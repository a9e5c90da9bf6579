/** Touches: the moments at which a visitor was brought to the site. Core says what an arrival is; here stands when one is a touch. */
import { hitId, needsTouch, type Touch } from '@ghostlight/core';
import { type SqlBool, sql } from 'kysely';
import type { NewRow } from '../database/index.ts';
import type { Visit } from './accepted.ts';
import type { VisitorKey } from './ports.ts';
import { type Db, ifElse, merged, smaller } from './upsert.ts';
import type { Recording } from './visits.ts';

/** No visitor arrives so often within a session; each lookup of one reads all of its touches. */
const MAX_PER_SESSION = 50;

/** A session's touches, oldest first, as far as this transaction needs them. */
type Timeline = Pick<Touch, 'id' | 'at' | 'utm' | 'clickIds'>[];

/** @param visits oldest first. @returns whose touches they are, each once */
export async function saveTouches(db: Db, visits: readonly Recording[]): Promise<VisitorKey[]> {
  const arrivals = visits.filter(({ visit }) => visit.arrival !== null);
  if (arrivals.length === 0) return [];
  const timelines = await touchesOfSessions(db, arrivals);
  const made: NewRow<'touches'>[] = [];
  for (const { event, visit } of arrivals) {
    const { arrival } = visit;
    if (arrival === null) continue;
    const key = sessionKey(event.attribution_id, visit.visitorId, visit.sessionId);
    const timeline = timelines.get(key) ?? [];
    timelines.set(key, timeline);
    if (timeline.length >= MAX_PER_SESSION) continue;
    const previous = timeline.findLast(({ at }) => at <= visit.at) ?? null;
    const isFirst = timeline.length === 0 || (visit.opensSession && previous === null);
    if (!needsTouch(previous, arrival, isFirst)) continue;
    const touch: Touch = {
      ...arrival,
      id: touchId(event.attribution_id, visit, previous?.id ?? ''),
      at: visit.at,
      sessionId: visit.sessionId,
      browserIds: visit.browserIds,
    };
    timeline.push(touch);
    timeline.sort((a, b) => a.at - b.at);
    made.push({
      id: touch.id,
      attribution_id: event.attribution_id,
      visitor_id: visit.visitorId,
      organization_id: event.organization_id,
      session_id: visit.sessionId,
      at: touch.at,
      paid: touch.paid ? 1 : 0,
      channel: touch.channel,
      body: JSON.stringify(touch),
      consent: visit.consent,
      client: visit.client,
      region: visit.region ?? null,
    });
  }
  const rows = merged(
    made,
    ({ id }) => id,
    (a, b) => (b.at < a.at ? b : a),
  );
  if (rows.length === 0) return [];
  const cameEarlier = sql<SqlBool>`excluded.at < touches.at`;
  await db
    .insertInto('touches')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        at: smaller('touches.at', 'excluded.at'),
        paid: ifElse<number>(cameEarlier, 'excluded.paid', 'touches.paid'),
        channel: ifElse<string>(cameEarlier, 'excluded.channel', 'touches.channel'),
        body: ifElse<string>(cameEarlier, 'excluded.body', 'touches.body'),
        consent: ifElse<string | null>(cameEarlier, 'excluded.consent', 'touches.consent'),
        client: ifElse<string | null>(cameEarlier, 'excluded.client', 'touches.client'),
        region: ifElse<string | null>(cameEarlier, 'excluded.region', 'touches.region'),
      }),
    )
    .execute();
  const visitors = rows.map(({ attribution_id, visitor_id }) => ({
    attributionId: attribution_id,
    visitorId: visitor_id,
  }));
  return merged(
    visitors,
    ({ attributionId, visitorId }) => `${attributionId}/${visitorId}`,
    (a) => a,
  );
}

async function touchesOfSessions(db: Db, arrivals: readonly Recording[]): Promise<Map<string, Timeline>> {
  const rows = await db
    .selectFrom('touches')
    .select(['attribution_id', 'visitor_id', 'session_id', 'at', 'body'])
    .where('attribution_id', 'in', [...new Set(arrivals.map(({ event }) => event.attribution_id))])
    .where('visitor_id', 'in', [...new Set(arrivals.map(({ visit }) => visit.visitorId))])
    .where('session_id', 'in', [...new Set(arrivals.map(({ visit }) => visit.sessionId))])
    .orderBy('at')
    .execute();
  const timelines = new Map<string, Timeline>();
  for (const { attribution_id, visitor_id, session_id, at, body } of rows) {
    const key = sessionKey(attribution_id, visitor_id, session_id);
    const timeline = timelines.get(key) ?? [];
    timeline.push({ ...(JSON.parse(body) as Touch), at });
    timelines.set(key, timeline);
  }
  return timelines;
}

const sessionKey = (attributionId: string, visitorId: string, sessionId: string): string =>
  `${attributionId}/${visitorId}/${sessionId}`;

/** The same arrival after the same touch of the same session has the same id. An arrival without tags is its session's beginning. */
function touchId(
  attributionId: string,
  { visitorId, sessionId, arrival }: Visit,
  previousId: string,
): string {
  const tags = Object.entries({ ...arrival?.utm, ...arrival?.clickIds }).sort(([a], [b]) => (a < b ? -1 : 1));
  return hitId(attributionId, `touch:${JSON.stringify([visitorId, sessionId, tags, previousId])}`);
}
