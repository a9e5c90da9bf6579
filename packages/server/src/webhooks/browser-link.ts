/**
 * The browser's own word of a conversion. The webhook is the conversion of record: a browser event of the same conversion id is kept
 * beside it, in whichever order the two arrive, and never counted or forwarded.
 */
import type { Topic } from '@ghostlight/core';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

export interface BrowserConversion {
  readonly topic: Topic;
  readonly conversionId: string;
  readonly eventId: string;
  readonly visitorId: string | null;
  readonly sessionId: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The first event counts; a repetition changes nothing. @param db the caller's transaction, or the database */
export async function linkBrowserEvent(
  db: Database['kysely'],
  { id, organizationId }: Owner,
  event: BrowserConversion,
): Promise<void> {
  await db
    .insertInto('browser_conversions')
    .values({
      attribution_id: id,
      organization_id: organizationId,
      topic: event.topic,
      conversion_id: event.conversionId,
      event_id: event.eventId,
      visitor_id: event.visitorId,
      session_id: event.sessionId,
      at: event.at,
    })
    .onConflict((conflict) => conflict.columns(['attribution_id', 'topic', 'conversion_id']).doNothing())
    .execute();
}
