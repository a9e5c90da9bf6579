/** What ingest needs of the other rooms, in its own words. `service.ts` hands in the real ones; tests hand in recorders. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import type {
  BotLists,
  CompiledLists,
  CountedRow,
  HitClass,
  ObservedHit,
  SignatureAgentKey,
  Source,
  StoredHit,
} from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import type { ByteLimits, Clock, Log } from '../common/index.ts';
import type { Settings } from '../sources/index.ts';
import type { SpoolEntry, SpoolReceipt, SpoolUpload } from '../spool/index.ts';

/** A handler mounted before the application. @param query the part of the URL after `?`, undecoded */
export type RawHandler = (request: IncomingMessage, response: ServerResponse, query: string) => void;

/** An ingest key that was found good. */
export interface IngestKey {
  readonly id: string;
  readonly organizationId: string;
  /** The property that elements without an attribution id belong to. */
  readonly attributionId: string | null;
  /** The first characters, which may be shown and logged. */
  readonly prefix: string;
  /** The source that it was issued for; absent: not known. */
  readonly provider?: string;
  /** What its owner has set for its source; absent: nothing. */
  readonly settings?: Settings;
}

export type KeyVerdict =
  | { readonly ok: true; readonly key: IngestKey }
  | {
      readonly ok: false;
      readonly cause: string;
      /** Whose key it was, if known. */
      readonly organizationId: string | null;
    };

/** Where a request may carry its key. `query` is the decoded value of the parameter `header_X-API-Key`. */
export interface KeyPlaces {
  readonly header: string | undefined;
  readonly query: string | undefined;
}

/** The keys room, for keys of the ingest kind. `Presented` is its own business: ingest only carries it. */
export interface IngestKeys<Presented> {
  presentedKey(places: KeyPlaces): Presented;
  /**
   * The verdict when it is known without waiting; null: ask `verify`.
   * @param from the address of the sender, whose network is noted with the use of a good key
   */
  peek(presented: Presented, from: () => string): KeyVerdict | null;
  /** @throws when the database can't be asked; answered 503 */
  verify(presented: Presented, from: () => string): Promise<KeyVerdict>;
  /** Good keys of a source that stand for a property and have a setting: newest first, at most five. @throws when the database can't be asked */
  signers(source: Source, attributionId: string, setting: string): Promise<readonly IngestKey[]>;
  /** Such a key has proven itself by a signature. Never waits. */
  noteUse(keyId: string, from: () => string): void;
  /** What every good key has for a setting. @throws when the database can't be asked */
  everySetting(name: string): Promise<readonly unknown[]>;
}

export interface Properties {
  /** The organization that a property belongs to, or null. */
  ownerOf(attributionId: string): string | null | Promise<string | null>;
  /** The property's domain and its tracking domains, lower-case: a click from one of them is no referral. Never waits. */
  domainsOf(attributionId: string): readonly string[];
  /** Whether search crawlers are told apart for it. Never waits: false where it is not known at once, which after `ownerOf` it is. */
  tellsSearchEngines(attributionId: string): boolean;
  /** Never waits. Absent: no property has any. */
  limitsOf?(attributionId: string): PropertyLimits;
}

/** What a property takes besides what it is sent. */
export interface PropertyLimits {
  /** For how long it keeps hits of a class, milliseconds. */
  readonly keptMs: Readonly<Record<HitClass, number>>;
  /** Of today: `no_samples` takes AI visits and referrals alone, `closed` takes nothing. */
  readonly quota: 'open' | 'no_samples' | 'closed';
}

/** Of a property of which nothing is known. */
export const NO_LIMITS: PropertyLimits = {
  keptMs: {
    ai_bot: Number.POSITIVE_INFINITY,
    ai_referral: Number.POSITIVE_INFINITY,
    sample: Number.POSITIVE_INFINITY,
    search_engine: Number.POSITIVE_INFINITY,
    test: Number.POSITIVE_INFINITY,
  },
  quota: 'open',
};

