/** What crosses between the main thread and the worker that owns the file. Bodies are transferred, not copied. */
import type { QuarantinedInput } from './types.ts';

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
  /** Used pages and write-ahead log. */
  readonly bytes: number;
  /** When the oldest row not yet stored was taken; epoch milliseconds. */
  readonly oldestAt: number | null;
}
