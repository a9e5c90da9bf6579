import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeConnections } from './http.ts';
import { retryAfterOf, Sender } from './sender.ts';
import { FakeService } from './testing/service.ts';

let service: FakeService;
beforeEach(async () => {
  service = await new FakeService().start();
});
afterEach(async () => {
  closeConnections();
  await service.close();
});

const NOW = Date.UTC(2026, 10, 22);

function sender(said: string[], waits: number[], stop = new AbortController().signal): Sender {
  let now = NOW;
  return new Sender({
    url: `${service.address}/v1/logs/tail`,
    key: { read: () => 'gl_test_key', where: 'GHOSTLIGHT_KEY' },
    isPatient: true,
    patienceMs: Number.POSITIVE_INFINITY,
    say: (sentence) => said.push(sentence),
    stop,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    random: () => 0.5,
  });
}

it('waits longer each time, up to five minutes, and says the same once in a quarter of an hour', async () => {
  const said: string[] = [];
  const waits: number[] = [];
  service.answer = () => (waits.length < 14 ? { status: 500 } : undefined);
  await sender(said, waits).post(gzipSync('{}\n'));
  expect(waits.slice(0, 10)).toEqual(
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1000),
  );
  const busy = said.filter((sentence) => sentence.startsWith('The service is busy'));
  expect(busy.length).toBeGreaterThan(1);
  expect(busy.length).toBeLessThan(4);
  expect(said.at(-1)).toBe('The service takes visits again.');
});

it('leaves nothing behind of a batch that was taken', async () => {
  const stop = new AbortController().signal;
  const one = sender([], [], stop);
  for (let turn = 0; turn < 20; turn += 1) await one.post(gzipSync(`{"turn":${turn}}\n`));
  expect(getEventListeners(stop, 'abort')).toHaveLength(1);
});

it.each([
  [undefined, null],
  ['7', 7_000],
  ['0', 0],
  ['86400', 3_600_000],
  [new Date(NOW + 90_000).toUTCString(), 90_000],
  [new Date(NOW - 90_000).toUTCString(), 0],
  ['soon', null],
])('Retry-After %j is %j', (value, ms) => {
  expect(retryAfterOf(value, NOW)).toBe(ms);
});
