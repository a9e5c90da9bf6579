/** What the thread that takes requests and a worker say to each other. Everything is plain data: it is cloned, and bytes are handed over. */
import type { MessagePort } from 'node:worker_threads';
import type { BotLists } from '@ghostlight/core';
import type { ErrorCode } from '../../common/index.ts';
import type { SpoolRow } from '../../spool/index.ts';
import type { Encoding } from '../body/encodings.ts';
import type { CheckAccount } from '../check-budget.ts';
import type { HeldKeys, IngestKey } from '../ports.ts';
import type { RequestFacts } from '../source-request.ts';
import type { ReadingLimits, UploadRead } from '../upload/reading.ts';

/** What properties are set to at the beginning of a request. */
export interface PropertyFacts {
  /** Attribution id → owning organization, for every id that the request names. */
  readonly owners: ReadonlyMap<string, string | null>;
  /** Attribution id → its domains, of the organization's own. */
  readonly domains: ReadonlyMap<string, readonly string[]>;
  /** Those that tell search crawlers apart. */
  readonly searching: ReadonlySet<string>;
}

/** What reading an upload needs beside its bytes. */
export interface UploadJob {
  readonly source: string;
  readonly request: RequestFacts;
  readonly key: IngestKey;
  readonly encoding: Encoding;
  readonly attributionId: string | null;
  readonly ownAttributionId: string | null;
  readonly properties: PropertyFacts;
  readonly receivedAt: number;
  readonly limits: ReadingLimits;
  /** The first bytes of the body, enough to tell how it is compressed. */
  readonly head: Uint8Array;
}

/** What a signature is checked by. */
export interface CheckingFacts {
  readonly directories: ReadonlyMap<string, HeldKeys>;
  readonly account: CheckAccount;
}

/** Begins a job. All other messages about it go through its port. When that closes, the job is wanted no more. */
export interface Begin {
  readonly job: UploadJob;
  readonly checking: CheckingFacts;
  readonly port: MessagePort;
  /** What the thread does not have yet. */
  readonly lists?: BotLists;
  readonly searchLists?: BotLists;
}

export type ToWorker =
  | { readonly bytes: Uint8Array }
  /** The body has ended. */
  | { readonly end: true }
  /** A group of rows is staged. */
  | { readonly staged: true };

export type FromWorker =
  /** So many bytes were taken. */
  | { readonly taken: number }
  | { readonly rows: SpoolRow[] }
  | { readonly done: Done }
  | { readonly failed: Failure };

/** The end of a job. All of its rows were staged before. */
export interface Done {
  readonly read: UploadRead;
  readonly directories: AskedDirectories;
}

/** What the thread would have asked of the key directories: it is asked for later lines. */
export interface AskedDirectories {
  readonly held: readonly string[];
  /** URL → whether the list names it. */
  readonly wanted: ReadonlyMap<string, boolean>;
}

/** An error, as far as it can be cloned. `code` is a ServiceError's. */
export interface Failure {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: ErrorCode | null;
  readonly headers: Record<string, string> | undefined;
}
