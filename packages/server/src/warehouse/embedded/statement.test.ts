import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf, parseInsert, pieces, single } from './statement.ts';

const text = (sql: string) =>
  single(pieces(sql))
    .map((part) => part.text)
    .join('');

describe('one statement per request', () => {
  it('drops a closing semicolon', () => {
    expect(text('SELECT 1 ; -- done')).toBe('SELECT 1 ');
  });

  it.each([
    'SELECT 1; DROP TABLE hits',
    "SELECT 1;'x'",
    'SELECT 1;;; SELECT 2',
    "SELECT 'a\\'; DROP TABLE hits",
    'SELECT /* open',
    'SELECT "x',
  ])('refuses %s', (sql) => {
    expect(() => text(sql)).toThrow(/Syntax error/);
  });

  it.each(["SELECT ';'", 'SELECT `;`', 'SELECT 1 /* ; */ + 1', "SELECT 'it''s; fine'", "SELECT '\\\\';"])(
    'takes %s',
    (sql) => {
      expect(text(sql)).toBe(sql.replace(/;$/, ''));
    },
  );

  it('keeps every character of what it splits, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (sql) => {
        let parts: ReturnType<typeof pieces>;
        try {
          parts = pieces(sql);
        } catch {
          return;
        }
        expect(parts.map((part) => part.text).join('')).toBe(sql);
      }),
    );
  });
});

describe('the kind of a statement', () => {
  it('names its format outside quotes, or none', () => {
    expect(kindOf(pieces('SELECT 1 FORMAT JSONEachRow')).format).toBe('JSONEachRow');
    expect(kindOf(pieces("SELECT 'FORMAT JSON'")).format).toBeNull();
  });

  it('sees rows that follow an insert statement', () => {
    expect(kindOf(pieces('INSERT INTO t FORMAT JSONEachRow {"a":1}')).insertsInlineData).toBe(true);
    expect(kindOf(pieces("INSERT INTO t VALUES ('FORMAT x')")).insertsInlineData).toBe(false);
  });
});

describe('the statement of an insert with a body', () => {
  it('is read into its parts', () => {
    expect(
      parseInsert(
        "INSERT INTO db.hits (a, b) SETTINGS async_insert = 0, insert_deduplication_token = 'x:1' FORMAT JSONEachRow",
      ),
    ).toEqual({
      table: 'db.hits',
      columns: ['a', 'b'],
      settings: { async_insert: 0, insert_deduplication_token: 'x:1' },
      format: 'JSONEachRow',
    });
    expect(parseInsert('INSERT INTO hits FORMAT JSONEachRow')).toMatchObject({ columns: null, settings: {} });
  });

  it.each([
    'INSERT INTO hits SELECT * FROM x FORMAT JSONEachRow',
    "INSERT INTO hits SETTINGS a = 'x' OR 1 FORMAT JSONEachRow",
    "INSERT INTO hits SETTINGS a = '\\'' FORMAT JSONEachRow",
    'INSERT INTO hits; DROP TABLE hits FORMAT JSONEachRow',
  ])('is refused otherwise: %s', (sql) => {
    expect(() => parseInsert(sql)).toThrow();
  });
});
