/** The spool's vocabulary: what goes in, what is promised, what the warehouse must offer. It knows bytes, not hits. */

/**
 * Where a row is when it is acknowledged. `node`: on this node's disk. `server`: on the disk of the PostgreSQL server that the nodes share;
 * `standby`: a standby of it has confirmed it too; `memory`: in that server's memory, because its settings ask for no more.
 */
export const DURABILITIES = ['node', 'memory', 'server', 'standby'] as const;
export type Durability = (typeof DURABILITIES)[number];

/** What an entry came by: the name of a log source, or `browser` (events of pages, in spool files of their own). Counted under, never understood. */
export type Endpoint = string;

/** One hit, already in the warehouse's form. */
export interface SpoolRow {
  /** One JSON object without a line break (JSONEachRow); never empty. */
  readonly line: string;
  /** `YYYYMM` of the row's event time: a batch never spans two partitions. */
  readonly month: string;
  /** Rows that share a key within 48 h are one row; null: never a duplicate. */
  readonly dedupKey: string | null;
  /** The class label under which the row is counted as kept. */
  readonly label: string;
}

/** A rejected element as received, already redacted and bounded by the caller. */
export interface QuarantinedInput {
  readonly organizationId: string;
  /** The property it named, where it named one of the organization's. */
  readonly attributionId: string | null;
  readonly endpoint: Endpoint;
  readonly reason: string;
  readonly field: string | null;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** One answered request's share of the conservation law: received = kept + dropped + rejected + duplicate. */
export interface SpoolEntry {
  readonly endpoint: Endpoint;
  /** Elements or lines read; the spool checks that the parts add up to it. */
  readonly received: number;
  readonly rows: readonly SpoolRow[];
  /** reason → count */
  readonly dropped: Readonly<Record<string, number>>;
  readonly rejected: Readonly<Record<string, number>>;
  readonly quarantine: readonly QuarantinedInput[];
}

/** What became of an entry once it is on disk. */
export interface SpoolReceipt {
  readonly kept: number;
  readonly duplicate: number;
}

/** What became of an upload's rows. */
export interface UploadReceipt extends SpoolReceipt {
  /** Of the duplicates, by label. */
  readonly duplicatesOf: ReadonlyMap<string, number>;
}

/** An upload that takes effect whole: rows stay staged, invisible to the shipper, until `commit`. */
export interface SpoolUpload {
  /** Stages rows; resolves when the spool can take more (back-pressure). */
  stage(rows: readonly SpoolRow[]): Promise<void>;
  /**
   * Makes the upload's rows and counts take effect in one durable transaction and records its digest. The rows given to `stage`
   * are counted here; `tally` carries the rest. A digest already recorded for the same scope within 48 h discards the staged
   * rows, counts all elements as duplicates and answers `'already_taken'`.
   */
  commit(
    tally: Omit<SpoolEntry, 'rows'>,
    digest: { scope: string; hex: string },
  ): Promise<UploadReceipt | 'already_taken'>;
  /** Another node has taken the batch: discards what is staged and counts all its elements as received and duplicate. */
  takenElsewhere(tally: Pick<SpoolEntry, 'received'>): Promise<void>;
  /** Discards everything staged and counts nothing; safe to call after the upload has ended. */
  abort(): Promise<void>;
}

/** Cumulative counts since the data directory was made, or of this node in a shared spool; they survive every crash. */
export interface SpoolCounters {
  readonly received: ReadonlyMap<Endpoint, number>;
  /** `endpoint` → class label → count */
  readonly kept: ReadonlyMap<Endpoint, ReadonlyMap<string, number>>;
  readonly dropped: ReadonlyMap<Endpoint, ReadonlyMap<string, number>>;
  readonly rejected: ReadonlyMap<Endpoint, ReadonlyMap<string, number>>;
  readonly duplicate: ReadonlyMap<Endpoint, number>;
  /** Rows that the warehouse has confirmed. */
  readonly stored: number;
  /** Kept rows that the warehouse could never take; they are in quarantine. */
  readonly unstorable: number;
  /** Kept rows that were left out of their batch: another node of the same warehouse had stored them, or they were erased. */
  readonly lateDuplicate: number;
  /**
   * Kept rows lost to disk damage; each damage is in `SpoolStats.damages`. Fewer later on, where the warehouse turned out to have them: damage
   * had reached a batch that was stored, and not yet confirmed.
   */
  readonly lost: number;
}

export interface SpoolStats {
  /** Used pages and write-ahead log of the file; rows and keys in PostgreSQL. What the cap is measured against. */
  readonly bytes: number;
  readonly maxBytes: number;
  readonly pendingRows: number;
  /** Age of the oldest row not yet stored, in seconds; 0 when empty. */
  readonly oldestSeconds: number;
  readonly counters: SpoolCounters;
  /** Of all nodes that share the spool, those that are gone included: the conservation law as a whole. In a spool of one node, its counters. */
  readonly all: SpoolCounters;
  /** Null while the last write succeeded; otherwise what the disk said. */
  readonly failing: string | null;
  /** What was found damaged in the last 30 days, oldest first. */
  readonly damages: readonly Damage[];
}

/** What a spool held at one moment, for a backup. Intake goes on meanwhile; the log grows until `release`. */
export interface SpoolSnapshot {
  /** Rows that no store had confirmed. */
  readonly waiting: number;
  readonly counters: SpoolCounters;
  /** Bytes that `copyTo` writes. */
  readonly bytes: number;
  /** Writes the files into a directory. @returns their names @throws when the spool was opened again meanwhile */
  copyTo(directory: string, signal: AbortSignal): Promise<readonly string[]>;
  /** To be called in any case. */
  release(): Promise<void>;
}

/** What was found damaged, and what it cost. */
export interface Damage {
  /** Epoch milliseconds. */
  readonly at: number;
  /** File name without ending: `hits`, `events`, `event-rows`. */
  readonly spool: string;
  /** Sentences: what is damaged, and what was done. */
  readonly found: readonly string[];
  /** Acknowledged rows that are lost; null: that can't be known. */
  readonly lostRows: number | null;
  /** Where the damaged files are, below the spool's directory; null: they were not kept. */
  readonly keptIn: string | null;
}

/** Why a spool takes nothing just now, and what is known of it. */
export interface Closure {
  readonly store: 'file' | 'postgres';
  /** `disk`: the last write failed. `full`: it holds as much as it may. `busy`: as much waits for the disk as memory has room for. `closed`: it was closed. */
  readonly kind: 'disk' | 'full' | 'busy' | 'closed';
  /** Its file; or host and database of its server. */
  readonly path: string;
  /** What the disk said; null where that is not the matter. */
  readonly said: string | null;
  readonly bytes: number;
  readonly maxBytes: number;
}

/** One insert into the warehouse. */
export interface Batch {
  /** Random UUID, durable before the first attempt; a column of every row. */
  readonly id: string;
  /** 1 for the first try; part of the insert token. */
  readonly attempt: number;
  readonly month: string;
  readonly rows: number;
  /** JSONEachRow lines, each ended by one line feed; at most the shipper's `batchBytes`, or one chunk. */
  readonly body: Uint8Array;
}

/** What the shipper needs of the warehouse. */
export interface BatchSink {
  /** A batch may be inserted any number of times, with the effect of once: it is never counted. */
  readonly repeatable?: true;
  /**
   * Stores the batch whole, on disk when it resolves.
   * @throws UnstorableError when the rows themselves are refused: retrying can't help
   * @throws any other error: try again later
   */
  insert(batch: Batch): Promise<void>;
  /** How many rows of this batch are stored; asked after a crash, before inserting again. */
  count(batch: Pick<Batch, 'id' | 'month'>): Promise<number>;
  /** Numbers of the lines that must not be stored: another node has stored them, or what they tell of was erased meanwhile. */
  duplicates?(batch: Batch): Promise<number[]>;
  /** How many different rows of this batch are stored; asked when `count` says more than the batch has. */
  distinct?(batch: Pick<Batch, 'id' | 'month'>): Promise<number>;
  /** Numbers of the lines that are not stored; asked when `count` says fewer than the batch has. */
  missing?(batch: Batch): Promise<number[]>;
  /** Numbers of the lines that are older than they are kept: the store may have deleted them. */
  outlived?(batch: Batch): Promise<number[]>;
}
