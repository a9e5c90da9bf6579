/** What is done beside the traffic. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Health } from './health.ts';
import { silent } from './testing.ts';
import { startTidying } from './tidying.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a store that hangs is probed once until it has answered', async () => {
  const health = new Health(1e9);
  health.failing = 'it hangs';
  const answers: (() => void)[] = [];
  const stop = startTidying({
    store: {
      tidy: async () => undefined,
      probe: () => new Promise((resolve) => answers.push(resolve)),
    },
    clock: Date.now,
    log: silent,
    health,
    stats: () => {
      throw new Error('a failing store is not tidied');
    },
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answers).toHaveLength(1);
  // Answered, and failing still: the next one.
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(2);
  stop();
});
