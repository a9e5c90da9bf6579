/** An arrival at the site with its channel and campaign: what conversions are credited to. */
import type { Channel } from './channels.ts';
import type { Utm } from './event.ts';

/** What an arrival says by itself, before its visitor is known. */
export interface ArrivalFacts {
  /** Host in lower case; path percent-encoded, without what tells about a person. */
  readonly landing: { readonly host: string; readonly path: string };
  /** Host in lower case, or an app's package; empty where there is none, and for own pages. */
  readonly referrerHost: string;
  readonly utm: Utm;
  /** By lower-case name; values as landed. */
  readonly clickIds: Readonly<Record<string, string>>;
  readonly channel: Channel;
  /** By click id, else by the source where a paid medium says so. */
  readonly platform: string | null;
  readonly paid: boolean;
  /** As tagged, else the service that it came from, else its host; `(direct)`, `(not set)`. */
  readonly source: string;
  /** As tagged, else `cpc`, `ai-assistant`, `organic`, `referral`, `(none)`, `(not set)`. */
  readonly medium: string;
  /** As tagged, else empty. */
  readonly campaign: string;
  /** Its marks contradict each other, as a click id of an ad beside the tags of a newsletter. */
  readonly conflict: boolean;
}

export interface Touch extends ArrivalFacts {
  readonly id: string;
  /** Epoch milliseconds, by our clock. */
  readonly at: number;
  readonly sessionId: string;
  readonly browserIds: Readonly<Record<string, string>>;
}

/**
 * A touch is made at the first page of a session, and when the visitor comes again by other tags or another click within one. The page
 * that still carries the tags it landed with makes none.
 *
 * @param previous the visitor's last touch
 */
export function needsTouch(
  previous: Pick<Touch, 'utm' | 'clickIds'> | null,
  arrival: Pick<ArrivalFacts, 'utm' | 'clickIds'>,
  isFirstOfSession: boolean,
): boolean {
  if (isFirstOfSession) return true;
  const isNew = (tags: object, before: object): boolean => {
    const known = new Map<string, unknown>(Object.entries(before));
    return Object.entries(tags).some(([name, value]) => known.get(name) !== value);
  };
  return isNew(arrival.utm, previous?.utm ?? {}) || isNew(arrival.clickIds, previous?.clickIds ?? {});
}
