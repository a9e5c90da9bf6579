/**
 * What delivery needs of the rest of forwarding, and what it offers. Who takes a row out of its hands (erasure, deletion, replay) sets
 * `lease` and `lease_until` to null with the new state: an answer that is still on its way then finds nothing to write to.
 */
import type { Database, Row } from '../../database/index.ts';
import type {
  AnyDestination,
  Credentials,
  EventMapping,
  ForwardedConversion,
  MatchContext,
  SkipReason,
} from '../../destinations/index.ts';
import type { Clock, Log } from '../../kit/index.ts';
import type { Send } from '../../outbound/index.ts';

export type DeliveryRow = Row<'deliveries'>;
export type DestinationRow = Row<'destinations'>;

/** What a delivery is made of; or why it is not sent; or how long (ms) it has to wait for another one of the same order. */
export type Loaded =
  | { readonly conversion: ForwardedConversion; readonly context: MatchContext }
  | { readonly skip: SkipReason }
  | { readonly wait: number };

/** Rows whose contexts are loaded at once: it bounds what delivery holds of opened personal data. */
export const CONTEXT_PAGE = 100;

export interface Contexts {
  /**
   * An entry for each row, by the delivery's id; a missing one counts as `data_expired`. At most `CONTEXT_PAGE` rows, all of one
   * destination and in state `sending`. Of two deliveries of one order only the older (by `created_at`, `id`) may make the other wait:
   * both may be in this very call, and would wait for each other for ever.
   */
  load(rows: readonly DeliveryRow[]): Promise<ReadonlyMap<string, Loaded>>;
}

/** A destination ready for use. */
export interface OpenDestination {
  readonly platform: AnyDestination;
  /** An object; what the platform's functions take. */
  readonly config: unknown;
  readonly events: EventMapping;
  readonly credentials: Credentials;
}

/** The store of destinations, as far as delivery goes. */
export interface DestinationVault {
  /**
   * Config and mapping parsed, credentials opened.
   * @throws when a secret can't be opened, the config no longer fits, or the platform is unknown: the destination gets an alarm
   */
  open(row: DestinationRow): OpenDestination;
  /** For a refresh token that the platform has replaced. @returns what stands in `destinations.credentials` */
  seal(destinationId: string, credentials: Credentials): string;
}

export interface DeliveryDeps {
  readonly database: Database;
  readonly destinations: DestinationVault;
  readonly contexts: Contexts;
  readonly send: Send;
  readonly clock: Clock;
  readonly log: Log;
  /** 0 to 1, for the jitter of back-offs; tests give their own. */
  readonly random?: () => number;
}

export interface Delivery {
  /** Begins to work: at once, and from then on within a second of anything that is due. */
  start(): void;
  /** A conversion was committed on this node: what is due is looked for now instead of within the second. */
  nudge(): void;
  /** Everything that is due now, until nothing is. For tests and commands. @returns deliveries whose state was settled */
  runOnce(): Promise<number>;
  /** Waits (at most 10 s) for requests under way and gives back what has not left. */
  stop(): Promise<void>;
}
