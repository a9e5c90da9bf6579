/**
 * The port between the spool and the place where it keeps rows. A backend (`file/`, `postgres/`) is a `SpoolStore`: each call is one transaction,
 * and durable when its promise resolves. The spool above it packs, groups and ships; it knows neither SQL nor files.
 */
import { HOUR_MS } from '@ghostlight/core/time';
import type { StoredQuarantine } from './quarantine.ts';
import type { Batch, Damage, Durability, QuarantinedInput, SpoolSnapshot } from './types.ts';

/** Redeliveries come within this time. */
export const REMEMBER_MS = 48 * HOUR_MS;

/** Bounds of one insert, where the shipper names no other. */
export const BATCH_BYTES = 4 * 1024 * 1024;
export const BATCH_CHUNKS = 2_000;

export interface PackedChunk {
  readonly month: string;
  readonly rows: number;
  /** JSONEachRow lines, each ended by one line feed. */
  readonly body: Uint8Array;
}

export interface PackedKey {
  readonly key: string;
  /** Index of the chunk, number of the line in it. */
  readonly chunk: number;
  readonly line: number;
  readonly label: string;
  /** Which entry of the group it came with. */
  readonly entry: number;
}

export interface PackedRows {
  readonly chunks: readonly PackedChunk[];
  readonly keys: readonly PackedKey[];
}

/** A row that turned out to be a duplicate. */
export type Conflict = Omit<PackedKey, 'key'>;

export type CounterDelta = readonly [name: string, delta: number];

export interface GroupMessage {
  readonly rows: PackedRows;
  /** Endpoint of each entry. */
  readonly endpoints: readonly string[];
  readonly counters: readonly CounterDelta[];
  readonly quarantine: readonly QuarantinedInput[];
  readonly at: number;
}

export interface StageMessage {
  readonly upload: number;
  readonly rows: PackedRows;
  readonly at: number;
}

/** An upload that ended without taking effect, because the batch was taken before. */
export interface TakenMessage {
  readonly upload: number;
  readonly endpoint: string;
  /** Its elements. */
  readonly received: number;
}

export interface CommitMessage extends TakenMessage {
  readonly scope: string;
  readonly hex: string;
  /** Staged rows that must be here. */
  readonly rows: number;
  readonly counters: readonly CounterDelta[];
  readonly quarantine: readonly QuarantinedInput[];
  readonly at: number;
}

export interface Gauges {
  /** What the cap is measured against. */
  readonly bytes: number;
  /** When the oldest row not yet stored was taken; epoch milliseconds. */
  readonly oldestAt: number | null;
}

/** What a backend tells of itself, with the answer to a call or in between. */
export interface StoreReport {
  /** This node's counters that changed, with their new values; all of them in the first report. */
  readonly counters: readonly (readonly [string, number])[];
  /** Null when it could not be asked. */
  readonly gauges: Gauges | null;
  /** What was found damaged since the last report. */
  readonly damages?: readonly Damage[];
  /** What had been found before it was opened; in the first report. */
  readonly known?: readonly Damage[];
  /** Counters of all other nodes that share the place, summed up; as of some moment within the last seconds. */
  readonly others?: readonly (readonly [string, number])[];
}

export type Reporter = (report: StoreReport) => void;

export interface TakenBatch {
  readonly batch: Batch;
  /** It was begun before: the warehouse may have it already. */
  readonly doubtful: boolean;
  /** Others wait, for which it has no room. */
  readonly more: boolean;
}

/** Digest of a whole upload that took effect. */
export interface RecordedUpload {
  readonly scope: string;
  readonly hex: string;
  readonly at: number;
}

/** Rows of uploads: staged, invisible to the shipper, until the upload is committed. */
export interface UploadStore {
  /** @returns rows that are known already, and left out */
  stage(message: StageMessage): Promise<readonly Conflict[]>;
  /**
   * @returns rows that came singly while the upload was read; or that the same batch was taken before
   * @throws SpoolWriteError when not all that was staged is there
   */
  commit(message: CommitMessage): Promise<readonly Conflict[] | 'already_taken'>;
  takenElsewhere(message: TakenMessage): Promise<void>;
  abort(upload: number): Promise<void>;
}

/** What the shipper does. A batch's id is durable before it is handed out, and stays the same until the batch is stored. */
export interface OutgoingStore {
  /** Other nodes ship from it too, and take over a batch whose shipper is not heard of. */
  readonly shared: boolean;
  /** False: another node may have taken the batch by now. */
  holds(): boolean;
  /**
   * The oldest batch that was begun or made by halving, else a new one of the oldest row's month. Null when nothing is ready.
   * @param parked batches to pass over
   * @param mostBytes of a new one; a chunk is not divided
   */
  takeBatch(parked: readonly string[], mostBytes: number): Promise<TakenBatch | null>;
  /** The batch under a new attempt number, durable before it is used; null: it has ended. */
  retryBatch(id: string): Promise<Batch | null>;
  /**
   * The warehouse has it: its rows leave the spool.
   * @param found rows of it that the warehouse has and the spool has not: of those counted as lost, so many were stored
   */
  finishBatch(id: string, found?: number): Promise<void>;
  /** Rows that must not be stored leave the batch before its first insert. @returns what is left of it; null: nothing */
  leaveOut(id: string, lines: readonly number[]): Promise<Batch | null>;
  /** Halves a batch that the warehouse refused; a single row goes to quarantine. The halves come out of `takeBatch`. */
  splitBatch(id: string, reason: string, at: number): Promise<void>;
  /** Gives space back, after much was shipped. */
  checkpoint(): Promise<void>;
}

/** @throws SpoolWriteError, from each call: nothing was done, unless the place broke in the midst of the commit itself */
export interface SpoolStore extends UploadStore, OutgoingStore {
  readonly durability: Durability;
  /** One group of requests; its chunks' bytes are handed over. @returns the rows that were duplicates */
  append(group: GroupMessage): Promise<readonly Conflict[]>;
  /** For one upload: refuses as soon as what it staged may be gone. */
  forUpload(): UploadStore;
  /** Oldest first. */
  quarantined(limit: number): Promise<StoredQuarantine[]>;
  removeQuarantine(ids: readonly string[]): Promise<void>;
  /** Of the last 48 h, by this node. */
  recordedUploads(now: number): Promise<RecordedUpload[]>;
  /** Forgets what is older than its time, a bounded piece per call. @param memoryMs how long keys are kept */
  tidy(now: number, memoryMs: number): Promise<void>;
  /** Writes something that needs room, and takes it back. */
  probe(): Promise<void>;
  /** Removes everything else than rows that contains these texts. */
  scrub(texts: readonly string[]): Promise<void>;
  /** Its files as they are now, for a backup; null where they are tables of a server. */
  snapshot(): Promise<SpoolSnapshot | null>;
  close(): Promise<void>;
}
