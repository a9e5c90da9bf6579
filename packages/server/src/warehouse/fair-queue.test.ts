import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WarehouseUnavailable } from './errors.ts';
import { FairQueue, type FairQueueOptions } from './fair-queue.ts';

const ROOMY: FairQueueOptions = { running: 1, waitingPerCaller: 100, waiting: 1_000, patienceMs: 60_000 };
const of = (organization: string, caller: string) => ({ organization, caller });

/** Statements that end on command, oldest first. */
function statements(queue: FairQueue) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    ask: (name: string, account: { organization: string; caller: string }, signal?: AbortSignal) => {
      const asked = queue.run(
        account,
        () =>
          new Promise<string>((resolve) => {
            started.push(name);
            ends.push(() => resolve(name));
          }),
        signal,
      );
      asked.catch(() => undefined);
      return asked;
    },
    async end(count: number) {
      for (let index = 0; index < count; index += 1) {
        ends.shift()?.();
        await turn();
      }
    },
  };
}

it('lets a second caller through after one turn, though a first one has asked eighty times', async () => {
  const lane = statements(new FairQueue(ROOMY));
  for (let index = 0; index < 80; index += 1) lane.ask(`a${index}`, of('one', 'a'));
  lane.ask('b0', of('one', 'b'));
  lane.ask('c0', of('two', 'c'));
  lane.ask('b1', of('one', 'b'));
  await lane.end(6);
  expect(lane.started).toEqual(['a0', 'a1', 'c0', 'b0', 'a2', 'b1', 'a3']);
});

it('gives an organization of many callers no more turns than one of a single caller', async () => {
  const lane = statements(new FairQueue(ROOMY));
  for (let index = 0; index < 20; index += 1) lane.ask('many', of('one', `caller ${index}`));
  for (let index = 0; index < 5; index += 1) lane.ask('single', of('two', 'c'));
  await lane.end(10);
  expect(lane.started.filter((name) => name === 'single')).toHaveLength(5);
});

it('runs as many at once as it may, and those in their order', async () => {
  const lane = statements(new FairQueue({ ...ROOMY, running: 3 }));
  for (const name of ['1', '2', '3', '4', '5']) lane.ask(name, of('one', 'a'));
  await turn();
  expect(lane.started).toEqual(['1', '2', '3']);
  await lane.end(1);
  expect(lane.started).toEqual(['1', '2', '3', '4']);
});

it('tells a caller with too many waiting, and everyone when all places are taken, to come again', async () => {
  const lane = statements(new FairQueue({ ...ROOMY, waitingPerCaller: 2, waiting: 3 }));
  for (const name of ['runs', 'waits', 'waits']) lane.ask(name, of('one', 'a'));
  await expect(lane.ask('too many', of('one', 'a'))).rejects.toThrow(/your earlier questions/);
  lane.ask('waits', of('one', 'b'));
  await expect(lane.ask('full', of('two', 'c'))).rejects.toThrow(WarehouseUnavailable);
});

it('forgets who left, and starts nothing for them', async () => {
  const lane = statements(new FairQueue(ROOMY));
  lane.ask('runs', of('one', 'a'));
  const leave = new AbortController();
  const left = lane.ask('left', of('one', 'a'), leave.signal);
  lane.ask('stays', of('one', 'a'));
  leave.abort();
  await expect(left).rejects.toThrow(/aborted/);
  await expect(lane.ask('gone', of('one', 'a'), AbortSignal.abort())).rejects.toThrow(/aborted/);
  await lane.end(2);
  expect(lane.started).toEqual(['runs', 'stays']);
});

it('ends a wait that takes too long, and passes the turn on after a failed statement', async () => {
  const queue = new FairQueue({ ...ROOMY, patienceMs: 5 });
  let fail: (reason: Error) => void = () => undefined;
  const failing = queue.run(of('one', 'a'), () => new Promise<never>((_, reject) => (fail = reject)));
  await expect(queue.run(of('two', 'b'), async () => 'late')).rejects.toThrow(WarehouseUnavailable);
  fail(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  expect(await queue.run(of('two', 'b'), async () => 'served')).toBe('served');
});
