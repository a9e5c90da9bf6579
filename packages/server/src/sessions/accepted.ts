/** An event between the two spools: all that was decided about it at the request, so that recording it needs nothing but the database. */
import type { ArrivalFacts } from '@ghostlight/core';
import type { StoredEvent } from '../warehouse/index.ts';

/** One line of the first spool; the outer members are what the spool's quarantine reads. */
export interface AcceptedEvent {
  readonly source: 'browser';
  readonly organization_id: string;
  readonly attribution_id: string;
  /** Unique per property; made up where the page gave none. */
  readonly event_id: string;
  /** Random, of this acceptance: tells the batch that is recorded again after a crash from a repetition by the page. */
  readonly receipt: string;
  /** Epoch milliseconds. */
  readonly received_at: number;
  /** Null for machines, and for events without a visitor. */
  readonly visit: Visit | null;
  /** As the warehouse will have it. */
  readonly row: StoredEvent;
}

export interface Visit {
  readonly visitorId: string;
  readonly sessionId: string;
  /** Epoch milliseconds, within our clock's bounds. */
  readonly at: number;
  readonly isPage: boolean;
  /** The page that it happened on; empty members where the event has none. */
  readonly host: string;
  readonly path: string;
  readonly referrerHost: string;
  readonly arrival: ArrivalFacts | null;
  readonly browserIds: Readonly<Record<string, string>>;
  /** The page says that the session begins with it. */
  readonly opensSession: boolean;
  /** JSON, or null when the page sent none. */
  readonly consent: string | null;
  /** Address and user agent, encrypted for `clientPurpose`; null without consent to advertising. */
  readonly client: string | null;
  /** Of `touches`; absent in events that were accepted before it was asked for. */
  readonly region?: string | null;
}

/** The purpose of an encrypted client: it can't be moved to another visitor. */
export const clientPurpose = (attributionId: string, visitorId: string): string =>
  `client:${attributionId}/${visitorId}`;
