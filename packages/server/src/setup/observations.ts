/** Everything that the checker looks at. */
import type { CountedSignal } from './signals.ts';

/** The newest hit of a source; times are epoch milliseconds. */
export interface SourceArrival {
  readonly source: string;
  readonly last_received_at: number;
  readonly count_24h: number;
  readonly bot_name: string;
  readonly class: string;
  readonly host: string;
  readonly worker_version: string;
}

export interface CheckedKey {
  readonly name: string;
  readonly prefix: string;
  readonly provider: string;
  /** null: for every property of the organization. */
  readonly attributionId: string | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export interface RejectedElement {
  readonly reason: string;
  readonly field: string | null;
  readonly endpoint: string;
  readonly at: number;
}

export interface Observations {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly property: { readonly id: string; readonly domain: string };
  readonly arrivals: readonly SourceArrival[];
  /** When a test visit arrived last, epoch milliseconds; null: none did. */
  readonly testAt: number | null;
  /** Hosts seen lately, by source. */
  readonly hosts: ReadonlyMap<string, ReadonlySet<string>>;
  readonly keys: readonly CheckedKey[];
  readonly signals: readonly CountedSignal[];
  readonly quarantine: readonly RejectedElement[];
  /** Requests that a proxy forwarded though TRUST_PROXY names none, since this node's start; null: none came, or one is named. */
  readonly untrustedProxy: { readonly count: number; readonly lastAt: number } | null;
}
