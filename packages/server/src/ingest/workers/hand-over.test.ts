/** How a job ends for the request, whatever the worker does. What it reads is tested with a worker. */
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type { SpoolRow } from '../../spool/index.ts';
import { arrived, type Pieces } from '../body/pieces.ts';
import { handOver } from './hand-over.ts';

const rowsOf = (line: string): SpoolRow[] => [{ line, month: '202611', dedupKey: null, label: 'ai_bot' }];

it('has ended only when nothing is being staged, and stages nothing after it', async () => {
  const leaving = new AbortController();
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const staged: string[] = [];
  const ports: MessagePort[] = [];
  let hasEnded = false;
  const over = handOver((port) => ports.push(port), {
    head: Buffer.from('{}\n'),
    body: arrived(null),
    signal: leaving.signal,
    async stage([row]) {
      staged.push(row?.line ?? '');
      begun.resolve();
      await held.promise;
    },
    propertiesOf: () => Promise.reject(new Error('nothing is asked')),
    onMessage: () => undefined,
  }).finally(() => (hasEnded = true));
  const outcome = expect(over).rejects.toThrow('the sender left');
  const [worker] = ports;
  if (worker === undefined) throw new Error('the job was not begun');
  worker.start();
  const closed = once(worker, 'close');
  worker.postMessage({ rows: rowsOf('first') });
  worker.postMessage({ rows: rowsOf('second') });
  await begun.promise;
  leaving.abort(new Error('the sender left'));
  await closed;
  expect(hasEnded).toBe(false);
  held.resolve();
  await outcome;
  expect(staged).toEqual(['first']);
});

it('hands over no more of a body than the worker takes, and each byte of it once', async () => {
  const PIECE = 64 * 1024;
  const PIECES = 64;
  // Every other one shares its memory, as a piece of a pool does.
  const pieces = Array.from({ length: PIECES }, (_, n) =>
    n % 2 === 0 ? Buffer.alloc(PIECE, n) : Buffer.alloc(PIECE + 1, n).subarray(1),
  );
  let given = 0;
  const body: Pieces = { next: async () => pieces[given++] ?? null, close: () => undefined };
  const ports: MessagePort[] = [];
  const over = handOver((port) => ports.push(port), {
    ...{ head: Buffer.from('head'), body, signal: new AbortController().signal },
    stage: async () => undefined,
    propertiesOf: () => Promise.reject(new Error('nothing is asked')),
    onMessage: () => undefined,
  });
  const [worker] = ports;
  if (worker === undefined) throw new Error('the job was not begun');
  const came: Uint8Array[] = [];
  let untaken = 0;
  let most = 0;
  let hasEnded = false;
  worker.on('message', (message: { bytes?: Uint8Array }) => {
    if (message.bytes === undefined) {
      hasEnded = true;
      return;
    }
    came.push(message.bytes);
    untaken += message.bytes.length;
    most = Math.max(most, untaken);
  });
  while (!hasEnded) {
    // Whatever comes unasked has come by then.
    for (let n = 0; n < 20; n += 1) await turn();
    worker.postMessage({ taken: untaken });
    untaken = 0;
  }
  worker.postMessage({ done: { read: 'all', directories: null } });
  await expect(over).resolves.toMatchObject({ read: 'all' });
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(512 * 1024 + PIECE);
  const expected = Array.from({ length: PIECES }, (_, n) => Buffer.alloc(PIECE, n));
  expect(Buffer.concat(came).equals(Buffer.concat([Buffer.from('head'), ...expected]))).toBe(true);
  // What had its memory to itself went without a copy.
  expect(pieces.map(({ length }) => length)).toEqual(pieces.map((_, n) => (n % 2 === 0 ? 0 : PIECE)));
});
