/**
 * Files of any length as answers: CSV or lines of JSON, made while they are read. One place for what each of them needs: a bounded number
 * at a time, an end with the reader, a bound on how long a reader may pause, headers, and a last line that says so where a file broke off.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import { z } from '@hono/zod-openapi';
import { ServiceError } from './errors.ts';
import { csvLine, type FileFormat } from './file-lines.ts';

/** Each holds a connection of the warehouse while a page is read. */
const MAX_FILES = 4;
/** A reader that takes nothing for so long has gone without a word; its place is for others. */
const MAX_PAUSE_MS = MINUTE_MS;

/** The answer in OpenAPI, for `content`. */
export const fileContent = {
  'application/x-ndjson': { schema: z.string() },
  'text/csv': { schema: z.string() },
} as const;

export interface FileAnswer {
  /** What asks: HEAD gets the headers alone, and its signal ends the file. */
  readonly request: Pick<Request, 'method' | 'signal'>;
  /** Without its ending. */
  readonly name: string;
  readonly format: FileFormat;
  /** The next piece is made when the reader has taken the ones before. @param signal aborted when nothing more is wanted */
  readonly pieces: (signal: AbortSignal) => AsyncGenerator<string>;
  /** In which the days of the request are: a file has no other place that says so. */
  readonly timeZone?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws ServiceError `unavailable` while others are read, and whatever the first piece throws */
export type AnswerFile = (file: FileAnswer) => Promise<Response>;

export function createFileAnswers({
  maxFiles = MAX_FILES,
  maxPauseMs = MAX_PAUSE_MS,
}: {
  /** At a time, over all callers. */
  maxFiles?: number;
  maxPauseMs?: number;
} = {}): AnswerFile {
  let taken = 0;
  return async ({ request, name, format, pieces, timeZone, headers }) => {
    const answered = (body: ReadableStream<Uint8Array> | null): Response =>
      new Response(body, { headers: { ...headersOf(name, format, timeZone), ...headers } });
    // The body of an answer to HEAD is dropped unread: it would never end.
    if (request.method === 'HEAD') return answered(null);
    if (taken >= maxFiles)
      throw new ServiceError('unavailable', 'Other exports are running; try again when one has finished.', {
        headers: { 'Retry-After': '10' },
      });
    taken += 1;
    const ending = new AbortController();
    const end = (): void => {
      if (ending.signal.aborted) return;
      taken -= 1;
      request.signal.removeEventListener('abort', end);
      // The engine needn't go on.
      ending.abort();
    };
    request.signal.addEventListener('abort', end, { once: true });
    if (request.signal.aborted) end();
    try {
      const made = pieces(ending.signal);
      // Before the answer begins: a store that is down is a 503 then, and no broken 200.
      const first = await made.next();
      return answered(
        streamOf(first, made, {
          format,
          end,
          ended: ending.signal,
          isGone: () => request.signal.aborted,
          maxPauseMs,
        }),
      );
    } catch (error) {
      end();
      throw error;
    }
  };
}

const headersOf = (
  name: string,
  format: FileFormat,
  timeZone: string | undefined,
): Record<string, string> => ({
  'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
  'Content-Disposition': `attachment; filename="${name}.${format}"`,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  ...(timeZone === undefined ? {} : { 'X-Time-Zone': timeZone }),
});

function streamOf(
  first: IteratorResult<string>,
  pieces: AsyncGenerator<string>,
  {
    format,
    end,
    ended,
    isGone,
    maxPauseMs,
  }: {
    format: FileFormat;
    end: () => void;
    ended: AbortSignal;
    isGone: () => boolean;
    maxPauseMs: number;
  },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<string> | null = first;
  let pause: NodeJS.Timeout | undefined;
  let isOver = false;
  let broken: { readonly error: unknown } | null = null;
  const over = (): void => {
    isOver = true;
    clearTimeout(pause);
    end();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const giveUp = (): void => {
          if (isOver) return;
          over();
          // A reader that has gone needs no error, which the server would print; others must see that the file is not whole.
          if (isGone()) controller.close();
          else controller.error(new Error('The file was given up before its end'));
        };
        if (ended.aborted) giveUp();
        else ended.addEventListener('abort', giveUp, { once: true });
      },
      async pull(controller) {
        clearTimeout(pause);
        // The last line is taken; that the answer isn't whole must show on the connection too.
        if (broken !== null) return controller.error(broken.error);
        try {
          const { value, done } = next ?? (await pieces.next());
          next = null;
          if (isOver) return;
          if (done === true) {
            over();
            return controller.close();
          }
          controller.enqueue(encoder.encode(value));
          // It ends by the abort, which the reader sees as a broken connection.
          pause = setTimeout(end, maxPauseMs);
          pause.unref();
        } catch (error) {
          if (isOver) return;
          broken = { error };
          over();
          controller.enqueue(encoder.encode(lastLine(format)));
        }
      },
      cancel: over,
    },
    // One piece is made ahead; the last line is surely taken when the next is asked for.
    { highWaterMark: 1 },
  );
}

/** So that a file that was saved tells that it is not whole, however it is read. */
function lastLine(format: FileFormat): string {
  const { title, status } = BROKEN;
  return format === 'csv'
    ? csvLine(['error', title, BROKEN.detail])
    : `${JSON.stringify({ error: { type: '/problems/unavailable', title, status, detail: BROKEN.detail } })}\n`;
}

const BROKEN = {
  title: 'The export was interrupted',
  status: 503,
  detail: 'This file is incomplete: the service could not read the rest. Export it again.',
} as const;
