import { expect, it } from 'vitest';
import { MIGRATIONS, schemaMigrations } from './migrations.ts';

const single = { replicated: false, retentionDays: 400 } as const;
const replicated = { replicated: { cluster: 'ghostlight' }, retentionDays: 400 } as const;
const ddl = (options: typeof single | typeof replicated) =>
  `${[schemaMigrations(options), ...MIGRATIONS.flatMap(({ statements }) => statements(options))].join(';\n\n')};\n`;

it('draws the tables of one server as recorded', async () => {
  await expect(ddl(single)).toMatchFileSnapshot('./single.golden.sql');
});

it('draws the replicated tables as recorded', async () => {
  await expect(ddl(replicated)).toMatchFileSnapshot('./replicated.golden.sql');
});

it('leaves paths and replicas to a database that carries its DDL to them by itself', () => {
  const options = { replicated: 'database', retentionDays: 400 } as const;
  const statements = [
    schemaMigrations(options),
    ...MIGRATIONS.flatMap((step) => step.statements(options)),
  ].join(';');
  expect(statements).not.toMatch(/ON CLUSTER|\/clickhouse\/tables/);
  expect(statements.match(/ENGINE = ReplicatedMergeTree\n/g)).toHaveLength(10);
});

it('numbers its steps without a gap and can repeat every statement', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  for (const statement of MIGRATIONS.flatMap(({ statements }) => statements(single))) {
    // A migration that rewrites a column writes the same again.
    expect(statement).toMatch(
      /IF (?:NOT )?EXISTS|MATERIALIZE COLUMN|UPDATE asset|MODIFY COLUMN (?:class|source)/,
    );
  }
});

it('has one type for the class of a hit in every table, because reports unite raw hits with daily rows', () => {
  const types = new Map<string, string>();
  for (const statement of MIGRATIONS.flatMap(({ statements }) => statements(single))) {
    const table = /TABLE (?:IF NOT EXISTS )?(\w+)/.exec(statement)?.[1] ?? '';
    const type = /\bclass (Enum8\([^)]*\))/.exec(statement)?.[1];
    if (type !== undefined) types.set(table, type);
  }
  expect([...types.keys()].sort()).toEqual([
    ...['daily_bot_page_lists', 'daily_bot_pages', 'daily_page_days', 'daily_page_lists'],
    ...['daily_pages', 'daily_totals', 'hits'],
  ]);
  expect(new Set(types.values()).size).toBe(1);
});

it('has no materialised view: it would count a retried block twice', () => {
  expect(ddl(single) + ddl(replicated)).not.toMatch(/MATERIALIZED/i);
});

it.each([0, 1.5, -3, Number.NaN, 36_500])('refuses %d days of retention', (retentionDays) => {
  expect(() => MIGRATIONS.flatMap(({ statements }) => statements({ ...single, retentionDays }))).toThrow(
    RangeError,
  );
});

it('refuses a cluster name that could end its quotes', () => {
  expect(() => schemaMigrations({ replicated: { cluster: '`; DROP' }, retentionDays: 1 })).toThrow(TypeError);
});
