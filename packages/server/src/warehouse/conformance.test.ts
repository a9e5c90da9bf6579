/**
 * What both backends must do, over the wire. By default against the embedded backend; GHOSTLIGHT_TEST_CLICKHOUSE_URL names a server to
 * run it against instead (its tables stay; every scope is random), and GHOSTLIGHT_TEST_CLICKHOUSE_CLUSTER the cluster that it belongs to
 * (`npm run cluster:conformance`).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BatchSink } from '../spool/types.ts';
import { exportHits, hitSink } from './index.ts';
import { migrate } from './schema/migrate.ts';
import { MIGRATIONS } from './schema/migrations.ts';
import {
  makeBatch,
  makeHit,
  NOON,
  NOTHING_SAID,
  newScope,
  openTestWarehouse,
  silent,
  type TestScope,
  type TestWarehouse,
} from './testing/warehouse.ts';

const url = process.env['GHOSTLIGHT_TEST_CLICKHOUSE_URL'] ?? null;
const cluster = process.env['GHOSTLIGHT_TEST_CLICKHOUSE_CLUSTER'] ?? null;
let test: TestWarehouse;
/** Also the proof that the spool's port fits. */
let sink: BatchSink;
beforeAll(async () => {
  test = await openTestWarehouse({ url, cluster });
  sink = hitSink(test.warehouse);
});
afterAll(() => test.close());

const HEAVY = 'SELECT count() AS n FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))';

async function stored(scope: TestScope) {
  const hits = [];
  for await (const page of exportHits(test.warehouse, scope, { from: 0, to: Date.UTC(2100, 0) }))
    hits.push(...page);
  return hits;
}

const one = async <Row>(sql: string, params: Record<string, unknown> = {}): Promise<Row | undefined> =>
  (await test.warehouse.rows<Row>('live', { sql, params }))[0];

describe('insert', () => {
  it('stores every column as it was given, and gives it back', async () => {
    const scope = newScope();
    const hits = [
      makeHit(scope, {
        at: NOON + 123,
        received_at: NOON + 456,
        verified: false,
        verified_by: '',
        query_params: { utm_source: 'chatgpt.com', "k'": '💥\n' },
        path: '/a\'b\\c\0d\n💥"{x:String}',
        bytes: 2 ** 52,
        asn: 4_294_967_295,
      }),
      makeHit(scope, {
        at: NOON + 124,
        class: 'sample',
        intent: '',
        sample_ip: '203.0.113.0',
        sample_rate: 0.02,
        weight: 50,
        verified: true,
        verified_by: 'server_cidr',
        source: 'edge_logpush',
        ray_id: '8f0c1d2e3f4a5b6c',
      }),
      makeHit(scope, { at: NOON + 125, ...NOTHING_SAID }),
    ];
    await sink.insert(makeBatch(hits));
    expect(await stored(scope)).toEqual(hits);
  });

  it('takes any well-formed text', async () => {
    const scope = newScope();
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 60 }), 300);
    const hits = texts.map((path, index) => makeHit(scope, { path, at: NOON + index }));
    await sink.insert(makeBatch(hits));
    expect((await stored(scope)).map(({ path }) => path)).toEqual(texts);
  });

  it('keeps four-byte characters whole wherever a chunk may end', async () => {
    const scope = newScope();
    const hits = [];
    const bare = makeBatch([makeHit(scope)]).body.length;
    for (const border of [16_384, 65_536]) {
      for (let offset = -5; offset <= 5; offset += 1) {
        hits.push(
          makeHit(scope, { at: NOON + hits.length, path: `${'x'.repeat(border - bare + offset)}💥💥` }),
        );
      }
    }
    for (const hit of hits) await sink.insert(makeBatch([hit]));
    await sink.insert(makeBatch(hits.map((hit) => ({ ...hit, id: randomUUID(), at: hit.at + 1000 }))));
    const paths = (await stored(scope)).map(({ path }) => path);
    expect(paths).toEqual([...hits, ...hits].map(({ path }) => path));
  });

  it('keeps settings to their statement: rows without a token are stored after a tokened insert', async () => {
    const scope = newScope();
    await sink.insert(makeBatch([makeHit(scope)]));
    for (let index = 1; index <= 7; index += 1) {
      const { body, id } = makeBatch([makeHit(scope, { at: NOON + index })]);
      const line = `{"batch":"${id}",${body.toString().slice(1)}`;
      await test.warehouse.insertRows('hits', { async_insert: 0 }, Buffer.from(line));
    }
    expect(await stored(scope)).toHaveLength(8);
  });

  it('counts a batch by its id, and stores a repeated attempt once', async () => {
    const scope = newScope();
    const batch = makeBatch(Array.from({ length: 500 }, (_, index) => makeHit(scope, { at: NOON + index })));
    expect(await sink.count(batch)).toBe(0);
    await sink.insert(batch);
    await sink.insert(batch);
    expect(await sink.count(batch)).toBe(500);
    expect(await sink.count({ ...batch, month: '202001' })).toBe(0);
    await sink.insert({ ...batch, attempt: 2 });
    // A fresh token is a fresh insert: this is why the shipper counts first.
    expect(await sink.count(batch)).toBe(1000);
  });

  it('knows files by their paths, also where the row is of a version that did not say so', async () => {
    const scope = newScope();
    const paths = ['/a', '/a.css', '/feed/', '/.well-known/x', '/css'];
    const batch = makeBatch(paths.map((path, index) => makeHit(scope, { path, at: NOON + index })));
    const text = batch.body.toString();
    const bare = text.replaceAll(/"asset":(?:true|false),/g, '');
    expect(bare.length).toBeLessThan(text.length - paths.length * 10);
    for (const body of [text, bare]) {
      await sink.insert({ ...batch, id: randomUUID(), body: Buffer.from(body) });
    }
    const row = await one<{ files: string[] }>(
      'SELECT groupArray(path) AS files FROM (SELECT path FROM hits WHERE attribution_id = {property:UUID} AND asset ORDER BY at)',
      { property: scope.attributionIds[0] },
    );
    expect(row?.files).toEqual(['/a.css', '/a.css', '/feed/', '/feed/', '/.well-known/x', '/.well-known/x']);
  });

  it('makes one part of a batch of 8 MiB', async () => {
    const scope = newScope();
    const path = `/${'x'.repeat(250)}`;
    const batch = makeBatch(
      Array.from({ length: 10_500 }, (_, index) => makeHit(scope, { path, at: NOON + index })),
    );
    expect(batch.body.length).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(batch.body.length).toBeGreaterThan(7 * 1024 * 1024);
    await sink.insert(batch);
    const parts = await one<{ n: string }>(
      'SELECT toString(uniqExact(_part)) AS n FROM hits WHERE attribution_id = {property:UUID}',
      { property: scope.attributionIds[0] },
    );
    expect(parts?.n).toBe('1');
  });
});

