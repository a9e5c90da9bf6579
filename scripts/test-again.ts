/**
 * `npm run test:again`: runs the files that failed in the last run once more, one after the other, and ends with success if they pass now.
 * CI does it, because one unlucky test in nine thousand says nothing about a change. What passes only now is named as flaky: it is a fault to
 * be fixed. More than a few files are no bad luck, so they are not run again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { FAILED_FILES } from './failed-files.ts';

const MOST_FILES = 3;

const failed = existsSync(FAILED_FILES) ? (JSON.parse(readFileSync(FAILED_FILES, 'utf8')) as string[]) : [];
const names = failed.map((file) => relative(process.cwd(), file));
if (failed.length === 0)
  refuse('The last run names no file that failed: it was cut, or failed outside of all tests.');
if (failed.length > MOST_FILES)
  refuse(`${failed.length} files failed. Only up to ${MOST_FILES} are run again.`);

console.log(`\nOnce more, one after the other:\n${list()}\n`);
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--maxWorkers=1', ...failed], {
  stdio: 'inherit',
});
if (status !== 0) refuse('Failed twice.');
console.log(`\nFlaky: failed, then passed. Fix them first:\n${list()}`);

function list(): string {
  return names.map((name) => `  ${name}`).join('\n');
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(1);
}
