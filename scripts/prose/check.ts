/** `npm run check:prose [path…]`: prints `file:line: found → what to write instead` for every finding, and fails if there is one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Checker } from './check-text.ts';
import { CHECKED, RULES, UNCHECKED } from './rules.ts';

const only = process.argv.slice(2);
const listed = execFileSync('git', [
  'ls-files',
  '-z',
  '--cached',
  '--others',
  '--exclude-standard',
  ...CHECKED,
]);
const paths = listed
  .toString()
  .split('\0')
  .filter((path) => path !== '' && !UNCHECKED.some((unchecked) => unchecked.test(path)))
  .filter((path) => only.length === 0 || only.some((wanted) => path.startsWith(wanted)));

const checker = new Checker(RULES);
let count = 0;
for (const path of new Set(paths)) {
  for (const { line, found, instead } of checker.check(path, readFileSync(path, 'utf8'))) {
    count += 1;
    console.error(`${path}:${line}: ${found} → ${instead}`);
  }
}
if (count > 0) {
  console.error(
    `${count === 1 ? '1 finding' : `${count} findings`}. The rules are in scripts/prose/rules.ts, the style in docs/writing.md.`,
  );
  process.exitCode = 1;
}