describe('a row that can never be stored', () => {
  it.each([
    ['a lone surrogate', { path: '\ud800' }],
    ['a negative status', { status: -1 }],
    ['a status out of range', { status: 1.5 }],
    ['an unknown class', { class: 'event' as never }],
    ['no id', { id: 'x' }],
    ['an address of an AI hit', { sample_ip: '203.0.113.0' }],
  ])('is told apart and takes nothing of its batch in: %s', async (_, values) => {
    const scope = newScope();
    const batch = makeBatch([makeHit(scope), makeHit(scope, values), makeHit(scope)]);
    await expect(sink.insert(batch)).rejects.toMatchObject({ name: 'UnstorableError' });
    expect(await sink.count(batch)).toBe(0);
  });

  it('is not repaired, and an empty line never ends the data', async () => {
    const scope = newScope();
    const line = makeBatch([makeHit(scope)]).body.toString();
    for (const body of [
      `x${line.slice(1)}`,
      `\n${line}`,
      `${line}\n${line}`,
      `${line}\n\nDROP TABLE hits\n`,
    ]) {
      const rows = body.split('\n').length - 1;
      await expect(
        sink.insert(makeBatch([makeHit(scope)], { body: Buffer.from(body), rows })),
      ).rejects.toMatchObject({
        name: 'UnstorableError',
      });
    }
    expect(await stored(scope)).toEqual([]);
  });

  it('is a batch that holds more lines than it says, or fewer: none of them is stored', async () => {
    const scope = newScope();
    const { body } = makeBatch([makeHit(scope), makeHit(scope)]);
    for (const rows of [1, 3]) {
      await expect(sink.insert(makeBatch([makeHit(scope)], { body, rows }))).rejects.toMatchObject({
        name: 'UnstorableError',
      });
    }
    expect(await stored(scope)).toEqual([]);
  });

  it('does not put values of the row into its reason', async () => {
    const scope = newScope();
    const refused = sink.insert(makeBatch([makeHit(scope, { sample_ip: '203.0.113.0' })]));
    await expect(refused).rejects.toThrow(/^VIOLATED_CONSTRAINT$/);
  });
});

