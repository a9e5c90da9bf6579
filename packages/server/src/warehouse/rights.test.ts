import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { DOCTOR_RIGHTS, missingRights, RIGHTS } from './rights.ts';

const DOCS = new URL('../../../../docs/clickhouse.md', import.meta.url);

it('are listed in the documentation, each once and no other', async () => {
  const listed = [...(await readFile(DOCS, 'utf8')).matchAll(/^GRANT (.+) TO ghostlight;( -- .*)?$/gm)];
  expect(listed.map(([, grant]) => grant)).toEqual([...RIGHTS.map(({ grant }) => grant), ...DOCTOR_RIGHTS]);
  for (const [, grant, note = ''] of listed)
    expect(note.includes('optional'), grant).toBe(
      RIGHTS.find((right) => right.grant === grant)?.needed === 'optional',
    );
});

it('that are missing are told apart, for the database that is used', async () => {
  const asked: string[] = [];
  const rows = async <Row>(_: string, { sql }: { sql: string }): Promise<Row[]> => {
    asked.push(sql);
    if (sql.includes('currentDatabase')) return [{ name: 'hits db' }] as Row[];
    return [{ result: sql.includes('system.processes') ? 0 : 1 }] as Row[];
  };
  expect((await missingRights({ rows }, 'single')).map(({ grant }) => grant)).toEqual([
    'SELECT ON system.processes',
  ]);
  expect(asked).toContain('CHECK GRANT INSERT ON `hits db`.*');
  expect(asked.join()).not.toContain('CLUSTER ON');
});
