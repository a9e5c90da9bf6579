import { defineConfig } from 'vitest/config';
import SlowestFirst from './scripts/test-order.ts';

/**
 * One runner for every test. Worker processes take one file after the other (`isolate: false`): nothing of ours is kept at import, and
 * what tests kill are processes of their own; a process per file took 0.4 s of processor time for each of 300.
 */
export default defineConfig({
  test: {
    include: ['packages/*/{src,build}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['tests/harness/run.ts'],
    setupFiles: ['tests/harness/seed.ts'],
    pool: 'forks',
    isolate: false,
    // Half of a file's time is waiting for what other processes do.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './scripts/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a test waits for comes in milliseconds, unless the machine is busy: the default of one second would fail then.
    expect: { poll: { timeout: 10_000 } },
  },
});
