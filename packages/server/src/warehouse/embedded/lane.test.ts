import { setImmediate as tick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Lane } from './lane.ts';

const never = new AbortController().signal;

it('gives each connection to one caller at a time, in the order of arrival', async () => {
  const lane = new Lane('test', ['a', 'b'], 10);
  const order: string[] = [];
  let busy = 0;
  await Promise.all(
    [1, 2, 3, 4, 5].map((number) =>
      lane.run(async (connection) => {
        busy += 1;
        expect(busy).toBeLessThanOrEqual(2);
        order.push(`${number}`);
        await tick();
        busy -= 1;
        return connection;
      }, never),
    ),
  );
  expect(order).toEqual(['1', '2', '3', '4', '5']);
});

it('refuses with 202 when the queue is full, and takes work again after that', async () => {
  const lane = new Lane('test', ['only'], 1);
  const held = Promise.withResolvers<void>();
  const first = lane.run(() => held.promise, never);
  const second = lane.run(async () => 'second', never);
  await expect(lane.run(async () => 'third', never)).rejects.toMatchObject({ code: 202 });
  held.resolve();
  await first;
  expect(await second).toBe('second');
  expect(await lane.run(async () => 'fourth', never)).toBe('fourth');
});

it('never starts work whose caller left while waiting', async () => {
  const lane = new Lane('test', ['only'], 5);
  const held = Promise.withResolvers<void>();
  const first = lane.run(() => held.promise, never);
  const gone = new AbortController();
  let started = false;
  const second = lane.run(async () => {
    started = true;
  }, gone.signal);
  gone.abort();
  await expect(second).rejects.toMatchObject({ code: 394 });
  held.resolve();
  await first;
  expect(await lane.run(async () => 'after', never)).toBe('after');
  expect(started).toBe(false);
});

it('hands the connection on after a failure', async () => {
  const lane = new Lane('test', ['only'], 5);
  await expect(lane.run(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');
  expect(await lane.run(async (connection) => connection, never)).toBe('only');
});
