/** Numbers of other requests against the service's real intake, which takes each batch once. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Harness, KEY, NOW, PROPERTY, startIngest } from '../../server/src/ingest/testing/harness.ts';
import { Shipper } from './shipper.ts';
import { TestWorld } from './testing/world.ts';

const person = { isBot: false, isFile: false };
let ingest: Harness;
let said: string[];
/** Answers that are still to be lost on their way. */
let toLose: number;
beforeEach(async () => {
  ingest = await startIngest();
  said = [];
  toLose = 0;
});
afterEach(() => ingest.close());

/** An instance of the application; all of them have one key. */
function instance(): Shipper {
  const world = new TestWorld();
  return new Shipper({
    ...{ now: world.now, random: world.random, later: world.later, key: KEY, maxQueue: 100 },
    url: `${ingest.url}/v1/logs/node?attribution_id=${PROPERTY}`,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (toLose === 0) return response;
      toLose -= 1;
      await response.body?.cancel();
      throw new TypeError('fetch failed');
    },
    say: (sentence) => void said.push(sentence),
    debug: () => {},
  });
}

const people = (): number => ingest.spool.counted.reduce((sum, { weight }) => sum + weight, 0);

it('counts equal minutes of a quiet site, each of them', async () => {
  const shipper = instance();
  for (let minute = 0; minute < 3; minute += 1) {
    shipper.count(NOW, 'shop.example', person);
    await shipper.drain();
  }
  expect(people()).toBe(3);
});

it('counts what two instances with one key have counted alike', async () => {
  for (const shipper of [instance(), instance()]) {
    shipper.count(NOW, 'shop.example', person);
    shipper.count(NOW, 'shop.example', { isBot: true, isFile: true });
    await shipper.drain();
  }
  expect(people()).toBe(4);
});

it('counts once what is sent again because the answer was lost', async () => {
  const shipper = instance();
  shipper.count(NOW, 'shop.example', person);
  toLose = 2;
  for (let turn = 0; turn < 3; turn += 1) await shipper.drain();
  expect(said.at(-1)).toBe('The service takes visits again.');
  expect(shipper.isIdle).toBe(true);
  expect(people()).toBe(1);
  expect(ingest.spool.repeated).toBeGreaterThan(0);
});
