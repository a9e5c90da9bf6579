/** The files of the plugin's folder that are made and kept in git, so that the folder works as it is. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packedLists } from './packed-lists.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const LINE = '-'.repeat(80);

/** Path in the plugin's folder → content. Deterministic. */
export const generatedFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ['lists/packed.php', packedLists()],
    ['NOTICE.txt', notice()],
  ]);

/** Whose work is in the packed list, with their licences. */
function notice(): string {
  const read = (path: string) => readFileSync(`${REPOSITORY}${path}`, 'utf8').trim();
  const { version, license } = JSON.parse(read('node_modules/isbot/package.json'));
  return `${[
    'Ghostlight for WordPress\n\nLicensed under the GNU General Public License, version 2 or later (LICENSE.txt). Its packed list of bots contains the\nfollowing works of others.',
    `isbot ${version}, ${license}\n\n${read('node_modules/isbot/LICENSE')}`,
    read('packages/core/data/NOTICE.md'),
  ].join(`\n\n${LINE}\n\n`)}\n`;
}
