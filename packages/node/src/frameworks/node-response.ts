/** Node's own response: when it is finished or broken off, and how large its body was. */
import type { ServerResponse } from 'node:http';
import type { Ending } from '../line.ts';

const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** @param done is called once, after the response has left or its client has */
export function watchResponse(
  response: ServerResponse,
  method: string,
  done: (ending: Ending) => void,
): void {
  const bytesOf = countBytes(response);
  let isDone = false;
  const end = (): void => {
    if (isDone) return;
    isDone = true;
    const { headersSent, statusCode } = response;
    const isBodiless = method === 'HEAD' || BODILESS.has(statusCode);
    // A client that left before the head was written got no status.
    done(headersSent ? { status: statusCode, bytes: isBodiless ? 0 : bytesOf() } : UNANSWERED);
  };
  response.once('finish', end);
  response.once('close', end);
}

const UNANSWERED: Ending = { status: undefined, bytes: undefined };

type Write = (this: ServerResponse, chunk?: unknown, ...rest: unknown[]) => unknown;

/** What passes through `write` and `end`: no header says how long a stream will be, and a client may leave in the middle. */
function countBytes(response: ServerResponse): () => number {
  let bytes = 0;
  let isEnding = false;
  const write = response.write as unknown as Write;
  const end = response.end as unknown as Write;
  const counting: Write = function (chunk, ...rest) {
    // HTTP/2's `end` writes by `write`.
    if (!isEnding) bytes += sizeOf(chunk, rest[0]);
    return write.call(this, chunk, ...rest);
  };
  const ending: Write = function (chunk, ...rest) {
    bytes += sizeOf(chunk, rest[0]);
    isEnding = true;
    return end.call(this, chunk, ...rest);
  };
  response.write = counting as unknown as ServerResponse['write'];
  response.end = ending as unknown as ServerResponse['end'];
  return () => bytes;
}

function sizeOf(chunk: unknown, encoding: unknown): number {
  if (typeof chunk === 'string')
    return Buffer.byteLength(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  return chunk instanceof Uint8Array ? chunk.byteLength : 0;
}

/** Writes a `Response` whose body is there as a whole. Never rejects: a client that has left gets nothing. */
export async function writeResponse(response: ServerResponse, answer: Response): Promise<void> {
  try {
    const body = new Uint8Array(await answer.arrayBuffer());
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    if (answer.status !== 304) response.setHeader('Content-Length', body.length);
    response.end(body);
  } catch {
    response.destroy();
  }
}
