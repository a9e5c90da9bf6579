/** Reads a webhook's body: JSON, at most 256 KiB, whatever its Content-Type says; gzip is known by its first bytes. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { exactSize, readCapped, ServiceError } from '../common/index.ts';

export const MAX_BODY_BYTES = 256 * 1024;
export const PATIENCE = { idleMs: 10_000, totalMs: 30_000 } as const;
const gunzipAsync = promisify(gunzip);

/** @throws ServiceError `body_too_large`, `request_timeout`, `malformed_body` */
export async function readJson(
  request: Pick<Request, 'body'>,
  patience: { readonly idleMs: number; readonly totalMs: number } = PATIENCE,
): Promise<unknown> {
  const bytes = await readBytes(request, MAX_BODY_BYTES, patience);
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
    // The parser's own sentence quotes the body, which may be a person's email.
    const detail = text.trim() === '' ? 'The body is empty; send one JSON object.' : 'The body is not JSON.';
    throw new ServiceError('malformed_body', detail, { cause: error });
  }
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await gunzipAsync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(MAX_BODY_BYTES);
    throw new ServiceError('malformed_body', 'The body begins like gzip but is damaged or cut short.', {
      cause: error,
    });
  }
}

/** The body as it was sent. @param meter as of `readCapped` @throws ServiceError `body_too_large`, `request_timeout`; what `meter` throws */
export const readBytes = (
  request: Pick<Request, 'body'>,
  maxBytes: number,
  patience: { readonly idleMs: number; readonly totalMs: number } = PATIENCE,
  meter?: (bytes: number) => void,
): Promise<Uint8Array> =>
  readCapped(request.body, { ...patience, maxBytes, tooLarge: () => tooLarge(maxBytes), meter });

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('body_too_large', `The body may have at most ${exactSize(maxBytes)}.`, {
    // What is left of it stays unread: the connection can't carry another request, and its sender must know.
    headers: { Connection: 'close' },
  });
}
