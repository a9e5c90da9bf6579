import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SenderGone } from './body.ts';
import { ReadAhead } from './read-ahead.ts';

/** A body that gives a piece of so many bytes whenever it is read. */
function endless(pieceBytes: number) {
  let given = 0;
  const body = new Readable({
    highWaterMark: 1,
    read() {
      given += pieceBytes;
      this.push(Buffer.alloc(pieceBytes));
    },
  });
  return { body: body as IncomingMessage, given: () => given };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await turn();
}

it('hands on many small pieces as one, and the end', async () => {
  const body = Readable.from([Buffer.from('ab'), Buffer.from('cd'), Buffer.from('e')], {
    objectMode: false,
  }) as IncomingMessage;
  const queue = new ReadAhead().open(body);
  await settle();
  expect(queue.take()?.toString()).toBe('abcde');
  expect(queue.take()).toBeNull();
});

it('reads no further than it may, and on when what it has is taken', async () => {
  const { body, given } = endless(100);
  const queue = new ReadAhead({ each: 1_000, total: 10_000, least: 200 }).open(body);
  await settle();
  expect(given()).toBeLessThan(1_500);
  const before = given();
  queue.take();
  await settle();
  expect(given()).toBeGreaterThan(before);
  queue.close();
});

it('holds no more of all bodies together than it may, and of each at least a little', async () => {
  const ahead = new ReadAhead({ each: 1_000, total: 1_500, least: 200 });
  const bodies = Array.from({ length: 5 }, () => endless(100));
  const queues = bodies.map(({ body }) => ahead.open(body));
  await settle();
  const all = bodies.map(({ given }) => given());
  expect(Math.min(...all)).toBeGreaterThanOrEqual(200);
  expect(all.reduce((sum, bytes) => sum + bytes)).toBeLessThan(1_500 + 5 * 400);
  for (const queue of queues.slice(1)) queue.close();
  const before = bodies[0]?.given() ?? 0;
  queues[0]?.take();
  await settle();
  expect(bodies[0]?.given()).toBeGreaterThan(before);
  queues[0]?.close();
});

it('says that the sender left although pieces wait, and although it left before', async () => {
  const { body } = endless(100);
  const queue = new ReadAhead({ each: 1_000, total: 10_000, least: 200 }).open(body);
  await settle();
  body.destroy();
  await settle();
  expect(() => queue.take()).toThrow(SenderGone);
  const late = new ReadAhead().open(body);
  await late.wait(10);
  expect(() => late.take()).toThrow(SenderGone);
});

it('waits no longer than configured', async () => {
  const body = new Readable({ read: () => undefined }) as IncomingMessage;
  await expect(new ReadAhead().open(body).wait(5)).rejects.toMatchObject({ code: 'request_timeout' });
});
