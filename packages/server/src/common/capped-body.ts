/** Reads a short body within bounds of size and time: senders who drip bytes hold no connection for ever. */
import { ServiceError } from './errors.ts';

export interface BodyBounds {
  readonly maxBytes: number;
  /** How long nothing may come. */
  readonly idleMs: number;
  /** How long the whole may take. */
  readonly totalMs: number;
  /** What is said of a longer body. */
  readonly tooLarge: () => ServiceError;
  /** Called for every piece before it is held; what it throws ends the reading. */
  readonly meter?: ((bytes: number) => void) | undefined;
}

/** @throws ServiceError `request_timeout`, or what `tooLarge` makes; what `meter` throws; any other error: the connection broke */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, idleMs, totalMs, tooLarge, meter }: BodyBounds,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const end = performance.now() + totalMs;
  try {
    for (;;) {
      const leftMs = end - performance.now();
      const what = leftMs < idleMs ? 'arrives too slowly' : 'stopped arriving';
      const { done, value } = await within(reader.read(), Math.min(idleMs, leftMs), what);
      if (done) return Buffer.concat(chunks, size);
      size += value.length;
      if (size > maxBytes) throw tooLarge();
      meter?.(value.length);
      chunks.push(value);
    }
  } catch (error) {
    // Not awaited: behind a stalled read it never ends.
    void reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(
        new ServiceError('request_timeout', `The body ${what}. Nothing was stored.`, {
          headers: { Connection: 'close' },
        }),
      ),
    ms,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
