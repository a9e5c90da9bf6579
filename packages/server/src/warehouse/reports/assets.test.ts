import { FEED_NAMES, FILE_EXTENSIONS, FILE_FOLDERS, isFilePath } from '@ghostlight/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWarehouse, type TestWarehouse } from '../testing/warehouse.ts';
import { isAsset } from './assets.ts';

let store: TestWarehouse;
beforeAll(async () => {
  store = await openTestWarehouse();
});
afterAll(async () => await store.close());

async function asked(paths: readonly string[]): Promise<boolean[]> {
  const rows = await store.warehouse.rows<{ is_file: boolean }>('report', {
    sql: `SELECT ${isAsset('path')} = 1 AS is_file FROM (SELECT arrayJoin(arrayEnumerate(paths)) AS n, paths[n] AS path
FROM (SELECT {paths:Array(String)} AS paths)) ORDER BY n`,
    params: { paths },
  });
  return rows.map(({ is_file: isFile }) => Boolean(isFile));
}

const word = fc.oneof(
  fc.constantFrom<string>(...FILE_EXTENSIONS, ...FEED_NAMES, 'html', 'php', 'about', '\u017fvg', 'm\u212av'),
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const path = fc
  .tuple(
    fc.constantFrom('/', '/a/', '', ...FILE_FOLDERS, ...FILE_FOLDERS.map((folder) => `/x${folder}`)),
    fc.array(fc.tuple(word, fc.constantFrom('.', '/', '', '\n', '%2E')), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([folder, parts, isUpper]) => {
    const text = folder + parts.map(([part, end]) => part + end).join('');
    return (isUpper ? text.toUpperCase() : text).toWellFormed();
  });

it('says of every path what core says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(path, { minLength: 200, maxLength: 400 }), async (paths) => {
      const answers = await asked(paths);
      expect(paths.filter((one, index) => answers[index] !== isFilePath(one))).toEqual([]);
    }),
    { numRuns: 8 },
  );
});
