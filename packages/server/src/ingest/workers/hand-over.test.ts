/** How a job ends for the request, whatever the worker does. What it reads is tested with a worker. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type { SpoolRow } from '../../spool/index.ts';
import { arrived } from '../body/pieces.ts';
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
