import { MessageChannel } from 'node:worker_threads';
import { embeddedLists } from '@ghostlight/core';
import { expect, it } from 'vitest';
import type { Thread } from '../ports.ts';
import type { Begin } from './messages.ts';
import { createWorkers, type PlannedJob } from './pool.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {}, child: () => QUIET };

class RecordingThread implements Thread {
  readonly begun: Begin[] = [];
  isTerminated = false;
  /** Ends only when `exit` is called, as a real one does moments after `terminate`. */
  endsLate = false;
  readonly #ended = Promise.withResolvers<void>();
  #onExit = (): void => undefined;
  #onError = (_: unknown): void => undefined;

  postMessage(message: Begin): void {
    this.begun.push(message);
  }

  on(event: 'error' | 'exit', listener: (error?: unknown) => void): void {
    if (event === 'exit') this.#onExit = listener;
    else this.#onError = listener;
  }

  unref(): void {}

  async terminate(): Promise<void> {
    this.isTerminated = true;
    if (!this.endsLate) this.exit();
    await this.#ended.promise;
  }

  exit(): void {
    this.#onExit();
    this.#ended.resolve();
  }

  fail(): void {
    this.#onError(new Error('out of memory'));
  }
}

function bench(most: number, idleMs = 1e6) {
  const threads: RecordingThread[] = [];
  let plain = embeddedLists();
  let search = embeddedLists();
  const pool = createWorkers({
    start: () => {
      const thread = new RecordingThread();
      threads.push(thread);
      return thread;
    },
    most,
    idleMs,
    lists: { plain: () => plain, plainWithSearchEngines: () => search },
    log: QUIET,
  });
  return {
    pool,
    threads,
    newLists() {
      plain = embeddedLists();
      search = embeddedLists();
    },
    begin(organizationId: string) {
      const { port1, port2 } = new MessageChannel();
      port1.close();
      const job = { key: { organizationId } };
      const end = pool.begin({ job } as unknown as PlannedJob, port2);
      return (isDead = false) => end(isDead);
    },
    /** Whose jobs each thread was given. */
    given: () => threads.map(({ begun }) => begun.map(({ job }) => job.key.organizationId).join('')),
  };
}

it('starts a thread when all have work, up to as many as it may', () => {
  const { begin, given } = bench(2);
  const end = begin('a');
  end();
  for (const owner of ['a', 'b', 'c']) begin(owner);
  expect(given()).toEqual(['aac', 'b']);
});

it('keeps the uploads of an organization that has many away from the others', () => {
  const { begin, given } = bench(3);
  for (const owner of 'aaab') begin(owner);
  for (const owner of 'aaaa') begin(owner);
  expect(given().filter((owners) => owners.includes('b') && owners.length > 2)).toEqual([]);
});

it('sends lists once a version', () => {
  const { begin, threads, newLists } = bench(1);
  begin('a');
  begin('b');
  newLists();
  begin('a');
  begin('a');
  expect(threads[0]?.begun.map(({ lists }) => lists !== undefined)).toEqual([true, false, true, false]);
});

it('ends a thread that has had nothing to do, and starts another for the next upload', async () => {
  const { begin, threads, given } = bench(1, 5);
  begin('a')();
  await expect.poll(() => threads[0]?.isTerminated).toBe(true);
  begin('b');
  expect(given()).toEqual(['a', 'b']);
});

it('gives nothing to a thread that is ending, and waits for it when it is closed', async () => {
  const { begin, pool, threads, given } = bench(1, 5);
  const end = begin('a');
  const [dying] = threads;
  if (dying === undefined) throw new Error('no thread was started');
  dying.endsLate = true;
  end();
  await expect.poll(() => dying.isTerminated).toBe(true);
  begin('b');
  expect(given()).toEqual(['a', 'b']);
  let isClosed = false;
  const closing = pool.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect([isClosed, threads.map(({ isTerminated }) => isTerminated)]).toEqual([false, [true, true]]);
  dying.exit();
  await closing;
});

it('gives nothing to a thread that failed and has not ended yet', () => {
  const { begin, threads, given } = bench(1);
  const end = begin('a');
  threads[0]?.fail();
  end();
  begin('b');
  expect(given()).toEqual(['a', 'b']);
});

it('gives nothing to a thread that ended under a job and has not said so', () => {
  const { begin, given } = bench(1);
  const end = begin('a');
  end(true);
  begin('a');
  expect(given()).toEqual(['a', 'a']);
});

it('ends all threads when it is closed, and starts no other', async () => {
  const { begin, pool, threads } = bench(2);
  begin('a');
  begin('b');
  await pool.close();
  expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  expect(() => begin('c')).toThrow('The service stops.');
  expect(threads).toHaveLength(2);
});
