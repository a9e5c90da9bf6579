import { defineConfig } from 'vitest/config';

/**
 * One runner for every test. Each file is its own process (`forks`): chDB allows one data directory per
 * process, and a test that kills things must not take its neighbours along.
 */
export default defineConfig({
  test: {
    include: ['packages/*/{src,build}/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 3,
    reporters: ['default', './scripts/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a test waits for comes in milliseconds, unless a machine runs other things besides: the default of one second would judge that.
    expect: { poll: { timeout: 10_000 } },
  },
});