describe('queries', () => {
  it('bind parameters of every kind without a way into the statement', async () => {
    const values = [
      'q\'"`',
      '\\',
      'a\0b',
      '💥',
      '\n\r\t\b\f',
      "'; DROP TABLE hits; --",
      '\\N',
      '{x:String}',
      '',
    ];
    for (const value of values) {
      expect(await one('SELECT {v:String} AS v', { v: value })).toEqual({ v: value });
    }
    expect(await one('SELECT {v:Array(String)} AS v', { v: values })).toEqual({ v: values });
    expect(await one('SELECT {v:Nullable(String)} AS v', { v: null })).toEqual({ v: null });
    expect(await one('SELECT toString({v:UInt64}) AS v', { v: '18446744073709551615' })).toEqual({
      v: '18446744073709551615',
    });
    expect(await one("SELECT '{v:String}' AS v", { v: 'x' })).toEqual({ v: '{v:String}' });
  });

  it.each([
    ['SELEC 1', '62'],
    ['SELECT * FROM no_such_table', '60'],
    ['SELECT 1; SELECT 2', '62'],
    ["SELECT throwIf(number = 3, 'three') FROM numbers(10)", '395'],
    ['SELECT {missing:String}', '456'],
  ])('fail with the code of ClickHouse: %s', async (sql, code) => {
    await expect(one(sql)).rejects.toMatchObject({ code });
  });

  it('stop at their own limits, and the limits end with them', async () => {
    const { warehouse } = test;
    await expect(
      warehouse.rows('live', { sql: HEAVY, settings: { max_execution_time: 1 } }),
    ).rejects.toMatchObject({ code: '159' });
    await expect(
      warehouse.rows('live', {
        sql: 'SELECT length(groupArray(toString(number))) FROM numbers(5000000)',
        settings: { max_memory_usage: 20_000_000 },
      }),
    ).rejects.toMatchObject({ code: '241', message: expect.stringContaining('more memory for this') });
    expect(
      await one<{ n: number }>('SELECT length(groupArray(number)) AS n FROM numbers(5000000)'),
    ).toBeDefined();
  });

  it('are ended in the engine when the caller leaves', async () => {
    const leave = new AbortController();
    const tag = randomUUID();
    const heavy = test.warehouse.rows(
      'report',
      { sql: `${HEAVY} AND '${tag}' != ''`, settings: { max_execution_time: 60 } },
      leave.signal,
    );
    const running = () =>
      test.warehouse.rows('live', {
        sql: `SELECT 1 FROM system.processes WHERE position(query, {tag:String}) > 0 AND position(query, 'sipHash64') > 0 AND NOT position(query, 'system.' || 'processes')`,
        params: { tag },
      });
    await expect.poll(running).toHaveLength(1);
    leave.abort();
    await expect(heavy).rejects.toThrow();
    await vi.waitFor(async () => expect(await running()).toHaveLength(0), { timeout: 10_000, interval: 100 });
  });

  it('of one lane do not hold the others: heavy reports run, a live query and an insert pass', async () => {
    const leave = new AbortController();
    let finished = 0;
    const reports = [1, 2, 3, 4].map(() =>
      test.warehouse
        .rows('report', { sql: HEAVY, settings: { max_execution_time: 60, max_threads: 1 } }, leave.signal)
        .catch(() => undefined)
        .finally(() => {
          finished += 1;
        }),
    );
    await sleep(200);
    await test.warehouse.ping();
    const batch = makeBatch([makeHit(newScope())]);
    await sink.insert(batch);
    expect(await sink.count(batch)).toBe(1);
    expect(finished).toBe(0);
    leave.abort();
    await Promise.all(reports);
  });

  it('give large results whole', async () => {
    const rows = await test.warehouse.rows<{ n: number }>('report', {
      sql: 'SELECT number AS n FROM numbers(300000)',
      settings: { output_format_json_quote_64bit_integers: 0 },
    });
    expect(rows).toHaveLength(300_000);
    expect(rows.at(-1)).toEqual({ n: 299_999 });
  });
});

describe('schema', () => {
  it('can be migrated again, also by several nodes after one another', async () => {
    await test.warehouse.migrate();
    await test.warehouse.migrate();
    const rows = await test.warehouse.rows<{ version: number }>('live', {
      sql: 'SELECT version FROM schema_migrations ORDER BY version',
    });
    expect(rows).toEqual(MIGRATIONS.map(({ version }) => ({ version })));
  });

  it.runIf(url === null)('follows a changed retention and forgets what is older', async () => {
    const scope = newScope();
    await migrate(test.warehouse, false, 18_250, silent);
    const old = makeBatch([
      makeHit(scope, { at: Date.now() - 3 * 86_400_000 }),
      makeHit(scope, { at: Date.now() }),
    ]);
    await sink.insert(old);
    expect(await stored(scope)).toHaveLength(2);
    await migrate(test.warehouse, false, 2, silent);
    await test.warehouse.command({ sql: 'OPTIMIZE TABLE hits FINAL' });
    expect(await stored(scope)).toHaveLength(1);
    await migrate(test.warehouse, false, 400, silent);
  });
});
