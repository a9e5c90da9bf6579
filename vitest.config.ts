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
    reporters: ['default', './scripts/closing-line.ts', './scripts/failed-files.ts'],
    // These end what hangs, and say nothing about speed: at a load of fifteen for each processor, a test of five seconds takes a minute. What
    // must be quick has a bound of its own (`expectQuick`).
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
