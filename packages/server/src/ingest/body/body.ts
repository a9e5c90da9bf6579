/** Reads request bodies within bounds: of size, and of the time in which nothing arrives. */
import type { IncomingMessage } from 'node:http';
import { exactSize, ServiceError } from '../../common/index.ts';
import { decompressorOf, type Encoding, inflatedAtOnce } from './encodings.ts';

/** The sender disconnected: there is no one to answer. */
export class SenderGone extends Error {
  constructor() {
    super('the connection closed before the body was complete');
    this.name = 'SenderGone';
  }
}

const EMPTY = Buffer.alloc(0);

export function tooLarge(limit: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The body may have at most ${exactSize(limit)} after decompression.`,
  );
}

export function stalled(): ServiceError {
  return new ServiceError('request_timeout', 'The body stopped arriving. Nothing was stored.');
}

export function tooSlow(): ServiceError {
  return new ServiceError('request_timeout', 'The body arrives too slowly. Nothing was stored.');
}

/** Of a body that is read whole. */
interface CollectLimits {
  readonly bytes: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/**
 * The whole body as received. @param meter called for every byte as it is held, so that all requests together stay bounded
 * @throws ServiceError `body_too_large`, `request_timeout`; SenderGone
 */
export async function collectBody(
  request: IncomingMessage,
  limits: CollectLimits,
  meter: (bytes: number) => void,
): Promise<Buffer> {
  return wholeOf(await collectPieces(request, limits, (piece) => meter(piece.length)));
}

export function wholeOf(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] ?? EMPTY) : Buffer.concat(pieces);
}

/**
 * The same in the pieces in which it came.
 * @param onPiece called for each before it is held; what it throws ends the reading
 */
export function collectPieces(
  request: IncomingMessage,
  limits: CollectLimits,
  onPiece: (piece: Buffer) => void,
): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // One timer for both bounds: nearly all bodies are there before it fires for the first time.
    const began = performance.now();
    let last = began;
    const look = (): void => {
      const now = performance.now();
      const left = Math.min(last + limits.idleMs, began + limits.totalMs) - now;
      if (left > 0) timer = setTimeout(look, Math.ceil(left));
      else settle(now - began >= limits.totalMs ? tooSlow() : stalled());
    };
    let timer = setTimeout(look, Math.min(limits.idleMs, limits.totalMs));
    const settle = (error: Error | null): void => {
      clearTimeout(timer);
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      if (error !== null) reject(error);
      else resolve(chunks);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limits.bytes) {
        settle(tooLarge(limits.bytes));
        return;
      }
      try {
        onPiece(chunk);
      } catch (error) {
        settle(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      chunks.push(chunk);
      last = performance.now();
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

/** The same at once, for a body that is small; null: it is not. @throws ServiceError `malformed_body` */
export function inflatedIfSmall(body: Buffer, encoding: Encoding, most: number): Buffer | null {
  try {
    return inflatedAtOnce(body, encoding, most);
  } catch (error) {
    throw damaged(error);
  }
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

function ignore(): void {}
