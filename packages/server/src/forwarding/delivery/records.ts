/** The forms that deliveries have between claim and settlement. */
import type { JsonObject } from '@ghostlight/core';
import type { Guarantee, HttpRequest, HttpResponse, Verdict } from '../../destinations/index.ts';
import type { Known } from '../masking.ts';
import type { DeliveryRow } from './ports.ts';

/** An event that may leave now. */
export interface Ready {
  readonly row: DeliveryRow;
  readonly event: JsonObject;
  /** Of the event's JSON. */
  readonly bytes: number;
  /** The platform's name of the event. */
  readonly name: string;
  /** Only one group's events share a request. */
  readonly group: string;
  readonly notes: readonly string[];
  readonly guarantee: Guarantee;
  readonly occurredAt: number;
  readonly known: Pick<Known, 'personal' | 'traces'>;
}

/** One try, as the history keeps it. */
export interface Attempt {
  /** Epoch ms when it began. */
  readonly at: number;
  readonly ms: number;
  /** null: no answer. */
  readonly status: number | null;
}

export interface HistoryEntry {
  readonly at: number;
  readonly http_status: number | null;
  readonly ms: number;
  readonly verdict: Verdict['kind'] | 'unknown';
  readonly message: string | null;
}

/** What is written of a delivery that was tried or decided; `request` and `response` stay as they were where null. */
export type Outcome = Pick<
  DeliveryRow,
  | 'id'
  | 'lease'
  | 'state'
  | 'reason'
  | 'message'
  | 'platform_event'
  | 'guarantee'
  | 'attempts'
  | 'next_at'
  | 'split'
  | 'ref'
  | 'request'
  | 'response'
  | 'history'
  | 'sent_at'
  | 'settled_at'
>;

/** Given back untouched, to be claimed again from `nextAt` on; null: as it was due before. */
export interface Returned {
  readonly row: Pick<DeliveryRow, 'id' | 'lease'>;
  readonly nextAt: number | null;
}

/** What a request says about the whole destination. */
export type Effect =
  | { readonly kind: 'ok' }
  /** @property leastMs until the next request, open breaker or not */
  | { readonly kind: 'failed'; readonly probe: boolean; readonly leastMs: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | {
      readonly kind: 'alarm';
      readonly cause: 'auth' | 'config';
      readonly code: string;
      readonly message: string;
    };

/** A verdict of a platform, or of ours: unknown, or without effect and cost. */
export type Judgement =
  | Verdict
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string }
  | { readonly kind: 'stopped'; readonly message: string };

/** A request, its answer, and what that means. */
export interface Exchange {
  /** null: none could be made. */
  readonly request: HttpRequest | null;
  readonly response: HttpResponse | null;
  readonly attempt: Attempt;
  /** One for each event, in order. */
  readonly judgements: readonly Judgement[];
  readonly effect: Effect | null;
  /** What the answer asks the destination to wait. */
  readonly destinationMs: number | null;
}
