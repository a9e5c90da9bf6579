/** Reads a webhook's body: JSON, at most 256 KiB, whatever its Content-Type says; gzip is known by its first bytes. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { exactSize, ServiceError } from '../common/index.ts';

export const MAX_BODY_BYTES = 256 * 1024;
/** How long nothing may come, and how long the whole may take: senders who drip bytes hold no connection for ever. */
const PATIENCE = { idleMs: 10_000, totalMs: 30_000 } as const;
const gunzipAsync = promisify(gunzip);

/** @throws ServiceError `body_too_large`, `request_timeout`, `malformed_body` */
export async function readJson(
  request: Pick<Request, 'body'>,
  patience: { readonly idleMs: number; readonly totalMs: number } = PATIENCE,
): Promise<unknown> {
  const bytes = await readCapped(request.body, patience);
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? await inflate(bytes) : bytes;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (error) {
    throw new ServiceError('malformed_body', 'The body is not valid UTF-8.', { cause: error });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The parser's own sentence quotes the body, which may be a person's e-mail.
    const detail = text.trim() === '' ? 'The body is empty; send one JSON object.' : 'The body is not JSON.';
    throw new ServiceError('malformed_body', detail, { cause: error });
  }
}

async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  { idleMs, totalMs }: { readonly idleMs: number; readonly totalMs: number },
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const end = performance.now() + totalMs;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), Math.min(idleMs, end - performance.now()));
      if (done) return Buffer.concat(chunks, size);
      size += value.length;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    // Not awaited: behind a stalled read it never ends.
    void reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(
        new ServiceError('request_timeout', 'The body stopped arriving. Nothing of it was stored.', {
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

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await gunzipAsync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new ServiceError('malformed_body', 'The body begins like gzip but is damaged or cut short.', {
      cause: error,
    });
  }
}

function tooLarge(): ServiceError {
  return new ServiceError('body_too_large', `The body may have at most ${exactSize(MAX_BODY_BYTES)}.`, {
    // What is left of it stays unread: the connection can't carry another request, and its sender must know.
    headers: { Connection: 'close' },
  });
}
