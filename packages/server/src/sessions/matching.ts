/** The door for conversions: what a visitor's path was. Point look-ups by primary key and index, in the caller's transaction if there is one. */
import type { Touch } from '@ghostlight/core';
import { MINUTE_MS } from '@ghostlight/core/time';
import { DecryptError, type SecretCipher } from '../database/index.ts';
import { clientPurpose } from './accepted.ts';
import type { Db } from './upsert.ts';

/** A page's clock may run ahead, and an event may overtake another: a touch counts up to this much after the conversion. */
export const AFTER_MS = 5 * MINUTE_MS;
/** No real path has more touches: only its newest are read. */
const MAX_TOUCHES = 200;

export interface TouchClient {
  readonly ip: string;
  readonly userAgent: string;
}

/** Data of a touch that is no part of how the visitor came. */
export interface Visit {
  /** null without consent to advertising, and after 30 days; `sealed`: no key of this node opens it. */
  readonly client: TouchClient | 'sealed' | null;
  /** When the visitor was first seen, epoch ms. */
  readonly firstSeen: number | null;
  /** The visitor's consent on the page; null: not asked, or not answered. */
  readonly consent: {
    readonly advertising: boolean | null;
    readonly analytics: boolean | null;
    readonly saleOfData: boolean | null;
  };
  /** As core's `consentRegionOfZone`. */
  readonly region: string | null;
}

export interface Matching {
  /**
   * Touches of the visitor in [at − lookbackMs, at + 5 min], oldest first, the newest 200; whether the visitor is known at all, and whether
   * touches of another time are.
   * @param db the caller's transaction, or the database
   */
  touchesOf(
    db: Db,
    attributionId: string,
    visitorId: string,
    at: number,
    lookbackMs: number,
  ): Promise<{ readonly known: boolean; readonly elsewhen: boolean; readonly touches: readonly Touch[] }>;
  /**
   * By touch id; one that is forgotten, or another visitor's, is left out.
   * @param touches at most some hundreds
   */
  visitsOf(
    db: Db,
    attributionId: string,
    touches: readonly { readonly visitorId: string; readonly touchId: string }[],
  ): Promise<ReadonlyMap<string, Visit>>;
}

export function createMatching(cipher: SecretCipher): Matching {
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
        return {
          known: true,
          elsewhen: false,
          touches: rows.map(({ body }) => JSON.parse(body) as Touch).reverse(),
        };
      const visitor = await db
        .selectFrom('visitors')
        .select('visitor_id')
        .where('attribution_id', '=', attributionId)
        .where('visitor_id', '=', visitorId)
        .executeTakeFirst();
      if (visitor === undefined) return { known: false, elsewhen: false, touches: [] };
      const other = await db
        .selectFrom('touches')
        .select('id')
        .where('attribution_id', '=', attributionId)
        .where('visitor_id', '=', visitorId)
        .limit(1)
        .executeTakeFirst();
      return { known: true, elsewhen: other !== undefined, touches: [] };
    },
    async visitsOf(db, attributionId, touches) {
      if (touches.length === 0) return new Map();
      const visitorOf = new Map(touches.map(({ touchId, visitorId }) => [touchId, visitorId]));
      const rows = await db
        .selectFrom('touches')
        .leftJoin('visitors', (join) =>
          join
            .onRef('visitors.attribution_id', '=', 'touches.attribution_id')
            .onRef('visitors.visitor_id', '=', 'touches.visitor_id'),
        )
        .select(['touches.id', 'touches.visitor_id', 'consent', 'client', 'region', 'first_seen'])
        .where('touches.id', 'in', [...visitorOf.keys()])
        .where('touches.attribution_id', '=', attributionId)
        .execute();
      return new Map(
        rows
          .filter(({ id, visitor_id }) => visitorOf.get(id) === visitor_id)
          .map(({ id, visitor_id, consent, client, region, first_seen }) => [
            id,
            {
              client: client === null ? null : openClient(client, clientPurpose(attributionId, visitor_id)),
              firstSeen: first_seen,
              consent: toConsent(consent),
              region,
            },
          ]),
      );
    },
  };

  function openClient(sealed: string, purpose: string): TouchClient | 'sealed' {
    try {
      const { ip, user_agent } = JSON.parse(cipher.decrypt(sealed, purpose)) as {
        ip: string;
        user_agent: string;
      };
      return { ip, userAgent: user_agent };
    } catch (error) {
      // During a rotation a node with the other key opens it.
      if (error instanceof DecryptError) return 'sealed';
      throw error;
    }
  }
}

function toConsent(json: string | null): Visit['consent'] {
  const told = (json === null ? {} : JSON.parse(json)) as Readonly<Record<string, boolean | null>>;
  return {
    advertising: told['advertising'] ?? null,
    analytics: told['analytics'] ?? null,
    saleOfData: told['sale_of_data'] ?? null,
  };
}
