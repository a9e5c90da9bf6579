/** Reads request bodies within bounds: of size, and of the time in which nothing arrives. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { ServiceError } from '../kit/index.ts';
import { decompressorOf, type Encoding } from './encodings.ts';

/** The sender went away: there is nobody to answer. */
export class SenderGone extends Error {
  constructor() {
    super('the connection closed before the body was complete');
    this.name = 'SenderGone';
  }
}

const EMPTY = Buffer.alloc(0);

export function tooLarge(limit: number): ServiceError {
  return new ServiceError('body_too_large', `The body may be ${limit} bytes long after decompression.`);
}

function stalled(): ServiceError {
  return new ServiceError('request_timeout', 'The body stopped arriving. Nothing of it was stored.');
}

function tooSlow(): ServiceError {
  return new ServiceError('request_timeout', 'The body arrives too slowly. Nothing of it was stored.');
}

/**
 * The whole body as received. @param meter told of every byte as it is held, so that all requests together stay bounded
 * @throws ServiceError `body_too_large`, `request_timeout`; SenderGone
 */
export function collectBody(
  request: IncomingMessage,
  limits: { bytes: number; idleMs: number; totalMs: number },
  meter: (bytes: number) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => settle(stalled()), limits.idleMs);
    const deadline = setTimeout(() => settle(tooSlow()), limits.totalMs);
    const settle = (error: Error | null): void => {
      clearTimeout(timer);
      clearTimeout(deadline);
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      if (error !== null) reject(error);
      else resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, size));
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limits.bytes) {
        settle(tooLarge(limits.bytes));
        return;
      }
      meter(chunk.length);
      chunks.push(chunk);
      timer.refresh();
    };
    const onEnd = (): void => settle(null);
    const onClose = (): void => settle(new SenderGone());
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
    // An aborted request also emits 'error'; without a listener that would end the process. 'close' follows it.
    request.on('error', ignore);
  });
}

/**
 * The body as it was before its sender compressed it.
 * @throws ServiceError `body_too_large` past the cap (the rest is never inflated), `malformed_body` for a damaged stream
 */
export async function inflate(body: Buffer, encoding: Encoding, limit: number): Promise<Buffer> {
  const decompressor = decompressorOf(body, encoding, {});
  if (decompressor === null) return body;
  const parts: Buffer[] = [];
  let size = 0;
  try {
    decompressor.end(body);
    for await (const part of decompressor as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > limit) throw tooLarge(limit);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : damaged(error);
  }
  return Buffer.concat(parts, size);
}

export function damaged(cause: unknown): ServiceError {
  return new ServiceError(
    'malformed_body',
    'The body begins like a compressed one but is damaged or cut short.',
    {
      cause,
    },
  );
}

export interface Pace {
  /** Longest wait for the next piece of a body. */
  readonly bodyIdleMs: number;
  /** What a sender has to reach, counted over the time that we waited for it. */
  readonly minBytesPerSecond: number;
  /** Before the pace is judged; milliseconds of waiting. */
  readonly paceAfterMs: number;
}

/** Of a body, while what came before is worked on. */
const READ_AHEAD_BYTES = 1024 * 1024;
/** What is worked on at a time. */
const PIECE_BYTES = 64 * 1024;
/** What may have been read of the connection and not of the body yet, or of the next request on it. */
const WIRE_SLACK_BYTES = 128 * 1024;
/** How much of what is read of the connection must be body: chunks of a few bytes cost a microsecond each before we see them. */
const MIN_BODY_SHARE = 0.9;

/**
 * The body chunk by chunk. Time counts against the sender only while we wait for it, not while a chunk is being worked on. Ending early leaves
 * the connection open for the answer.
 * @param onArrival told of every chunk
 * @throws ServiceError `request_timeout`, `malformed_body`; SenderGone
 */
export async function* bodyChunks(
  request: IncomingMessage,
  pace: Pace,
  onArrival: () => void,
): AsyncGenerator<Buffer> {
  // A connection that isn't read doesn't say that it has ended: what little a bomb has is read at once, so its sender's going is seen.
  const ahead = new PassThrough({ highWaterMark: READ_AHEAD_BYTES });
  const onClose = (): void => {
    if (!request.complete) ahead.destroy(new SenderGone());
  };
  request.once('close', onClose);
  request.pipe(ahead);
  const iterator = ahead[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  let bytes = 0;
  let waitedMs = 0;
  const wireBefore = request.socket.bytesRead;
  try {
    while (true) {
      const timeout = Promise.withResolvers<never>();
      timer = setTimeout(() => timeout.reject(stalled()), pace.bodyIdleMs);
      const next = iterator.next();
      next.catch(ignore);
      const asked = performance.now();
      const { done, value } = await Promise.race([next, timeout.promise]);
      clearTimeout(timer);
      if (done === true) return;
      const chunk = value as Buffer;
      bytes += chunk.length;
      waitedMs += performance.now() - asked;
      if (waitedMs > pace.paceAfterMs && bytes < (pace.minBytesPerSecond * waitedMs) / 1_000) throw tooSlow();
      const wire = request.socket.bytesRead - wireBefore - WIRE_SLACK_BYTES;
      const arrived = bytes + request.readableLength + ahead.writableLength + ahead.readableLength;
      if (arrived < (wire - request.socket.readableLength) * MIN_BODY_SHARE) throw inCrumbs();
      onArrival();
      for (let from = 0; from < chunk.length; from += PIECE_BYTES)
        yield chunk.subarray(from, from + PIECE_BYTES);
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : new SenderGone();
  } finally {
    clearTimeout(timer);
    // What is left of the body can still be drained.
    request.off('close', onClose);
    request.unpipe(ahead);
    ahead.on('error', ignore);
    ahead.destroy();
  }
}

function inCrumbs(): ServiceError {
  return new ServiceError('malformed_body', 'The chunks of the body are too small. Send it in larger ones.', {
    headers: { Connection: 'close' },
  });
}

function ignore(): void {}
