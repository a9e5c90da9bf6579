/** What the thread that takes requests and a worker say to each other. Everything is plain data: it is cloned, and bytes are handed over. */
import type { MessagePort } from 'node:worker_threads';
import type { BotLists } from '@ghostlight/core';
import type { ErrorCode } from '../../common/index.ts';
import type { SpoolRow } from '../../spool/index.ts';
import type { Encoding } from '../body/encodings.ts';
import type { CheckAccount } from '../check-budget.ts';
import type { PropertyFacts } from '../owners.ts';
import type { HeldKeys, IngestKey } from '../ports.ts';
import type { RequestFacts } from '../source-request.ts';
import type { ArrayRead } from '../transports/array-reading.ts';
import type { ReadingLimits, UploadRead } from '../upload/reading.ts';

interface AnyJob {
  readonly source: string;
  readonly key: IngestKey;
  readonly encoding: Encoding;
  readonly receivedAt: number;
}

/** What reading an upload needs beside its bytes. */
export interface UploadJob extends AnyJob {
  readonly transport: 'lines';
  readonly request: RequestFacts;
  readonly attributionId: string | null;
  readonly ownAttributionId: string | null;
  readonly properties: PropertyFacts;
  readonly limits: ReadingLimits;
  /** The first bytes of the body, enough to tell how it is compressed. */
  readonly head: Uint8Array;
}

/** The same of an array. What its properties are set to, the thread asks when it knows which ones the elements name. */
export interface ArrayJob extends AnyJob {
  readonly transport: 'array';
  /** Bytes that the body may have, decompressed. */
  readonly most: number;
}

export type Job = UploadJob | ArrayJob;

/** What a job's body became. */
export interface Reads {
  readonly lines: UploadRead;
  readonly array: ArrayRead;
}

/** What a signature is checked by. */
export interface CheckingFacts {
  readonly directories: ReadonlyMap<string, HeldKeys>;
  readonly account: CheckAccount;
}

/** Begins a job. All other messages about it go through its port. When that closes, the job is wanted no more. */
export interface Begin {
  readonly job: Job;
  readonly checking: CheckingFacts;
  readonly port: MessagePort;
  /** Those in use, and the same with search engines; absent: as before. */
  readonly lists?: { readonly plain: BotLists; readonly search: BotLists };
}

export type ToWorker =
  | { readonly bytes: Uint8Array }
  /** The body has ended. */
  | { readonly end: true }
  /** A group of rows is staged. */
  | { readonly staged: true }
  /** What was asked. */
  | { readonly properties: PropertyFacts };

export type FromWorker =
  /** So many bytes were taken. */
  | { readonly taken: number }
  | { readonly rows: SpoolRow[] }
  /** What these attribution IDs are set to. */
  | { readonly asked: ReadonlySet<string> }
  | { readonly done: Done<unknown> }
  | { readonly failed: Failure };

/** The end of a job. All of its rows were staged before. */
export interface Done<Read> {
  readonly read: Read;
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
