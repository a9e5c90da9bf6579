/** The body of an upload, which may take as long as it moves. */
import type { IncomingMessage } from 'node:http';
import { tooSlow } from './body.ts';
import type { ReadAhead } from './read-ahead.ts';

export interface Pace {
  /** Longest wait for the next piece of a body. */
  readonly bodyIdleMs: number;
  /** What a sender has to reach, counted over the time that we waited for it. */
  readonly minBytesPerSecond: number;
  /** Before the pace is checked; milliseconds of waiting. */
  readonly paceAfterMs: number;
}

/** A body piece by piece. */
export interface Pieces {
  /**
   * @returns the next piece; null at the end, and once it is closed
   * @throws ServiceError `request_timeout`; SenderGone
   */
  next(): Promise<Buffer | null>;
  /** What is left of the body can still be drained. */
  close(): void;
}

/**
 * The body as it arrives. Time counts against the sender only while we wait for it, not while a piece is being worked on.
 * @param on `arrival` is called when bytes arrive, `piece` for every piece that is taken
 */
export function arriving(
  request: IncomingMessage,
  pace: Pace,
  ahead: ReadAhead,
  on: { readonly arrival: () => void; readonly piece: (piece: Buffer) => void },
): Pieces {
  const queue = ahead.open(request, on.arrival);
  let bytes = 0;
  let waitedMs = 0;
  return {
    async next() {
      const asked = performance.now();
      await queue.wait(pace.bodyIdleMs);
      waitedMs += performance.now() - asked;
      const piece = queue.take();
      if (piece === null) return null;
      bytes += piece.length;
      if (waitedMs > pace.paceAfterMs && bytes < (pace.minBytesPerSecond * waitedMs) / 1_000) throw tooSlow();
      on.piece(piece);
      return piece;
    },
    close: () => queue.close(),
  };
}

/** A body that was read before; null: nothing is left of it. */
export function arrived(body: Buffer | null): Pieces {
  let left = body;
  return {
    async next() {
      const piece = left;
      left = null;
      return piece;
    },
    close: () => undefined,
  };
}