/** On whose behalf a directory is read. */
interface DirectoryWish {
  readonly organizationId: string;
  /** Whether the list names it; else an agent's pattern allows it, and its host is one that a visitor chose. */
  readonly isListed: boolean;
}

/** What was read of a directory within a day. */
export interface HeldKeys {
  readonly keys: readonly SignatureAgentKey[];
  /** Read within the last hour. */
  readonly isFresh: boolean;
}

/** Keys of signature agents that are read beside the intake. No call waits. */
export interface KeyDirectories {
  /** Null: nothing. */
  held(url: string): HeldKeys | null;
  /** Everything that is held, for a thread that can't ask. */
  all(): ReadonlyMap<string, HeldKeys>;
  /** Has it read, for later lines. */
  want(url: string, by: DirectoryWish): void;
}

export interface Lists {
  current(): CompiledLists;
  /** The same with the search crawlers behind the bots. */
  withSearchEngines(): CompiledLists;
  /** What they are made of, for another thread: the same objects until they change. */
  plain(): BotLists;
  plainWithSearchEngines(): BotLists;
  readonly directories: KeyDirectories;
}

/** The spool as ingest sees it. */
export interface HitSpool {
  /** False while the spool is full or its disk fails: answered 503 before a body is read. */
  accepting(): boolean;
  /** Resolves when the entry is on disk. @throws when it isn't; answered 503 */
  append(entry: SpoolEntry): Promise<SpoolReceipt>;
  openUpload(endpoint: Source): SpoolUpload | Promise<SpoolUpload>;
}

export type SignalKind =
  | 'auth_error'
  | 'unknown_attribution_id'
  | 'missing_attribution_id'
  | 'dropped_not_ai'
  | 'validation_upload'
  | 'wrong_format'
  | 'no_address'
  | 'anonymized_address'
  | 'proxy_address';

/** One observation for the setup checker. Never carries a key, an address or a query string. */
export interface Signal {
  readonly kind: SignalKind;
  readonly endpoint: Source;
  readonly organizationId: string | null;
  readonly attributionId: string | null;
  /** The cause, the count, or a sentence. */
  readonly detail: string;
  /** A user agent that was not in the list. */
  readonly sample?: string;
}

export interface SetupSignals {
  /** Synchronous, bounded, in memory; never throws. */
  note(signal: Signal): void;
}

/** The right to take one batch, held by one node at a time. */
export type Claim =
  | { readonly state: 'claimed'; confirm(): Promise<void>; release(): Promise<void> }
  | { readonly state: 'taken' }
  | { readonly state: 'busy' };

export interface BatchClaims {
  /** @param scope the key's id  @param digest hex SHA-256 of the decompressed body */
  claim(scope: string, digest: string): Promise<Claim>;
}

export interface IngestLimits {
  /** Worker endpoint, decompressed. */
  readonly workerBodyBytes: number;
  /** Worker endpoint, all requests together, as received. */
  readonly workerBytesInFlight: number;
  /** Log push, decompressed. */
  readonly uploadBytes: number;
  readonly lineBytes: number;
  /** What a body that is read on this thread has at most, compressed and not: of log push, and of an array. */
  readonly smallUploadBytes: number;
  readonly smallArrayBytes: number;
  /** A body on which nothing arrives for this long is answered 408. */
  readonly bodyIdleMs: number;
  /** Worker endpoint: the body as a whole. */
  readonly bodyTotalMs: number;
  /** A body that is signed instead of sent with a key, as received: it is read whole before anything is known of its sender. */
  readonly signedBodyBytes: number;
  /** All such bodies together, with the shares of one property and one address, each longer than the longest body. */
  readonly signedBytesHeld: ByteLimits;
  /** Log push: what a sender has to reach while we wait for it. */
  readonly minBytesPerSecond: number;
  /** How long we have waited for it before its pace is checked. */
  readonly paceAfterMs: number;
  /** Log push: how long the database may take over the claim of a batch; with the key's second the sender has its 503 in time. */
  readonly claimMs: number;
  /** Lines of an upload, empty ones among them; the edge's own uploads have at most a million. */
  readonly uploadLines: number;
  readonly uploadRejected: number;
  /** Processor time of this thread that one upload may take; milliseconds. */
  readonly uploadWorkMs: number;
  /** From the last bytes that arrived to the answer, or to the next that arrive; below the listener's idle limit. */
  readonly uploadAnswerMs: number;
  readonly uploadsPerKey: number;
  readonly uploadsPerOrganization: number;
  readonly uploadsTotal: number;
  /** Arrays that are not small and wait for a worker, or are read by one: of one key, and of all. */
  readonly largeArraysPerKey: number;
  readonly largeArraysTotal: number;
  /** Those of them that workers read at once: each may take 50 MB of a worker's heap. */
  readonly arraysReadPerOrganization: number;
  readonly arraysRead: number;
  /** How long raw hits are kept: what is older is not imported. */
  readonly retentionMs: number;
}

