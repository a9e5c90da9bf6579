/**
 * The part of ClickHouse's HTTP interface that `@clickhouse/client` uses, in front of chDB, on loopback.
 *
 * | request | here |
 * |---|---|
 * | `GET /ping` | `Ok.`, without authentication |
 * | `POST /` with the statement in the body, or `GET`/`POST /?query=` | one statement; `FORMAT` and `SETTINGS` are in it |
 * | `POST /?query=INSERT … FORMAT f` with rows in the body | raw insert of one buffer, at most `MAX_BODY_BYTES` |
 * | `param_<name>` | `{name:Type}` in the statement, typed by the engine |
 * | `POST /` with `multipart/form-data` | the statement is the part `query`, parameters are parts; nothing else may be a part |
 * | `query_id` | echoed in `X-ClickHouse-Query-Id` |
 * | any other URL parameter, settings among them | exception 115: a setting given beside the statement would stick to the connection |
 * | `Authorization: Basic`, `X-ClickHouse-Key` | the password is the start's random token; else exception 516, status 403 |
 * | `X-Ghostlight-Lane` | `write`, `live` (default) or `report`; inserts with a body always go to `write`; a full queue is exception 202, status 503 |
 * | exceptions | `X-ClickHouse-Exception-Code`, body `Code: n. DB::Exception: …`, ClickHouse's statuses |
 * | the client goes away | a waiting statement is dropped, a running one is killed; a running insert ends by itself |
 *
 * Statements, insert bodies (bounded) and results are held whole: a result is what the service asked for with a LIMIT, and it says
 * `max_result_bytes` besides. chdb's streams were tried: they plan each query on the event loop, one after the other, where the
 * statements of a report can be planned side by side. Not here: sessions, roles, compression, progress headers, external tables.
 */
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Engine } from './engine.ts';
import { CODES, EngineException, exceptionBody, statusOf, toException } from './exceptions.ts';
import { boundaryOf, readParts } from './multipart.ts';
import { bindParameters } from './parameters.ts';
import { LANE_HEADER, LANES, type LaneName } from './protocol.ts';
import { kindOf, parseInsert, pieces, single } from './statement.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Like a server's `http_max_uri_size`. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** A reader that takes nothing for this long loses its connection, so that the lane is free again. */
const STALLED_READER_MS = MINUTE_MS;
/** What the client adds by itself; none of them changes a statement's meaning. */
const IGNORED_PARAMETERS = new Set([
  'query_id',
  'default_format',
  'enable_http_compression',
  'wait_end_of_query',
]);

export interface EngineServer {
  readonly port: number;
  close(): Promise<void>;
}

export async function serveEngine(engine: Engine, token: string): Promise<EngineServer> {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 10_000 },
    (request, response) => {
      answer(engine, token, request, response).catch((error: unknown) => {
        // What is left of a refused body is read and thrown away, so that the sender gets to see the answer.
        request.resume();
        refuse(response, toException(error), !request.complete);
      });
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function answer(engine: Engine, token: string, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/ping') return void response.end('Ok.\n');
  authenticate(request, token);
  const asked = readParameters(url.searchParams);
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const received = await readBody(request);
  const boundary = boundaryOf(request.headers['content-type']);
  const body = boundary === null ? received : readForm(received, boundary, asked);
  if (asked.queryId !== null) response.setHeader('X-ClickHouse-Query-Id', asked.queryId);
  if (asked.query !== null && body.length > 0) {
    const insert = parseInsert(asked.query);
    const written = await engine.insert(insert, body, gone.signal);
    response.setHeader(
      'X-ClickHouse-Summary',
      JSON.stringify({ written_rows: String(written.rows), written_bytes: String(written.bytes) }),
    );
    return void response.end();
  }
  await run(
    engine,
    laneOf(request),
    asked.query ?? body.toString('utf8'),
    asked.values,
    response,
    gone.signal,
  );
}

async function run(
  engine: Engine,
  lane: LaneName,
  statement: string,
  values: ReadonlyMap<string, string>,
  response: ServerResponse,
  signal: AbortSignal,
) {
  const parts = single(pieces(statement));
  const { format, insertsInlineData } = kindOf(parts);
  if (insertsInlineData) {
    throw new EngineException(
      CODES.unsupported,
      'Rows of an insert are sent as the body, the statement in the URL',
    );
  }
  const sql = bindParameters(parts, values).trim();
  if (sql === '') throw new EngineException(CODES.syntaxError, 'Syntax error: empty query');
  response.setHeader('X-ClickHouse-Format', format ?? 'TabSeparated');
  response.setHeader(
    'Content-Type',
    /json/i.test(format ?? '') ? 'application/x-ndjson; charset=UTF-8' : 'text/plain',
  );
  await send(response, await engine.execute(lane, sql, signal), signal);
  response.end();
}

async function send(response: ServerResponse, chunk: Uint8Array, signal: AbortSignal): Promise<void> {
  if (response.write(chunk)) return;
  const stalled = AbortSignal.timeout(STALLED_READER_MS);
  await once(response, 'drain', { signal: AbortSignal.any([signal, stalled]) });
}

function refuse(response: ServerResponse, exception: EngineException, bodyLeft: boolean) {
  if (response.headersSent || response.destroyed) return void response.destroy();
  if (bodyLeft) response.setHeader('Connection', 'close');
  response.statusCode = statusOf(exception.code);
  response.setHeader('X-ClickHouse-Exception-Code', exception.code);
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  response.end(exceptionBody(exception));
}

function authenticate(request: IncomingMessage, token: string) {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const key = request.headers['x-clickhouse-key'];
  const given =
    basic === undefined
      ? String(key ?? '')
      : Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '');
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) {
    throw new EngineException(CODES.authenticationFailed, 'Authentication failed');
  }
}

function readParameters(search: URLSearchParams) {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    if (name.startsWith('param_')) values.set(name.slice('param_'.length), value);
    else if (name === 'database' && value !== 'default') {
      throw new EngineException(CODES.unknownDatabase, `Database ${value} does not exist`);
    } else if (name !== 'query' && name !== 'database' && !IGNORED_PARAMETERS.has(name)) {
      throw new EngineException(
        CODES.unknownSetting,
        `URL parameter '${name}' is not taken: settings belong in the statement's SETTINGS clause`,
      );
    }
  }
  return { query: search.get('query'), queryId: search.get('query_id'), values };
}

/** @param asked its values are added to @returns the statement, as if it were the body */
function readForm(
  received: Buffer,
  boundary: string,
  asked: { readonly query: string | null; readonly values: Map<string, string> },
): Buffer {
  let statement: string | null = null;
  for (const [name, text] of readParts(received, boundary)) {
    if (name.startsWith('param_')) asked.values.set(name.slice('param_'.length), text);
    else if (name === 'query' && statement === null && asked.query === null) statement = text;
    else throw new EngineException(CODES.unknownSetting, `Part '${name}' of the form is not taken`);
  }
  return Buffer.from(statement ?? '');
}

function laneOf(request: IncomingMessage): LaneName {
  const asked = request.headers[LANE_HEADER];
  return LANES.find((lane) => lane === asked) ?? 'live';
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new EngineException(CODES.requestTooLarge, `The request body exceeds ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
