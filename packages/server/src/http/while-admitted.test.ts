import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { ServiceError } from '../common/index.ts';
import { whileAdmitted } from './while-admitted.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function source() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const cancelled = vi.fn();
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel: cancelled,
  });
  return {
    body,
    cancelled,
    say: (text: string) => controller?.enqueue(bytes(text)),
    end: () => controller?.close(),
  };
}

it('passes everything on until the source ends', async () => {
  const { body, say, end } = source();
  say('a');
  say('b');
  end();
  expect(await new Response(whileAdmitted(body, async () => undefined, { lookEveryMs: 1 })).text()).toBe(
    'ab',
  );
});

it('ends with its source when the caller is refused, and not while a store is down', async () => {
  const { body, cancelled, say } = source();
  let refusal: Error | null = new Error('the database is down');
  const admit = async () => {
    if (refusal !== null) throw refusal;
  };
  const reader = whileAdmitted(body, admit, { lookEveryMs: 5 }).getReader();
  await sleep(30);
  say('still here');
  expect(await reader.read()).toMatchObject({ done: false });
  refusal = new ServiceError('unavailable', 'Try again.');
  await sleep(30);
  say('still here');
  expect(await reader.read()).toMatchObject({ done: false });
  const next = reader.read();
  refusal = new ServiceError('unauthorized', 'This token was revoked.');
  expect(await next).toEqual({ done: true, value: undefined });
  await expect.poll(() => cancelled).toHaveBeenCalledOnce();
});

it('asks once at a time, however long the answer takes', async () => {
  const { body } = source();
  const admit = vi.fn(() => new Promise<void>(() => undefined));
  const reader = whileAdmitted(body, admit, { lookEveryMs: 5 }).getReader();
  await expect.poll(() => admit).toHaveBeenCalledOnce();
  await sleep(40);
  expect(admit).toHaveBeenCalledOnce();
  await reader.cancel();
});

it('ends the source, and asks no more, when its reader goes', async () => {
  const { body, cancelled } = source();
  const admit = vi.fn(async () => undefined);
  const reader = whileAdmitted(body, admit, { lookEveryMs: 5 }).getReader();
  await reader.cancel();
  expect(cancelled).toHaveBeenCalledOnce();
  const asked = admit.mock.calls.length;
  await sleep(30);
  expect(admit).toHaveBeenCalledTimes(asked);
});

it('breaks a file off instead of ending it, so that it does not seem whole', async () => {
  const { body, cancelled, say } = source();
  const admit = async () => {
    throw new ServiceError('not_found', 'There is no such property.');
  };
  say('a line');
  const read = new Response(whileAdmitted(body, admit, { lookEveryMs: 5, isFile: true })).text();
  await expect(read).rejects.toThrow('may not have the rest');
  await expect.poll(() => cancelled).toHaveBeenCalledOnce();
});
