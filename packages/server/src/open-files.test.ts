import { expect, it, vi } from 'vitest';
import { checkOpenFiles, openFilesLimit } from './open-files.ts';
import { silent } from './warehouse/testing/warehouse.ts';

it('a limit too low for the stores ends the start with the setting; a low one is a warning; others say nothing', () => {
  const warn = vi.fn();
  const log = { ...silent, warn };
  expect(() => checkOpenFiles(log, 64)).toThrow(
    /^This process may open 64 files; .* at least 256\. .*ulimit -n/,
  );
  checkOpenFiles(log, 1_024);
  expect(warn).toHaveBeenCalledTimes(1);
  checkOpenFiles(log, 65_536);
  checkOpenFiles(log, null);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('the limit of this process is known, or the system does not tell', () => {
  expect(openFilesLimit() ?? 1_000_000).toBeGreaterThan(63);
});
