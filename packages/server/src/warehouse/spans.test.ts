import { expect, it } from 'vitest';
import { inRequest, traceWith } from '../common/index.ts';
import { recordingTracer } from '../common/testing-tracer.ts';
import { withSpans, workOf } from './spans.ts';
import type { Warehouse } from './warehouse.ts';

it.each([
  ['SELECT count() FROM hits WHERE bot = {bot:String}', 'SELECT hits'],
  ["WITH facts AS (\n  SELECT '/private' FROM\n    hits_daily) SELECT * FROM facts", 'SELECT hits_daily'],
  ['SELECT path FROM (SELECT path FROM hits) FINAL', 'SELECT hits'],
  ['SELECT 1', 'SELECT'],
  ['  INSERT INTO events SETTINGS async_insert = 0', 'INSERT events'],
  ['ALTER TABLE hits ADD COLUMN x String', 'ALTER hits'],
  ['SYSTEM SYNC REPLICA hits LIGHTWEIGHT', 'SYSTEM'],
  ['', ''],
])('names a statement by what it does to which table: %s', (sql, name) => {
  const work = workOf(sql, 'report');
  expect(work.name).toBe(name);
  expect(JSON.stringify(work)).not.toContain('private');
});

it('traces statements of a traced request, with their rows, and none otherwise', async () => {
  const asked: string[] = [];
  const warehouse = withSpans({
    rows: async (_lane, { sql }) => {
      asked.push(sql);
      if (sql.includes('away')) throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
      return [{}, {}];
    },
    command: async ({ sql }) => void asked.push(sql),
    insertRows: async (table) => void asked.push(table),
  } as Partial<Warehouse> as Warehouse);
  const tracer = recordingTracer();
  await warehouse.rows('live', { sql: 'SELECT 1 FROM hits' });
  await inRequest({ requestId: 'a' }, () => warehouse.command({ sql: 'OPTIMIZE TABLE hits' }));
  expect(tracer.roots).toEqual([]);
  await traceWith(tracer)({ name: 'job', kind: 'internal' }, async () => {
    await warehouse.rows('report', { sql: 'SELECT 2 FROM hits', params: { email: 'jane@mail.example' } });
    await warehouse.insertRows('hits', {}, new Uint8Array(7));
    await warehouse.rows('live', { sql: 'SELECT 1 FROM away' }).catch(() => undefined);
  });
  expect(asked).toHaveLength(5);
  expect(tracer.roots[0]?.parts).toMatchObject([
    {
      name: 'SELECT hits',
      attributes: { 'db.response.returned_rows': 2, 'ghostlight.lane': 'report' },
    },
    { name: 'INSERT hits', attributes: { 'ghostlight.bytes': 7 } },
    { name: 'SELECT away', failed: 'ECONNREFUSED', ended: true },
  ]);
  expect(JSON.stringify(tracer.roots)).not.toContain('jane');
});
