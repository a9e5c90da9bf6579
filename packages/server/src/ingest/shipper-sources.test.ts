/** Shippers as they decide for themselves what to send again: by the status of the answer, and OpenTelemetry's also by its body. */
import { readFileSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FLUENT_BIT_CONFIG } from '../sources/fluentbit/index.ts';
import { JsonRecords, ProtobufRecords } from '../sources/otlp/records.ts';
import { jsonOf, protobufOf } from '../sources/otlp/sample.ts';
import type { SampleVisit } from '../sources/testing/sample.ts';
import { VECTOR_CONFIG } from '../sources/vector/index.ts';
import { type Answer, CHROME, GPTBOT, type Harness, NOW, PROPERTY, startIngest } from './testing/harness.ts';

let ingest: Harness;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(() => ingest.close());

const COMBINED = (path: string, agent = GPTBOT) =>
  `198.51.100.7 - - [01/Mar/2026:11:59:00 +0000] "GET ${path} HTTP/1.1" 200 512 "-" "${agent}"`;

/** Of Vector's `http` sink: 429 and 5xx but 501 come again, every other status that is no 2xx loses the batch. */
const vectorDoes = ({ status }: Answer) =>
  status >= 200 && status < 300
    ? 'next'
    : status === 429 || (status >= 500 && status !== 501)
      ? 'again'
      : 'drop';
/** Of Fluent Bit's: 200–205; 4xx but 408 and 429 loses the batch. */
const fluentBitDoes = ({ status }: Answer) =>
  status >= 200 && status <= 205
    ? 'next'
    : status >= 400 && status < 500 && status !== 408 && status !== 429
      ? 'drop'
      : 'again';

describe.each([
  ['vector', 'message', vectorDoes, zstdCompressSync, 'zstd'],
  ['fluentbit', 'log', fluentBitDoes, gzipSync, 'gzip'],
] as const)('%s', (name, member, does, compress, encoding) => {
  const query = `?attribution_id=${PROPERTY}&host=shop.example`;
  const send = (records: readonly object[], more = '') =>
    ingest.post(name, compress(records.map((record) => JSON.stringify(record)).join('\n')), {
      query: query + more,
      headers: { 'Content-Type': 'application/x-ndjson', 'Content-Encoding': encoding },
    });

  it('sends whole lines, of which a torn one costs no other', async () => {
    const records = [COMBINED('/a?b=c'), COMBINED('/p', CHROME), COMBINED('/torn').slice(0, 70)].map(
      (line) => ({
        [member]: line,
        host: 'server-7',
        timestamp: '2020-01-01T00:00:00Z',
      }),
    );
    expect(does(await send(records))).toBe('next');
    expect(ingest.spool.hits).toMatchObject([
      { host: 'shop.example', path: '/a', query_params: { b: 'c' }, at: NOW - 60_000, source: name },
    ]);
    expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 1 });
    expect(ingest.spool.sum('rejected')).toEqual({ unreadable: 1 });
  });

  it('sends the fields that its parser found', async () => {
    const parsed = {
      ...{ host: 'shop.example', method: 'GET', path: '/a', status: 200, agent: GPTBOT },
      ...(member === 'log' ? { date: (NOW - 1_000) / 1_000, remote: '10.0.0.9', code: '404' } : {}),
      ...(member === 'message' ? { timestamp: new Date(NOW - 1_000).toISOString(), client: '10.0.0.9' } : {}),
    };
    expect(does(await send([parsed]))).toBe('next');
    expect(ingest.spool.hits).toMatchObject([
      { path: '/a', at: NOW - 1_000, verdict_reason: 'proxy_address' },
    ]);
  });

  it('sends again what could not be stored, and what it sends twice counts once', async () => {
    ingest.spool.isAccepting = false;
    expect(does(await send([{ [member]: COMBINED('/a') }]))).toBe('again');
    ingest.spool.isAccepting = true;
    for (let turn = 0; turn < 2; turn++)
      expect(does(await send([{ [member]: COMBINED('/a') }]))).toBe('next');
    expect(ingest.spool.kept).toBe(1);
  });

  it('sends lines of another server, and has a format that is none refused', async () => {
    const line = {
      ts: (NOW - 1_000) / 1_000,
      request: {
        client_ip: '198.51.100.7',
        method: 'GET',
        host: 'a.example',
        uri: '/c',
        headers: { 'User-Agent': [GPTBOT] },
      },
      status: 200,
      size: 1,
      msg: 'handled request',
      logger: 'http.log.access',
    };
    await send([{ [member]: JSON.stringify(line) }], '&format=caddy');
    expect(ingest.spool.hits).toMatchObject([{ host: 'a.example', path: '/c' }]);
    expect((await send([{}], '&format=nothing')).status).toBe(422);
    expect((await send([{}], '&trusted_proxies=nothing')).status).toBe(422);
  });

  it('is asked for its health', async () => {
    expect(does(await ingest.post(name, '', { method: 'HEAD', query }))).toBe('next');
    expect(does(await ingest.post(name, '', { method: 'GET', query, key: 'wrong' }))).toBe('drop');
  });
});

