import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { entryOf, TABLE_NAMES, type TableName } from './table-register.ts';
import { openTestDatabases } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

/** Kysely's own, of migrations. */
const FOREIGN = /^(?:kysely_|sqlite_)/;

describe.each(databases.backends)('the register of tables on $name', (backend) => {
  test('has every table that there is, with the columns that say whose its rows are', async () => {
    const home = await backend.fresh();
    try {
      const db = await home.node();
      const tables = (await db.kysely.introspection.getTables()).filter(({ name }) => !FOREIGN.test(name));
      expect(new Set(tables.map(({ name }) => name))).toEqual(new Set(TABLE_NAMES));
      for (const { name, columns } of tables) {
        const has = new Set(columns.map((column) => column.name));
        const { property, organization, person } = entryOf(name as TableName);
        const own = (kind: string, column: string) =>
          name === kind ? 'id' : has.has(column) ? column : null;
        expect({ name, property, organization, person: person ?? null }).toEqual({
          name,
          property: own('properties', 'attribution_id'),
          organization: own('organizations', 'organization_id'),
          person: own('people', 'person_id'),
        });
      }
    } finally {
      await home.remove();
    }
  });

  test('names a table after those that it refers to', async () => {
    const home = await backend.fresh();
    try {
      const db = await home.node();
      const references =
        backend.name === 'sqlite'
          ? sql<{ child: string; parent: string }>`select m.name as child, f."table" as parent
from sqlite_master as m join pragma_foreign_key_list(m.name) as f where m.type = 'table'`
          : sql<{
              child: string;
              parent: string;
            }>`select conrelid::regclass::text as child, confrelid::regclass::text as parent
from pg_constraint where contype = 'f'`;
      const { rows } = await references.execute(db.kysely);
      expect(rows.length).toBeGreaterThan(30);
      const place = (table: string) => TABLE_NAMES.indexOf(table as TableName);
      expect(rows.filter(({ child, parent }) => place(parent) >= place(child))).toEqual([]);
    } finally {
      await home.remove();
    }
  });
});
