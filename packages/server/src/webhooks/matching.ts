/** Whom a conversion belongs to, and what brought them: the visitor id alone decides, never an email or a phone. */
import { ATTRIBUTION_MODEL, attribute, type Touch } from '@ghostlight/core';
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import type { Database, NewRow } from '../database/index.ts';

export const MATCH_REASONS = [
  'matched',
  'direct',
  'inherited',
  'late',
  'no_visitor_id',
  'unknown_visitor',
  'outside_lookback',
] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

/** Sessions, as conversions see them. */
export interface Matching {
  /**
   * The visitor's touches in [at − lookbackMs, at + 5 min], whether the visitor is known at all, and whether touches of another time
   * are. A point look-up.
   * @param db the caller's transaction, or the database
   */
  touchesOf(
    db: Database['kysely'],
    attributionId: string,
    visitorId: string,
    at: number,
    lookbackMs: number,
  ): Promise<{ readonly known: boolean; readonly elsewhen: boolean; readonly touches: readonly Touch[] }>;
}

/** `attribute` decides to the second; the look-up must not be stricter. */
const SECOND_MS = 1_000;
/** A conversion that came before its visitor's touch waits for it this long. */
export const LATE_MS = HOUR_MS;

/** The columns of a conversion that a match decides. */
export type MatchColumns = Pick<
  NewRow<'conversions'>,
  | 'session_matched'
  | 'match_reason'
  | 'model'
  | 'winner'
  | 'touches'
  | 'channel'
  | 'platform'
  | 'source'
  | 'medium'
  | 'campaign'
  | 'match_until'
>;

export function unmatched(reason: MatchReason, matchUntil: number | null = null): MatchColumns {
  return {
    session_matched: 0,
    match_reason: reason,
    model: null,
    winner: null,
    touches: '[]',
    channel: null,
    platform: null,
    source: null,
    medium: null,
    campaign: null,
    match_until: matchUntil,
  };
}

/** @param conversion times in epoch ms */
export async function findMatch(
  matching: Matching,
  db: Database['kysely'],
  conversion: {
    readonly attributionId: string;
    readonly visitorId: string | null;
    readonly occurredAt: number;
    readonly receivedAt: number;
    readonly lookbackDays: number;
  },
): Promise<MatchColumns> {
  const { attributionId, visitorId, occurredAt, receivedAt, lookbackDays } = conversion;
  if (visitorId === null) return unmatched('no_visitor_id');
  const lookbackMs = lookbackDays * DAY_MS;
  const { known, elsewhen, touches } = await matching.touchesOf(
    db,
    attributionId,
    visitorId,
    occurredAt,
    lookbackMs + SECOND_MS,
  );
  if (!known) return unmatched('unknown_visitor', receivedAt + LATE_MS);
  const { winner, window } = attribute(touches, occurredAt, lookbackMs);
  if (winner !== null) return matched('matched', winner, window);
  return elsewhen || touches.length > 0 ? unmatched('outside_lookback') : DIRECT;
}

/** A known visitor without a source. */
const DIRECT: MatchColumns = {
  session_matched: 1,
  match_reason: 'direct',
  model: ATTRIBUTION_MODEL,
  winner: null,
  touches: '[]',
  channel: 'direct',
  platform: null,
  source: '(direct)',
  medium: '(none)',
  campaign: '',
  match_until: null,
};

/** Frozen: what a later report says of this conversion depends on nothing that is deleted or changed meanwhile. */
function matched(reason: MatchReason, winner: Touch, window: readonly Touch[]): MatchColumns {
  return {
    session_matched: 1,
    match_reason: reason,
    model: ATTRIBUTION_MODEL,
    winner: JSON.stringify(winner),
    touches: JSON.stringify(window),
    channel: winner.channel,
    platform: winner.platform,
    source: winner.source,
    medium: winner.medium,
    campaign: winner.campaign,
    match_until: null,
  };
}
