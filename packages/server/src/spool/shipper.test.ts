/** The shipper when the claim on its batches can't be kept. The rest of it is tested through the spool. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { OutgoingStore } from './port.ts';
import { startShipper } from './shipper.ts';
import { RecordingSink, silent } from './testing.ts';
import type { BatchSink } from './types.ts';

const LINE = Buffer.from('{"n":1}\n');

it('takes no batch while it is paused, and is paused only when none is under way', async () => {
  let taken = 0;
  let stored: () => void = () => undefined;
  const store = {
    shared: false,
    holds: () => true,
    takeBatch: async () => {
      taken += 1;
      return { batch: { id: `${taken}`, month: '202611', rows: 1, attempt: 1, body: LINE }, doubtful: false };
    },
    finishBatch: async () => undefined,
    checkpoint: async () => undefined,
  } as unknown as OutgoingStore;
  const sink = {
    insert: () => new Promise<void>((resolve) => (stored = resolve)),
    count: async () => 0,
  };
  const shipper = startShipper({
    ...{ store, sink, clock: Date.now, log: silent, gatherMs: 1 },
    onRows: () => () => undefined,
  });
  await expect.poll(() => taken).toBe(1);
  await expect(shipper.pause(10)).rejects.toThrow('still on its way');
  const pausing = shipper.pause(10_000);
  stored();
  const resume = await pausing;
  const resumeToo = await shipper.pause(0);
  resume();
  resume();
  await sleep(30);
  expect(taken).toBe(1);
  resumeToo();
  await expect.poll(() => taken).toBe(2);
  const stopping = shipper.stop();
  stored();
  await stopping;
});

it('waits longer for company after a batch as large as they are under load, and not at all while more waits', async () => {
  const large = Buffer.alloc(300 * 1024, '{"n":1}\n');
  const given = [
    { body: large, more: true },
    { body: LINE, more: false },
    { body: large, more: false },
    { body: LINE, more: false },
  ];
  let taken = 0;
  const store = {
    shared: false,
    holds: () => true,
    takeBatch: async () => {
      const { body = LINE, more = false } = given[taken] ?? {};
      taken += 1;
      return taken > given.length
        ? null
        : { batch: { id: `${taken}`, month: '202611', rows: 1, attempt: 1, body }, doubtful: false, more };
    },
    finishBatch: async () => undefined,
    checkpoint: async () => undefined,
  } as unknown as OutgoingStore;
  const sink = { insert: async () => undefined, count: async () => 0 };
  const shipper = startShipper({
    ...{ store, sink, clock: Date.now, log: silent, gatherMs: 1, loadedGatherMs: 600_000 },
    onRows: () => () => undefined,
  });
  await expect.poll(() => taken).toBe(3);
  await sleep(30);
  expect(taken).toBe(3);
  expect(await shipper.drain(10_000)).toBe(true);
  expect(taken).toBeGreaterThan(given.length);
  await shipper.stop();
});

it('asks for batches as large as it is set to, else for 4 MiB', async () => {
  for (const [given, asked] of [
    [{ batchBytes: 8 * 1024 ** 2 }, 8 * 1024 ** 2],
    [{}, 4 * 1024 ** 2],
  ] as const) {
    const sizes: number[] = [];
    const store = {
      shared: false,
      holds: () => true,
      takeBatch: async (_parked: readonly string[], mostBytes: number) => {
        sizes.push(mostBytes);
        return null;
      },
      checkpoint: async () => undefined,
    } as unknown as OutgoingStore;
    const sink = { insert: async () => undefined, count: async () => 0 };
    const shipper = startShipper({
      ...{ store, sink, clock: Date.now, log: silent, onRows: () => () => undefined },
      ...given,
    });
    expect(await shipper.drain(10_000)).toBe(true);
    expect(new Set(sizes)).toEqual(new Set([asked]));
    await shipper.stop();
  }
});

it('a node that can’t renew its lease claims and ships nothing, says so, and waits longer each time', async () => {
  let claims = 0;
  let renews = false;
  const batch = { id: 'b', month: '202611', rows: 1, attempt: 1, body: LINE };
  const store = {
    shared: true,
    holds: () => renews,
    takeBatch: async () => (claims++ === 0 ? { batch, doubtful: false } : null),
    finishBatch: async () => undefined,
    checkpoint: async () => undefined,
  } as unknown as OutgoingStore;
  const sink = new RecordingSink();
  const backoffMs = { first: 1, longest: 4 };
  const shipper = startShipper({
    ...{ store, sink, clock: Date.now, log: silent, backoffMs, gatherMs: 1 },
    onRows: () => () => undefined,
  });
  await expect.poll(() => shipper.state().failures).toBeGreaterThan(2);
  expect(shipper.state().lastError).toBe('the lease could not be renewed');
  expect([claims, sink.inserts]).toEqual([0, 0]);
  renews = true;
  await expect.poll(() => sink.inserts).toBe(1);
  await shipper.stop();
});

describe('a batch that is begun again, and of which rows are missing', () => {
  const LINES = ['{"n":0}', '{"n":1}', '{"n":2}'];

  /** @param stored what is there of the batch, as line numbers */
  async function beginAgain(
    stored: readonly number[],
    gone: Pick<BatchSink, 'duplicates' | 'outlived' | 'distinct'>,
  ) {
    const body = Buffer.from(`${LINES.join('\n')}\n`);
    const batch = { id: 'b', month: '202611', rows: LINES.length, attempt: 1, body };
    const finished: string[] = [];
    const inserted: string[] = [];
    let takes = 0;
    const store = {
      shared: true,
      holds: () => true,
      takeBatch: async () => (takes++ === 0 ? { batch, doubtful: true } : null),
      finishBatch: async (id: string, found = 0) => void finished.push(found > 0 ? `${id} + ${found}` : id),
      checkpoint: async () => undefined,
    } as unknown as OutgoingStore;
    const sink: BatchSink = {
      insert: async ({ id }) => void inserted.push(id),
      count: async () => stored.length,
      missing: async () =>
        LINES.keys()
          .filter((line) => !stored.includes(line))
          .toArray(),
      ...gone,
    };
    const shipper = startShipper({
      ...{ store, sink, clock: Date.now, log: silent, gatherMs: 1 },
      onRows: () => () => undefined,
    });
    await expect.poll(() => takes).toBeGreaterThan(1);
    const { parked } = shipper.state();
    await shipper.stop();
    return { finished, inserted, parked };
  }
  const none = async () => [];

  it('is over where they were deleted since, with their property or because of their age', async () => {
    const over = { finished: ['b'], inserted: [], parked: 0 };
    expect(await beginAgain([2], { duplicates: async () => [0, 1], outlived: none })).toEqual(over);
    expect(await beginAgain([2], { duplicates: async () => [0], outlived: async () => [1] })).toEqual(over);
  });

  it('stays in the spool where one of them was not, also when as many others are yet to be deleted', async () => {
    const parked = { finished: [], inserted: [], parked: 1 };
    expect(await beginAgain([2], { duplicates: async () => [0], outlived: none })).toEqual(parked);
    expect(await beginAgain([0, 2], { duplicates: async () => [0], outlived: none })).toEqual(parked);
    expect(await beginAgain([0, 2], {})).toEqual(parked);
  });

  it('regains rows that damage took from the spool, where other rows are certainly there, and none is there twice', async () => {
    const over = (what: string) => ({ finished: [what], inserted: [], parked: 0 });
    const distinct = (rows: number) => ({ distinct: async () => rows });
    expect(await beginAgain([0, 1, 2, 3, 4], distinct(5))).toEqual(over('b + 2'));
    // The same rows twice.
    expect(await beginAgain([0, 1, 2, 0, 1], distinct(3))).toEqual(over('b'));
    expect(await beginAgain([0, 1, 2, 3, 3], distinct(4))).toEqual(over('b + 1'));
    // Of those that are here one is not there.
    expect(await beginAgain([0, 1, 3, 4, 5], distinct(5))).toEqual(over('b'));
    expect(await beginAgain([0, 1, 2, 3], {})).toEqual(over('b'));
  });
});
