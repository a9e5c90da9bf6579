/** The door for conversions: what a visitor's path was. Point look-ups by primary key and index, in the caller's transaction if there is one. */
import type { Touch } from '@ghostlight/core';
import type { Sealer } from '../database/index.ts';
import { clientPurpose } from './accepted.ts';
import type { Db } from './upsert.ts';

/** A page's clock may run ahead, and an event may overtake another: a touch counts up to this much after the conversion. */
export const AFTER_MS = 5 * 60_000;
/** A path of more touches is nobody's: its newest are looked at. */
const MAX_TOUCHES = 200;

export interface TouchClient {
  readonly ip: string;
  readonly userAgent: string;
}

export interface Matching {
  /**
   * Touches of the visitor in [at − lookbackMs, at + 5 min], oldest first, the newest 200; and whether the visitor is known at all.
   * @param db the caller's transaction, or the database
   */
  touchesOf(
    db: Db,
    attributionId: string,
    visitorId: string,
    at: number,
    lookbackMs: number,
  ): Promise<{ readonly known: boolean; readonly touches: readonly Touch[] }>;
  /** Address and user agent of a touch; null without consent to advertising, and after 30 days. */
  clientOf(db: Db, attributionId: string, visitorId: string, touchId: string): Promise<TouchClient | null>;
}

export function createMatching(sealer: Sealer): Matching {
  return {
    async touchesOf(db, attributionId, visitorId, at, lookbackMs) {
      const rows = await db
        .selectFrom('touches')
        .select(['body'])
        .where('attribution_id', '=', attributionId)
        .where('visitor_id', '=', visitorId)
        .where('at', '>=', at - lookbackMs)
        .where('at', '<=', at + AFTER_MS)
        .orderBy('at', 'desc')
        .limit(MAX_TOUCHES)
        .execute();
      if (rows.length > 0)
        return { known: true, touches: rows.map(({ body }) => JSON.parse(body) as Touch).reverse() };
      const visitor = await db
        .selectFrom('visitors')
        .select('visitor_id')
        .where('attribution_id', '=', attributionId)
        .where('visitor_id', '=', visitorId)
        .executeTakeFirst();
      return { known: visitor !== undefined, touches: [] };
    },
    async clientOf(db, attributionId, visitorId, touchId) {
      const row = await db
        .selectFrom('touches')
        .select('client')
        .where('id', '=', touchId)
        .where('attribution_id', '=', attributionId)
        .where('visitor_id', '=', visitorId)
        .executeTakeFirst();
      if (row === undefined || row.client === null) return null;
      const opened = sealer.open(row.client, clientPurpose(attributionId, visitorId));
      const { ip, user_agent } = JSON.parse(opened) as { ip: string; user_agent: string };
      return { ip, userAgent: user_agent };
    },
  };
}
