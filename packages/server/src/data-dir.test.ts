import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StartError } from './common/index.ts';
import { DataDirInUse, takeDataDir } from './data-dir.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'data-dir-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

it('a directory is held by one at a time, and free again after its release', () => {
  const held = takeDataDir(join(path, 'made', 'on', 'the', 'way'));
  expect(() => takeDataDir(held.path)).toThrow(DataDirInUse);
  expect(() => takeDataDir(held.path)).toThrow(`in use by the Ghostlight process ${process.pid}`);
  held.release();
  takeDataDir(held.path).release();
});

it.each(['garbage', 'x'.repeat(5_000)])(
  'a lock file that holds garbage is in use by no process',
  (garbage) => {
    writeFileSync(join(path, 'lock'), garbage);
    writeFileSync(join(path, 'pid'), '999999\n');
    const held = takeDataDir(path);
    expect(() => takeDataDir(path)).toThrow(DataDirInUse);
    held.release();
  },
);

it('a path at which no folder can be made is said at once, with the setting', () => {
  writeFileSync(join(path, 'file'), '');
  expect(() => takeDataDir(join(path, 'file', 'below'))).toThrow(
    /^DATA_DIR: A part of the path .* is a file/,
  );
  expect(() => takeDataDir(join(path, 'file'))).toThrow(StartError);
});

it('a folder below /proc is refused instead of tried for ever', () => {
  // In a process of its own, which can be ended if it does not end by itself.
  const script = `import { takeDataDir } from '${new URL('./data-dir.ts', import.meta.url).href}';
    try { takeDataDir('/proc/nope/below'); } catch (error) { console.log(error.message); }`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 });
  expect(String(said)).toMatch(/^DATA_DIR: .*\/proc/);
});
