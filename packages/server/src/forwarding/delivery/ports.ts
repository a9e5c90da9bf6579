/**
 * What delivery needs of the rest of forwarding, and what it offers. Who takes a row out of its hands (erasure, deletion, replay) sets
 * `lease` and `lease_until` to null with the new state: an answer that is still on its way then finds nothing to write to.
 */
import type { JsonObject } from '@ghostlight/core';
import type { Clock, Log, Trace } from '../../common/index.ts';
import type { Database, Row } from '../../database/index.ts';
import type {
  Auth,
  Credentials,
  ForwardedConversion,
  Guarantee,
  HttpRequest,
  HttpResponse,
  Limits,
  Mapped,
  MatchContext,
  OAuth,
  Skip,
  SkipReason,
  Verdict,
} from '../../destinations/index.ts';
import type { Send } from '../../outbound/index.ts';

export type DeliveryRow = Row<'deliveries'>;
export type DestinationRow = Row<'destinations'>;

/**
 * What a delivery is made of; or why it is not sent; or how long (ms) it has to wait for another one of the same order; or that no key
 * of this node opens it, with the time (epoch ms) at which it happened.
 */
export type Loaded =
  | { readonly conversion: ForwardedConversion; readonly context: MatchContext }
  | { readonly skip: SkipReason }
  | { readonly wait: number }
  | { readonly sealed: number };

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

/** A platform with one destination's settings put in: no code beyond it sees the config. All pure, as in the platform's port. */
export interface BoundDestination {
  readonly platform: string;
  readonly credentials: Credentials;
  readonly limits: Limits;
  /** Empty: the user names the host, and requests are guarded. */
  readonly hosts: readonly string[];
  readonly plainFields: readonly string[];
  readonly oauth: OAuth | null;
  readonly poll: BoundPoll | null;
  guarantee(conversion: Pick<ForwardedConversion, 'topic'>): Guarantee;
  /** Mapping, gates, `map`. @param now epoch ms */
  decide(conversion: ForwardedConversion, context: MatchContext, now: number): Mapped | Skip;
  build(events: readonly JsonObject[], auth: Auth): HttpRequest;
  buildTest(event: JsonObject, auth: Auth, code: string | null): HttpRequest;
  classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[];
}

export interface BoundPoll {
  readonly firstAfterMs: number;
  readonly everyMs: number;
  readonly giveUpAfterMs: number;
  build(ref: string, auth: Auth): HttpRequest;
  classify(response: HttpResponse): Verdict | null;
}

export type Token =
  /** @property isFresh it was asked for just now; null: the destination needs none besides its credentials */
  | { readonly kind: 'token'; readonly accessToken: string | null; readonly isFresh: boolean }
  /** The destination has changed meanwhile: read it again. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly verdict: Extract<Verdict, { kind: 'auth' | 'config' | 'retry' }> };

/** Access tokens of destinations with OAuth. */
export interface Tokens {
  of(row: DestinationRow, destination: BoundDestination): Promise<Token>;
  /** The platform has refused it before its time. */
  forget(destinationId: string): void;
}

/** The store of destinations, as far as delivery goes. */
export interface DestinationVault {
  /**
   * Config and mapping parsed, credentials opened, bound to its platform.
   * @throws when a secret can't be opened, the config no longer fits, or the platform is unknown: the destination gets an alarm
   */
  open(row: DestinationRow): BoundDestination;
  /** For a refresh token that the platform has replaced. @returns the value of `destinations.credentials` */
  seal(destinationId: string, credentials: Credentials): string;
}

export interface DeliveryDeps {
  readonly database: Database;
  readonly destinations: DestinationVault;
  readonly contexts: Contexts;
  readonly send: Send;
  readonly clock: Clock;
  readonly log: Log;
  /** This node's own name, the same after a restart: by it what a crash has left behind is known at once. */
  readonly node: string;
  /** After the commit: how many deliveries have come to a state, for metrics. */
  readonly onOutcome?: (platform: string, state: DeliveryRow['state'], count: number) => void;
  /** 0 to 1, for the jitter of back-offs; tests give their own. */
  readonly random?: () => number;
  /** Absent: requests are not traced. */
  readonly trace?: Trace;
}

export interface Delivery {
  /** Those that it sends with: other requests to the platform use the same, since some end a token when another is made. */
  readonly tokens: Tokens;
  /** Begins to work: at once, and from then on within a second of anything that is due. */
  start(): void;
  /** A conversion was committed on this node: what is due is looked for now instead of within the second. */
  nudge(): void;
  /** Everything that is due now, until nothing is. For tests and commands. @returns deliveries whose state was settled */
  runOnce(): Promise<number>;
  /** Waits (at most 10 s) for requests under way and gives back what has not left. */
  stop(): Promise<void>;
}