/** 1 GiB uncompressed is the largest batch that can be configured at the edge; the platform counts before adding line ends: hence the slack. */
export const DEFAULT_LIMITS: IngestLimits = {
  workerBodyBytes: 1024 * 1024,
  workerBytesInFlight: 256 * 1024 * 1024,
  uploadBytes: 1024 * 1024 * 1024 + 16 * 1024 * 1024,
  lineBytes: 1024 * 1024,
  smallUploadBytes: 16 * 1024,
  smallArrayBytes: 64 * 1024,
  bodyIdleMs: 8_000,
  bodyTotalMs: 30_000,
  signedBodyBytes: 16 * 1024 * 1024,
  signedBytesHeld: {
    total: 128 * 1024 * 1024,
    perProperty: 64 * 1024 * 1024,
    perAddress: 24 * 1024 * 1024,
  },
  minBytesPerSecond: 1_024,
  paceAfterMs: 10_000,
  claimMs: 1_500,
  uploadLines: 4_000_000,
  uploadRejected: 1_000_000,
  uploadWorkMs: 120_000,
  uploadAnswerMs: 45_000,
  uploadsPerKey: 8,
  uploadsPerOrganization: 16,
  uploadsTotal: 32,
  largeArraysPerKey: 64,
  largeArraysTotal: 256,
  arraysReadPerOrganization: 2,
  arraysRead: 6,
  retentionMs: 400 * DAY_MS,
};

/** A thread that reads what is large. What is said to it: `workers/messages.ts`. */
export interface Thread {
  postMessage(message: object, transfer: MessagePort[]): void;
  on(event: 'error' | 'exit', listener: (error: unknown) => void): unknown;
  /** The process may end although it runs. */
  unref(): void;
  terminate(): Promise<unknown>;
}

export interface IngestDeps<Presented = unknown> {
  readonly keys: IngestKeys<Presented>;
  readonly properties: Properties;
  readonly lists: Lists;
  readonly spool: HitSpool;
  readonly claims: BatchClaims;
  readonly signals: SetupSignals;
  /** The address of a request's sender, proxies seen through; empty when the connection is gone. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Whether a user agent is not a person's (`isbot`). */
  readonly isBot: (userAgent: string) => boolean;
  /** The warehouse's line form of a hit, and of a row of numbers beside them. */
  readonly toRow: (hit: StoredHit | CountedRow) => string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<IngestLimits>;
  /** How a thread is started, and how many there may be. */
  readonly threads: { readonly start: () => Thread; readonly most: number };
}

export type SigningLists = Pick<CompiledLists, 'tokens' | 'signatureAgents'>;

/** Whose line it is. */
export interface Signed {
  readonly organizationId: string;
  /** The property's: a signature for another host was taken from elsewhere. */
  readonly domains: readonly string[];
}

export interface SignatureChecks {
  /** @returns the hit with `signatureCheck`, and what goes with it where that is `verified`; never throws */
  check(hit: ObservedHit, of: Signed, lists: SigningLists): ObservedHit;
}

/** With what ingest makes of them itself, once for all endpoints. */
export interface IngestParts<Presented = unknown> extends IngestDeps<Presented> {
  readonly signatures: SignatureChecks;
}