it('the setup checker learns which field a log lacks, if most of its visits lack it', async () => {
  const visit = (path: string, more: object) => ({
    time: NOW,
    host: 'a.example',
    path,
    user_agent: GPTBOT,
    ...more,
  });
  const send = (...records: object[]) =>
    ingest.post('custom', JSON.stringify(records), { query: `?attribution_id=${PROPERTY}` });
  const noted = () => ingest.signals.splice(0).map(({ kind, detail }) => `${kind} ${detail}`);
  await send(
    visit('/1', { ip: '10.0.0.1' }),
    visit('/2', { ip: '172.16.0.1' }),
    visit('/3', { ip: '198.51.100.7' }),
  );
  expect(noted()).toEqual(['proxy_address 2']);
  await send(visit('/4', {}), visit('/5', { ip: '198.51.100.7' }));
  expect(noted()).toEqual([]);
  await send(visit('/6', {}));
  expect(noted()).toEqual(['no_address 1']);
});

it.each([
  ['vector/vector.yaml', VECTOR_CONFIG],
  ['fluent-bit/fluent-bit.yaml', FLUENT_BIT_CONFIG],
])('the example %s is the configuration that the setup page gives', (file, template) => {
  const example = readFileSync(new URL(`../../../../examples/${file}`, import.meta.url), 'utf8');
  const values: Readonly<Record<string, string>> = {
    base_url: 'https://ghostlight.example',
    'base_url|host': 'ghostlight.example',
    'base_url|port': '443',
    attribution_id: '11111111-1111-4111-8111-111111111111',
    'domain|url': 'shop.example',
    key: 'svc_cf_YOUR_KEY',
  };
  expect(example).toBe(template.replace(/\{\{([\w|]+)\}\}/g, (_, name: string) => values[name] ?? name));
});

