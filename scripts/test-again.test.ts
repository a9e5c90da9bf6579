/** Files that failed are run once more, in a project of two test files. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const REPORTER = resolve('scripts/failed-files.ts');

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'ghostlight-again-'));
  write(
    'vitest.config.mjs',
    `export default { test: { globals: true, reporters: ['default', ${JSON.stringify(REPORTER)}] } };`,
  );
  write('sound.test.mjs', "it('passes', () => {});");
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

it('what fails, then passes, is named as flaky, and nothing else runs again', () => {
  write(
    'unlucky.test.mjs',
    "import { existsSync, writeFileSync } from 'node:fs'; it('is unlucky once', () => { const was = existsSync('run'); writeFileSync('run', ''); expect(was).toBe(true); });",
  );
  expect(run(VITEST, 'run').status).toBe(1);
  const { status, output } = run(resolve('scripts/test-again.ts'));
  expect(status).toBe(0);
  expect(output).toContain('Flaky: failed, then passed. Fix them first:\n  unlucky.test.mjs');
  expect(output).not.toContain('sound.test.mjs');
});

it('what fails twice fails', () => {
  write('broken.test.mjs', "it('fails', () => { expect(1).toBe(2); });");
  run(VITEST, 'run');
  expect(run(resolve('scripts/test-again.ts'))).toMatchObject({
    status: 1,
    output: expect.stringContaining('Failed twice.'),
  });
});

it('many failures are no bad luck', () => {
  for (let file = 0; file < 4; file += 1)
    write(`broken-${file}.test.mjs`, "it('fails', () => { expect(1).toBe(2); });");
  run(VITEST, 'run');
  expect(run(resolve('scripts/test-again.ts'))).toMatchObject({
    status: 1,
    output: expect.stringContaining('4 files failed. Only up to 3 are run again.'),
  });
});

it('a run that failed outside of all tests is not run again', () => {
  write(
    'outside.test.mjs',
    "it('passes', () => { setTimeout(() => { throw new Error('later'); }); return new Promise((done) => setTimeout(done, 50)); });",
  );
  expect(run(VITEST, 'run').status).toBe(1);
  expect(run(resolve('scripts/test-again.ts'))).toMatchObject({
    status: 1,
    output: expect.stringContaining('failed outside of all tests'),
  });
});

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

function run(...args: string[]): { status: number | null; output: string } {
  const { VITEST: _inside, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}
