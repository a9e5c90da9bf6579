/** What happens to visits that wait when the process ends. */
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { flushOnExit } from './exit.ts';
import { settle } from './testing/world.ts';

class FakeProcess extends EventEmitter {
  readonly pid = 4711;
  readonly killed: string[] = [];
  kill(pid: number, signal: string): void {
    this.killed.push(`${pid} ${signal}`);
  }
}

let process: FakeProcess;
let flushed: number;
let waiting: number;
beforeEach(() => {
  process = new FakeProcess();
  flushed = 0;
  waiting = 1;
});

const listen = (leaves = 0) =>
  flushOnExit(
    async () => {
      flushed += 1;
      await settle();
      waiting = leaves;
    },
    () => waiting === 0,
    process as unknown as Parameters<typeof flushOnExit>[2],
  );

describe('SIGTERM', () => {
  it('sends what waits, and then ends the process as it would have', async () => {
    listen();
    process.emit('SIGTERM');
    expect([flushed, process.killed]).toEqual([1, []]);
    await settle();
    await settle();
    expect(process.killed).toEqual(['4711 SIGTERM']);
    expect(process.eventNames()).toEqual([]);
  });

  it('leaves the end to the application where that listens itself, even if it listens once', async () => {
    let heard = 0;
    process.once('SIGTERM', () => heard++);
    listen();
    process.emit('SIGTERM');
    await settle();
    await settle();
    expect([flushed, heard, process.killed]).toEqual([1, 1, []]);
  });

  it('ends the process when the last of several instances is done', async () => {
    listen();
    listen();
    process.emit('SIGTERM');
    await settle();
    await settle();
    expect([flushed, process.killed]).toEqual([2, ['4711 SIGTERM']]);
  });
});

describe('a process with nothing left to do', () => {
  it('sends what waits, once, and ends where that fails', async () => {
    listen(1);
    process.emit('beforeExit');
    await settle();
    await settle();
    process.emit('beforeExit');
    expect(flushed).toBe(1);
  });

  it('is not held where nothing waits, and sends again what came later', async () => {
    listen();
    process.emit('beforeExit');
    await settle();
    await settle();
    process.emit('beforeExit');
    expect(flushed).toBe(1);
    waiting = 1;
    process.emit('beforeExit');
    expect(flushed).toBe(2);
  });
});

it('takes its listeners back', () => {
  listen()();
  expect(process.eventNames()).toEqual([]);
});

it('does nothing in a runtime that has no process', () => {
  expect(() =>
    flushOnExit(
      async () => {},
      () => true,
      null,
    )(),
  ).not.toThrow();
});
