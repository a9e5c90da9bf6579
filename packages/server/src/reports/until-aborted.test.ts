import { expect, it, vi } from 'vitest';
import type { Warehouse } from '../warehouse/index.ts';
import { untilAborted } from './until-aborted.ts';

it('aborted work asks nothing more, and what it reads is ended', async () => {
  const rows = vi.fn(async (_lane: unknown, _statement: unknown, signal?: AbortSignal) =>
    signal === undefined
      ? []
      : await new Promise<never>((_, reject) => signal.addEventListener('abort', reject)),
  );
  const command = vi.fn(async () => {});
  const inner = { rows, command } as unknown as Warehouse;
  const stop = new AbortController();
  const warehouse = untilAborted(inner, stop.signal);
  await warehouse.command({ sql: 'x' });
  const reading = warehouse.rows('live', { sql: 'x' });
  stop.abort();
  await expect(reading).rejects.toBeDefined();
  await expect(warehouse.rows('live', { sql: 'x' })).rejects.toThrow(/abort/i);
  await expect(warehouse.command({ sql: 'x' })).rejects.toThrow(/abort/i);
  expect([rows.mock.calls.length, command.mock.calls.length]).toEqual([1, 1]);
  expect(untilAborted(inner, undefined)).toBe(inner);
});
