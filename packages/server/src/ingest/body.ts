/** Reads request bodies within bounds: of size, and of the time in which nothing arrives. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ServiceError } from '../kit/index.ts';

/** The sender went away: there is nobody to answer. */
export class SenderGone extends Error {
  constructor() {
    super('the connection closed before the body was complete');
    this.name = 'SenderGone';
  }
}

const gunzipAsync = promisify(gunzip);
const EMPTY = Buffer.alloc(0);

/** Gzip is known by its first bytes, whatever the headers say. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

export function tooLarge(limit: number): ServiceError {
  return new ServiceError('body_too_large', `The body may be ${limit} bytes long after decompression.`);
}

function stalled(): ServiceError {
  return new ServiceError('request_timeout', 'The body stopped arriving. Nothing of it was stored.');
}

/**
 * The whole body as received. @param meter told of every byte as it is held, so that all requests together stay bounded
 * @throws ServiceError `body_too_large`, `request_timeout`; SenderGone
 */
export function collectBody(
  request: IncomingMessage,
  limits: { bytes: number; idleMs: number },
  meter: (bytes: number) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => settle(stalled()), limits.idleMs);
    const settle = (error: Error | null): void => {
      clearTimeout(timer);
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

/** @throws ServiceError `body_too_large` past the cap (the rest is never inflated), `malformed_body` for a damaged stream */
export async function inflate(body: Buffer, limit: number): Promise<Buffer> {
  try {
    return await gunzipAsync(body, { maxOutputLength: limit });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(limit)
      : damagedGzip(error);
  }
}

export function damagedGzip(cause: unknown): ServiceError {
  return new ServiceError('malformed_body', 'The body begins like gzip but is damaged or cut short.', {
    cause,
  });
}

/**
 * The body chunk by chunk. Time counts against the sender only while we wait for it, not while a chunk is being worked on. Ending early leaves
 * the connection open for the answer.
 * @throws ServiceError `request_timeout`; SenderGone
 */
export async function* bodyChunks(request: IncomingMessage, idleMs: number): AsyncGenerator<Buffer> {
  const iterator = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  try {
    while (true) {
      const timeout = Promise.withResolvers<never>();
      timer = setTimeout(() => timeout.reject(stalled()), idleMs);
      const next = iterator.next();
      next.catch(ignore);
      const { done, value } = await Promise.race([next, timeout.promise]);
      clearTimeout(timer);
      if (done === true) return;
      yield value as Buffer;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : new SenderGone();
  } finally {
    clearTimeout(timer);
    // Takes the listeners off, so that what is left of the body can still be drained. Not awaited: behind a stalled read it never ends.
    void iterator.return?.().catch(ignore);
  }
}

function ignore(): void {}
