import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../testing/warehouse.ts';
import { type EmbeddedEngine, type Endpoint, startEmbedded } from './supervisor.ts';

let directory: string;
let engine: EmbeddedEngine;
let endpoint: Endpoint;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ghostlight-http-'));
  engine = await startEmbedded({ directory, log: silent, memoryBytes: 700 * 1024 * 1024 });
  endpoint = engine.endpoint() ?? { url: '', password: null };
});
afterAll(async () => {
  await engine.stop();
  await rm(directory, { recursive: true, force: true });
});

const authorization = (password: string | null) =>
  `Basic ${Buffer.from(`default:${password}`).toString('base64')}`;

async function ask(path: string, body: string | null = null, headers: Record<string, string> = {}) {
  const response = await fetch(`${endpoint.url}${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: authorization(endpoint.password), ...headers },
    ...(body === null ? {} : { body }),
  });
  return {
    status: response.status,
    code: response.headers.get('x-clickhouse-exception-code'),
    text: await response.text(),
    headers: response.headers,
  };
}

it('listens on loopback alone', () => {
  expect(endpoint.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

it('answers a ping without a password and nothing else', async () => {
  expect(await ask('/ping', null, { authorization: '' })).toMatchObject({ status: 200, text: 'Ok.\n' });
  for (const wrong of ['', 'Basic x', authorization(''), authorization(`${endpoint.password}x`)]) {
    expect(await ask('/', 'SELECT 1', { authorization: wrong })).toMatchObject({ status: 403, code: '516' });
  }
  expect(
    await ask('/', 'SELECT 1', { authorization: '', 'x-clickhouse-key': endpoint.password ?? '' }),
  ).toMatchObject({
    status: 200,
    text: '1\n',
  });
});

it('takes a statement from the URL or the body, and echoes the query id', async () => {
  const answer = await ask('/?query_id=abc', 'SELECT 1 AS a FORMAT JSONEachRow');
  expect(answer).toMatchObject({ status: 200, text: '{"a":1}\n' });
  expect(answer.headers.get('x-clickhouse-query-id')).toBe('abc');
  expect(answer.headers.get('x-clickhouse-format')).toBe('JSONEachRow');
  expect((await ask(`/?query=${encodeURIComponent('SELECT 2')}`)).text).toBe('2\n');
});

it('refuses settings beside the statement', async () => {
  const answer = await ask('/?max_threads=1', 'SELECT 1');
  expect(answer).toMatchObject({ status: 400, code: '115' });
  expect(answer.text).toMatch(/^Code: 115\. DB::Exception: .*SETTINGS clause/);
});

it('refuses rows in the statement, where a blank line would end them', async () => {
  await ask('/', 'CREATE TABLE inline (a UInt8) ENGINE = Memory');
  const answer = await ask('/', 'INSERT INTO inline FORMAT JSONEachRow {"a":1}\n\nDROP TABLE inline');
  expect(answer).toMatchObject({ status: 400, code: '48' });
  expect((await ask('/', 'SELECT count() FROM inline')).text).toBe('0\n');
});

it('stores rows of a body, and says how many', async () => {
  await ask('/', 'CREATE TABLE rows (a UInt8, b String) ENGINE = Memory');
  const insert = `/?query=${encodeURIComponent('INSERT INTO rows (a, b) FORMAT JSONEachRow')}`;
  const answer = await ask(insert, '{"a":1,"b":"💥"}\n{"a":2,"b":"x"}\n');
  expect(JSON.parse(answer.headers.get('x-clickhouse-summary') ?? '{}')).toMatchObject({ written_rows: '2' });
  expect((await ask('/', 'SELECT b FROM rows ORDER BY a')).text).toBe('💥\nx\n');
  expect(await ask(insert, '{"a":300}\n{"a":"x"}\n')).toMatchObject({ status: 400 });
});

it('refuses a body over its bound', async () => {
  expect(await ask('/', `SELECT '${'x'.repeat(17 * 1024 * 1024)}'`)).toMatchObject({ status: 413 });
});

describe('what a statement had written before it ended early', () => {
  // One connection, so that the next statement is the one that would get it.
  const lane = { 'x-ghostlight-lane': 'write' };
  const rows = (last: string) => `SELECT number, ${last} FROM numbers(1000000) FORMAT JSONEachRow`;

  it('reaches no reader when it failed at its last row', async () => {
    const late = rows('throwIf(number = 999999)');
    expect(await ask('/', late, lane)).toMatchObject({ status: 500, code: '395' });
    expect((await ask('/', 'SELECT 1', lane)).text).toBe('1\n');
  });

  it('reaches no reader when its result was too large', async () => {
    const large = `${rows('number')} SETTINGS max_result_bytes = 4000000`;
    expect(await ask('/', large, lane)).toMatchObject({ code: '396' });
    expect((await ask('/', 'SELECT 1', lane)).text).toBe('1\n');
  });

  it('reaches no other reader when its reader left', async () => {
    const gone = new AbortController();
    const slow = 'SELECT number, sleepEachRow(0.00001) FROM numbers(10000000) FORMAT JSONEachRow';
    const asked = fetch(`${endpoint.url}/`, {
      method: 'POST',
      headers: { authorization: authorization(endpoint.password), ...lane },
      body: `${slow} SETTINGS function_sleep_max_microseconds_per_block = 100000000`,
      signal: gone.signal,
    });
    await sleep(2_000);
    gone.abort();
    await expect(asked).rejects.toThrow(/abort/);
    expect((await ask('/', 'SELECT 1', lane)).text).toBe('1\n');
  });
});

it('holds the engine to its memory', async () => {
  const answer = await ask('/', 'SELECT length(groupArray(toString(number))) FROM numbers(50000000)');
  expect(answer).toMatchObject({ code: '241' });
});