describe('OpenTelemetry', () => {
  const query = `?attribution_id=${PROPERTY}`;
  const visit = (path: string, more: Partial<SampleVisit> = {}): SampleVisit => ({
    ...{ at: NOW - 60_000, host: 'shop.example', method: 'GET', path, query: new Map([['b', 'c d']]) },
    ...{ ip: '198.51.100.7', userAgent: GPTBOT, referrer: '', status: 200, bytes: 7, requestId: `r${path}` },
    ...more,
  });
  const asJson = { query, headers: { 'Content-Type': 'application/json' } };
  const asProtobuf = { query, headers: { 'Content-Type': 'application/x-protobuf' } };
  const FAULTY = visit('/future', { at: NOW + 5 * 86_400_000 });

  it('is answered in the encoding of its request, with what was rejected', async () => {
    const whole = await ingest.post('otlp', protobufOf([visit('/a')]), asProtobuf);
    expect([whole.status, whole.headers.get('content-type'), whole.text]).toEqual([
      200,
      'application/x-protobuf',
      '',
    ]);
    const json = await ingest.post('otlp', jsonOf([visit('/b'), FAULTY]), asJson);
    expect(json.headers.get('content-type')).toBe('application/json');
    expect(json.json).toEqual({
      partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.stringContaining('timeUnixNano') },
    });
    const partial = await ingest.post('otlp', protobufOf([visit('/c'), FAULTY, FAULTY]), asProtobuf);
    const reader = new BinaryReader(Buffer.from(partial.text, 'utf8'));
    expect(reader.tag()[0]).toBe(1);
    const inner = new BinaryReader(reader.bytes());
    expect([inner.tag()[0], String(inner.int64()), inner.tag()[0], inner.string()]).toEqual([
      ...[1, '2', 2],
      expect.stringContaining('timeUnixNano'),
    ]);
    expect(ingest.spool.hits.map(({ path, query_params: q }) => [path, q])).toEqual(
      ['/a', '/b', '/c'].map((path) => [path, { b: 'c d' }]),
    );
  });

  it('sends again on 503 and never on 400, and finds a status of gRPC in each refusal', async () => {
    ingest.spool.isAccepting = false;
    const away = await ingest.post('otlp', jsonOf([visit('/a')]), asJson);
    expect([away.status, away.json.code, away.headers.get('retry-after')]).toEqual([503, 14, '5']);
    ingest.spool.isAccepting = true;
    const wrong = await ingest.post('otlp', '{"resourceLogs":[', asJson);
    expect([wrong.status, wrong.json.code]).toEqual([400, 3]);
    const refused = await ingest.post('otlp', protobufOf([visit('/a')]), { ...asProtobuf, key: 'x' });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/x-protobuf']);
    const { headers } = asProtobuf;
    const again = await fetch(`${ingest.url}/v1/otlp/v1/logs`, { method: 'POST', headers, body: 'x' });
    const reader = new BinaryReader(new Uint8Array(await again.arrayBuffer()));
    expect([reader.tag()[0], reader.int32(), reader.tag()[0], reader.string()]).toEqual([
      1,
      16,
      2,
      expect.any(String),
    ]);
    expect((await ingest.post('otlp', jsonOf([visit('/a')]), asProtobuf)).status).toBe(400);
    expect(ingest.spool.entries).toEqual([]);
  });

  it('sends an access log’s line as a body, headers as lists, and much that is no visit', async () => {
    const record = (body: string, attributes: object = {}) => ({
      timeUnixNano: `${NOW}000000`,
      body: { stringValue: body },
      attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
    });
    const logRecords = [
      record(COMBINED('/line')),
      record('something happened'),
      record('', {
        'url.full': { stringValue: 'https://shop.example/full?b=c' },
        'http.request.header.user-agent': { arrayValue: { values: [{ stringValue: GPTBOT }] } },
        'http.response.status_code': { intValue: 404 },
      }),
      {
        body: { kvlistValue: {} },
        attributes: [null, { key: 7 }, { key: '__proto__', value: { stringValue: 'x' } }],
      },
    ];
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }, {}] }, {}] });
    const answer = await ingest.post('otlp', body, { ...asJson, query: `${query}&host=shop.example` });
    expect(answer.json).toMatchObject({ partialSuccess: { rejectedLogRecords: '1' } });
    expect(ingest.spool.hits.map(({ path, status }) => [path, status])).toEqual([
      ['/line', 200],
      ['/full', 404],
    ]);
    expect(ingest.spool.sum('dropped')).toEqual({ not_a_visit: 1 });
  });

  it.each([
    ['JSON', () => new JsonRecords(), (several: SampleVisit[]) => Buffer.from(jsonOf(several))],
    ['protobuf', () => new ProtobufRecords(), protobufOf],
  ] as const)('is read the same however its bytes are cut, as %s', (_, make, print) => {
    const bytes = print([visit('/a'), visit('/é', { userAgent: 'x'.repeat(300) }), visit('/c')]);
    const read = (cuts: readonly number[]) => {
      const records = make();
      let from = 0;
      let lines = '';
      for (const end of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
        lines += records.push(bytes.subarray(from, end)).toString();
        from = end;
      }
      records.end();
      expect(records.takeRejected()).toEqual([]);
      return lines;
    };
    const whole = read([]);
    expect(whole.trim().split('\n')).toHaveLength(3);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 10 }), (cuts) => {
        expect(read(cuts)).toBe(whole);
      }),
    );
  });

  it('holds no more than a record, and passes over one that is too long', async () => {
    const long = visit('/long', { userAgent: `GPTBot ${'x'.repeat(2 * 1024 * 1024)}` });
    for (const [body, how] of [
      [jsonOf([long, visit('/a')]), asJson],
      [protobufOf([long, visit('/b')]), asProtobuf],
    ] as const)
      expect((await ingest.post('otlp', body, how)).status).toBe(200);
    expect(ingest.spool.sum('rejected')).toEqual({ line_too_long: 2 });
    expect(ingest.spool.kept).toBe(2);
    // A length that goes beyond its message.
    const lying = new BinaryWriter()
      .tag(1, 2)
      .bytes(new Uint8Array([0x12, 0x7f, 0x00]))
      .finish();
    expect((await ingest.post('otlp', Buffer.from(lying), asProtobuf)).status).toBe(400);
  });
});
