import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const MODULE = new URL('./testing-postgres.ts', import.meta.url).href;

it.each([0, 1])('a process that brings its own PostgreSQL ends with the code that it set: %i', (code) => {
  const program = `await import('${MODULE}'); process.exitCode = ${code};`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
  expect(status).toBe(code);
});
