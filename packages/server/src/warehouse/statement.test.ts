import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { render, settingsClause } from './statement.ts';

it('writes settings into the statement', () => {
  expect(render({ sql: 'SELECT 1 ', settings: { max_execution_time: 5, x: 'a:1' } })).toBe(
    "SELECT 1\nSETTINGS max_execution_time = 5, x = 'a:1'",
  );
  expect(render({ sql: 'SELECT 1' })).toBe('SELECT 1');
});

it.each([{ 'a = 1, b': 1 }, { a: "'; DROP TABLE hits" }, { a: '\\' }, { a: Number.NaN }])(
  'refuses a setting that could change the statement: %j',
  (settings) => {
    expect(() => settingsClause(settings as never)).toThrow(TypeError);
  },
);

it('passes no settings beside the statement in this room, but those of the HTTP interface to a server', async () => {
  const room = import.meta.dirname;
  const files = (await readdir(room, { recursive: true })).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && name !== 'progress.ts',
  );
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    expect(await readFile(join(room, file), 'utf8'), file).not.toMatch(/clickhouse_settings/);
  }
});
