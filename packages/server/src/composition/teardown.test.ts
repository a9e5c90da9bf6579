import { expect, it } from 'vitest';
import type { Log } from '../common/index.ts';
import { Teardown } from './teardown.ts';

function recorder(): { log: Log; steps: unknown[] } {
  const steps: unknown[] = [];
  const note = (fields: object) => void steps.push((fields as { step?: unknown }).step);
  const log: Log = { debug: () => {}, info: () => {}, warn: note, error: note, child: () => log };
  return { log, steps };
}

it('runs backwards, and past a step that fails, one that throws at once and one that never ends', async () => {
  const { log, steps } = recorder();
  const teardown = new Teardown(40, 5);
  const ran: string[] = [];
  const told: number[] = [];
  teardown.add('first made', (remaining) => {
    told.push(remaining);
    ran.push('first made');
  });
  teardown.add('hangs too', () => new Promise(() => {}));
  teardown.add('throws', () => {
    throw new Error('no');
  });
  teardown.add('fails', () => Promise.reject(new Error('no')));
  teardown.add('hangs', () => new Promise(() => {}));
  teardown.add('last made', async () => void ran.push('last made'));
  await teardown.run(log);
  expect(ran).toEqual(['last made', 'first made']);
  expect(steps).toEqual(['hangs', 'fails', 'throws', 'hangs too']);
  // The whole stop has one deadline: what comes after it gets the least there is.
  expect(told).toEqual([5]);
});
