/** Reads an event request's body within bounds of size and time: anyone may post. */
import { exactSize, ServiceError } from '../common/index.ts';

/** What browsers allow a beacon. */
export const MAX_BODY_BYTES = 64 * 1024;
const MAX_MS = 10_000;

/** @throws ServiceError `body_too_large`, `request_timeout`, `malformed_body` */
export async function readBody(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const reader = request.body?.getReader();
  if (reader === undefined) return '';
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      timeout.reject(new ServiceError('request_timeout', 'The body stopped arriving. Nothing was stored.')),
    MAX_MS,
  );
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), timeout.promise]);
      if (done) break;
      size += value.length;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('malformed_body', 'The connection broke before the body was complete.', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
  // Leaves out a byte order mark, which some HTTP clients of Windows write.
  return new TextDecoder().decode(Buffer.concat(chunks));
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
