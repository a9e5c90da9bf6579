/** Reads an event request's body within bounds of size and time: anyone may post. */
import { exactSize, readCapped, ServiceError } from '../common/index.ts';

/** What browsers allow a beacon. */
export const MAX_BODY_BYTES = 64 * 1024;
const BOUNDS = { maxBytes: MAX_BODY_BYTES, idleMs: 8_000, totalMs: 10_000, tooLarge };

/** @throws ServiceError `body_too_large`, `request_timeout`, `malformed_body` */
export async function readBody(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  let bytes: Uint8Array;
  try {
    bytes = await readCapped(request.body, BOUNDS);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('malformed_body', 'The connection broke before the body was complete.', {
      cause: error,
    });
  }
  // Leaves out a byte order mark, which some HTTP clients of Windows write.
  return new TextDecoder().decode(bytes);
}

function tooLarge(): ServiceError {
  // The rest of the body stays unread: the connection can't carry another request, and its client must know.
  return new ServiceError(
    'body_too_large',
    `Events of one request may have at most ${exactSize(MAX_BODY_BYTES)} in all.`,
    {
      headers: { Connection: 'close' },
    },
  );
}
