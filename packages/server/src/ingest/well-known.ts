/** Answers a sender's question whether this service takes its logs. It is asked without a key, so it costs the database little. */
import type { ServerResponse } from 'node:http';
import type { WellKnown } from '../sources/index.ts';
import * as answer from './answer.ts';
import type { IngestDeps, RawHandler } from './ports.ts';

/** What was answered is answered again for so long. */
const FRESH_MS = 10_000;

export function createWellKnown<P>(document: WellKnown, { keys, clock, log }: IngestDeps<P>): RawHandler {
  let made: { readonly at: number; readonly body: Promise<Buffer> } | null = null;
  const bodyAt = (now: number): Promise<Buffer> => {
    if (made !== null && now - made.at < FRESH_MS) return made.body;
    const body = keys.everySetting(document.setting).then((values) => Buffer.from(document.body(values)));
    made = { at: now, body };
    return body;
  };
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer.methodNotAllowed(request, response, [], ['GET', 'HEAD']);
    bodyAt(clock()).then(
      (body) => send(response, body),
      (error: unknown) => {
        made = null;
        log.error({ err: error, path: document.path }, 'the settings of keys could not be read');
        answer.unavailable(request, response);
      },
    );
  };
}

function send(response: ServerResponse, body: Buffer): void {
  response.writeHead(body.length === 0 ? 404 : 200, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
