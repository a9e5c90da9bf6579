/** What can be between the service and a server: balancers with pages of their own, names that lead nowhere, short addresses, silence. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { silentLog } from '../database/testing.ts';
import { problemResponseFor } from '../http/problem.ts';
import { openWarehouse, type Warehouse } from './index.ts';

let server: Server | undefined;
let warehouse: Warehouse | undefined;

async function connect(url: string): Promise<Warehouse> {
  warehouse = await openWarehouse({
    url,
    dataDir: '/nonexistent',
    retentionDays: 400,
    clock: Date.now,
    log: silentLog,
  });
  return warehouse;
}

async function open(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Warehouse> {
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/default`);
}

afterEach(async () => {
  await warehouse?.close();
  server?.closeAllConnections();
  server?.close();
});

const PAGE = `<html><head><title>502 Bad Gateway</title></head>${'<hr>'.repeat(1_000)}</html>`;
const exception = (code: number, text = 'x. (SOME_NAME)') => ({
  code,
  text: `Code: ${code}. DB::Exception: ${text}`,
});

async function problemOf(error: unknown) {
  const response = problemResponseFor(error, silentLog);
  const { detail } = (await response.json()) as { detail: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), detail };
}

const failure = async (asked: Promise<unknown>): Promise<unknown> =>
  await asked.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

it.each([502, 503, 504, 413, 200])(
  'a page of a balancer with status %d is a 503 with a sentence',
  async (status) => {
    const away = await open((_, response) =>
      response.writeHead(status, { 'Content-Type': 'text/html' }).end(PAGE),
    );
    const error = await failure(away.rows('report', { sql: 'SELECT 1' }));
    expect(await problemOf(error)).toMatchObject({ status: 503, retryAfter: '5', detail: /does not answer/ });
    expect(String((error as Error).cause).length).toBeLessThan(400);
  },
);

it('a name that leads nowhere is a 503', async () => {
  const away = await connect('http://no-such-host.invalid:8123/default');
  expect(await problemOf(await failure(away.rows('report', { sql: 'SELECT 1' })))).toMatchObject({
    status: 503,
  });
  expect(await problemOf(await failure(away.command({ sql: 'SELECT 1' })))).toMatchObject({ status: 503 });
});

it.each([
  [202, /busy/],
  [241, /busy/],
  [159, /too long/],
  [285, /does not answer/],
  [999, /does not answer/],
  [497, /refuses this service/],
  [516, /refuses this service/],
])('exception %d of a server is a 503 that says what it is', async (number, words) => {
  const { code, text } = exception(number);
  const busy = await open((_, response) =>
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(text),
  );
  const problem = await problemOf(await failure(busy.rows('report', { sql: 'SELECT 1' })));
  expect(problem.status).toBe(503);
  expect(problem.detail).toMatch(words);
});

it('an error in the question stays a fault of ours', async () => {
  const { code, text } = exception(62, 'Syntax error. (SYNTAX_ERROR)');
  const strict = await open((_, response) =>
    response.writeHead(400, { 'X-ClickHouse-Exception-Code': code }).end(text),
  );
  expect(await failure(strict.rows('report', { sql: 'SELEC 1' }))).toMatchObject({ code: '62' });
});

it('a long statement keeps its connection busy, and a failure after the headers began is one', async () => {
  const asked: string[] = [];
  const { text } = exception(241, 'Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)');
  const late = await open((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'X-ClickHouse-Progress': '{"read_rows":"1"}' }).end(`\n${text}`);
  });
  await expect(late.command({ sql: 'INSERT INTO a SELECT 1' }, 'report')).rejects.toThrow(/busy/);
  expect(asked[0]).toContain('send_progress_in_http_headers=1');
});

it('parameters of a question travel in its body, and no address grows with them', async () => {
  const addresses: string[] = [];
  const short = await open((request, response) => {
    addresses.push(request.url ?? '');
    response.writeHead(200, { 'X-ClickHouse-Query-Id': '1' }).end('');
  });
  const ids = Array.from({ length: 2_000 }, () => '0'.repeat(36));
  await short.rows('live', { sql: 'SELECT {ids:Array(String)}', params: { ids } });
  expect(addresses[0]?.length).toBeLessThan(1_000);
  await expect(short.command({ sql: 'SELECT {ids:Array(String)}', params: { ids } })).rejects.toThrow(
    RangeError,
  );
});

it('a damaged part is named, to the reader and to readiness, and other questions are answered', async () => {
  const text =
    "Code: 40. DB::Exception: Checksum doesn't match: corrupted data. (while reading column path): (while reading from part " +
    '/var/lib/clickhouse/store/3f2/3f2a1b7c-0000-4000-8000-000000000001/202603_1_7_2/ located on disk default): ' +
    'While executing MergeTreeSelect(pool: ReadPool). (CHECKSUM_DOESNT_MATCH)';
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.setHeader('X-ClickHouse-Query-Id', '1');
    if (body.includes('FROM system.parts')) response.end('{"table":"hits"}\n');
    else if (body.includes('FROM hits'))
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': 40 }).end(text);
    else response.end('{"n":1}\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const damaged = await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/default`);
  await damaged.ping();
  const sentence = 'The warehouse can’t read the part 202603_1_7_2 of the table hits: its files are damaged.';
  const error = await failure(damaged.rows('report', { sql: 'SELECT path FROM hits' }));
  expect(await problemOf(error)).toEqual({ status: 503, retryAfter: '300', detail: sentence });
  await expect(damaged.ping()).rejects.toThrow(sentence);
  expect(await damaged.rows('report', { sql: 'SELECT 1 AS n' })).toEqual([{ n: 1 }]);
});
