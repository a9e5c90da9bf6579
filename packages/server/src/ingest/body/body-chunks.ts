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

/**
 * The body piece by piece. Time counts against the sender only while we wait for it, not while a piece is being worked on. Ending early leaves
 * the connection open for the answer.
 * @param onArrival called for every piece
 * @throws ServiceError `request_timeout`; SenderGone
 */
export async function* bodyChunks(
  request: IncomingMessage,
  pace: Pace,
  ahead: ReadAhead,
  onArrival: (piece: Buffer) => void,
): AsyncGenerator<Buffer> {
  const queue = ahead.open(request);
  let bytes = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const asked = performance.now();
      await queue.wait(pace.bodyIdleMs);
      waitedMs += performance.now() - asked;
      const piece = queue.take();
      if (piece === null) return;
      bytes += piece.length;
      if (waitedMs > pace.paceAfterMs && bytes < (pace.minBytesPerSecond * waitedMs) / 1_000) throw tooSlow();
      onArrival(piece);
      yield piece;
    }
  } finally {
    queue.close();
  }
}
