import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bindParameters, literal } from './parameters.ts';
import { pieces } from './statement.ts';

const bind = (sql: string, values: Record<string, string>) =>
  bindParameters(pieces(sql), new Map(Object.entries(values)));

it('casts each value to the type its placeholder names', () => {
  expect(bind('SELECT {a:UInt8}, { b : Nullable(String) }', { a: '1', b: '\\N' })).toBe(
    "SELECT _CAST('1', 'UInt8'), _CAST(NULL, 'Nullable(String)')",
  );
  expect(bind('SELECT * FROM {t:Identifier}', { t: 'hits' })).toBe('SELECT * FROM `hits`');
});

it('reads the escapes of the URL form', () => {
  expect(bind('{a:String}', { a: 'x\\ty\\\\z\\x41' })).toBe("_CAST('x\ty\\\\zA', 'String')");
});

it('leaves placeholders in quotes and comments alone', () => {
  const sql = "SELECT '{a:String}', `{a:String}` /* {a:String} */ -- {a:String}";
  expect(bind(sql, {})).toBe(sql);
});

it('refuses a missing value, a strange identifier and composite types', () => {
  expect(() => bind('{a:String}', {})).toThrow(/was not set/);
  expect(() => bind('{a:Identifier}', { a: 'x`; DROP' })).toThrow();
  expect(() => bind('{a:Map(String, String)}', { a: '{}' })).toThrow(/use arrays/);
});

it('writes every text as one literal and nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      const written = literal(text);
      expect(pieces(`${written}`).map(({ kind }) => kind)).toEqual(['quoted']);
      expect(written).not.toContain('\0');
    }),
  );
});
