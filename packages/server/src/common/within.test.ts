import { expect, it } from 'vitest';
import { within } from './within.ts';

it('gives up waiting for a store that hangs, and passes on what comes in time', async () => {
  await expect(within(10, new Promise(() => undefined))).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '5' },
  });
  expect(await within(1_000, Promise.resolve(7))).toBe(7);
  await expect(within(1_000, Promise.reject(new Error('away')))).rejects.toThrow('away');
});
