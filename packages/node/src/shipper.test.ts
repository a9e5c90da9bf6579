/** Batches: when they leave, what is done when they are not taken, and what is lost then. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { DebugEvent } from './api.ts';
import { Shipper } from './shipper.ts';
import { KEY, linesOf, NOW, settle, TestReceiver, TestWorld } from './testing/world.ts';

let world: TestWorld;
let service: TestReceiver;
let said: string[];
let events: DebugEvent[];
let shipper: Shipper;
const start = (maxQueue = 5_000): void => {
  shipper = new Shipper({
    ...{ fetch: service.fetch, url: 'https://ghostlight.example/v1/logs/node', key: KEY, maxQueue },
    ...{ now: world.now, random: world.random, later: world.later },
    say: (sentence) => void said.push(sentence),
    debug: (event) => void events.push(event),
  });
};
beforeEach(() => {
  world = new TestWorld();
  service = new TestReceiver();
  said = [];
  events = [];
  start();
});

const add = (count: number, from = 0): void => {
  for (let number = from; number < from + count; number += 1) shipper.add(JSON.stringify({ number }));
};
const numbers = (body: string): unknown[] => linesOf(body).map(({ number }) => number);
const taken = (): Response => Response.json({ kept: 3, dropped: 0, duplicate: 0, rejected: 0 });
const person = { isBot: false, isFile: false };

describe('a batch', () => {
  it('leaves with 100 visits at once, or with fewer after ten seconds', async () => {
    add(250);
    await world.pass(0);
    expect(service.posts.map(({ body }) => linesOf(body).length)).toEqual([100, 100]);
    await world.pass(9_999);
    expect(service.posts).toHaveLength(2);
    await world.pass(1);
    expect(service.posts.map(({ body }) => linesOf(body).length)).toEqual([100, 100, 50]);
    expect(shipper.waiting).toBe(0);
    expect(world.timers).toBe(0);
  });

  it('carries the key, and the numbers of other requests, which alone leave after a minute', async () => {
    shipper.count(NOW, 'shop.example', person);
    shipper.count(NOW, 'shop.example', { isBot: true, isFile: true });
    await world.pass(59_999);
    expect(service.posts).toEqual([]);
    await world.pass(1);
    expect(linesOf(service.posts[0]?.body ?? '')).toEqual([
      {
        counted: {
          ...{ hour: NOW, minutes: 15, host: 'shop.example', id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
          ...{ people_pages: 1, people_files: 0, bot_pages: 0, bot_files: 1 },
        },
      },
    ]);
    expect(service.posts[0]?.headers.get('x-api-key')).toBe(KEY);
    shipper.count(NOW, 'shop.example', person);
    add(1);
    await world.pass(10_000);
    expect(linesOf(service.posts[1]?.body ?? '')).toMatchObject([
      { number: 0 },
      { counted: { people_pages: 1 } },
    ]);
  });

  it('is not larger than half a MiB', async () => {
    for (let turn = 0; turn < 5; turn += 1) shipper.add('x'.repeat(200_000));
    await world.pass(60_000);
    expect(service.posts.map(({ body }) => body.length)).toEqual([400_002, 400_002, 200_001]);
  });

  it('adds up what the service answers', async () => {
    service.answer = () => Response.json({ kept: 1, dropped: 2, duplicate: 1, rejected: 1 });
    add(4);
    shipper.count(NOW, 'shop.example', person);
    await world.pass(10_000);
    // Numbers are dropped by the service as what they are: no visits.
    expect(shipper.answered).toEqual({ kept: 1, dropped: 1, duplicate: 1, rejected: 1 });
    expect(events).toEqual([{ type: 'sent', visits: 4, kept: 1, dropped: 1, duplicate: 1, rejected: 1 }]);
  });
});

describe('a service that is down', () => {
  it('is asked again after longer and longer pauses, with the same bytes', async () => {
    service.answer = () => null;
    add(3);
    await world.pass(10_000);
    expect(service.posts).toHaveLength(1);
    add(3, 3);
    shipper.count(NOW, 'shop.example', person);
    await world.pass(7_000);
    expect(service.posts).toHaveLength(4);
    expect(new Set(service.posts.map(({ body }) => body)).size).toBe(1);
    await world.pass(3_600_000);
    const before = service.posts.length;
    expect(before).toBeLessThan(25);
    service.answer = taken;
    await world.pass(300_000);
    expect(service.posts.slice(before).map(({ body }) => numbers(body).slice(0, 3))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(said).toEqual([
      "The service can't be reached at https://ghostlight.example/v1/logs/node. Visits wait.",
      'The service takes visits again.',
    ]);
    expect(shipper.problem).toBeNull();
    expect(shipper.answered.kept).toBe(6);
  });

  it('says itself how long it wants to be left alone', async () => {
    service.answer = () => new Response(null, { status: 503, headers: { 'Retry-After': '120' } });
    add(1);
    await world.pass(10_000 + 119_999);
    expect(service.posts).toHaveLength(1);
    await world.pass(1);
    expect(service.posts).toHaveLength(2);
  });

  it('costs the oldest visits where more wait than may, and they are counted', async () => {
    start(10);
    service.answer = () => null;
    add(4);
    await world.pass(10_000);
    add(16, 4);
    expect(shipper.waiting).toBe(4 + 10);
    expect(shipper.lost).toBe(6);
    expect(events.filter(({ type }) => type === 'dropped')).toHaveLength(6);
    service.answer = taken;
    await world.pass(60_000);
    expect(service.posts.at(-1)?.body.split('\n').length).toBe(11);
    expect(numbers(service.posts.at(-1)?.body ?? '')).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it('costs no more than 16 MiB of memory', () => {
    for (let turn = 0; turn < 100; turn += 1) shipper.add('x'.repeat(1024 * 1024));
    expect(shipper.waiting).toBe(16);
    expect(shipper.lost).toBe(84);
  });

  it('costs numbers rather than giving a part of them for the whole', async () => {
    service.answer = () => null;
    shipper.count(NOW, 'shop.example', person);
    await world.pass(60_000);
    for (let hour = 0; hour < 501; hour += 1) shipper.count(NOW + hour * 3_600_000, 'shop.example', person);
    expect(shipper.lostOthers).toBe(500);
  });
});

describe('a refusal', () => {
  it('of the key is said once, and asked again with back-off', async () => {
    service.answer = () => Response.json({ detail: 'The key was revoked.' }, { status: 401 });
    add(1);
    await world.pass(10_000);
    await world.pass(1_800_000);
    expect(said).toEqual([
      'The service refuses the key (401): it is wrong, expired or revoked. Issue an ingest key and restart with it. It says: The key was revoked. Visits wait.',
    ]);
    expect(service.posts.length).toBeGreaterThan(4);
    expect(service.posts.length).toBeLessThan(12);
    expect(said.join()).not.toContain(KEY);
    expect(shipper.waiting).toBe(1);
  });

  it.each([400, 422])('of the batch itself (%d) costs that batch alone', async (status) => {
    let first = true;
    service.answer = () => (first ? new Response(null, { status }) : taken());
    add(101);
    shipper.count(NOW, 'shop.example', person);
    shipper.count(NOW, 'shop.example', person);
    await world.pass(0);
    first = false;
    await world.pass(10_000);
    expect(shipper.lost).toBe(100);
    expect(shipper.lostOthers).toBe(2);
    expect(shipper.sent).toBe(1);
    expect(events).toContainEqual({ type: 'dropped', visits: 100, reason: 'refused' });
  });

  it('of its size sends it in halves, and leaves out what is too large by itself', async () => {
    service.answer = () => {
      const { body = '' } = service.posts.at(-1) ?? {};
      return body.length > 30 || body.includes(':3}') ? new Response(null, { status: 413 }) : taken();
    };
    add(8);
    await world.pass(60_000);
    const good = service.posts.filter(({ body }) => body.length <= 30 && !body.includes(':3}'));
    expect(good.flatMap(({ body }) => numbers(body))).toEqual([0, 1, 2, 4, 5, 6, 7]);
    expect([shipper.sent, shipper.lost, shipper.waiting]).toEqual([7, 1, 0]);
  });

  it.each([
    ['a page', 200, '<!doctype html><title>Welcome</title>'],
    ['nothing', 204, null],
    ['JSON of something else', 201, '{"ok":true}'],
    ['a JSON text', 200, '"kept"'],
  ])('by %s instead of the report (%d) loses nothing, and a problem is shown', async (_, status, body) => {
    service.answer = () => new Response(body, { status });
    add(2);
    shipper.count(NOW, 'shop.example', person);
    await world.pass(10_000);
    const problem = `No service takes visits at url (${status}, but no report). Copy it from the setup page.`;
    expect(shipper.problem).toBe(problem);
    expect(said).toEqual([`${problem} Visits wait.`]);
    expect([shipper.sent, shipper.lost, shipper.waiting]).toEqual([0, 0, 2]);
    expect(events.map(({ type }) => type)).toEqual(['failed']);
    service.answer = taken;
    await world.pass(300_000);
    expect([shipper.sent, shipper.lost, shipper.problem]).toEqual([2, 0, null]);
    expect(new Set(service.posts.map(({ body: sent }) => sent)).size).toBe(1);
  });

  it.each([301, 403, 404, 405])('that a person must end (%d) loses nothing', async (status) => {
    service.answer = () => new Response(null, { status });
    add(2);
    await world.pass(10_000);
    service.answer = taken;
    await world.pass(300_000);
    expect([shipper.sent, shipper.lost]).toEqual([2, 0]);
  });
});

it('is drained at once, whatever is due, and gives up after one attempt that fails', async () => {
  add(250);
  shipper.count(NOW, 'shop.example', person);
  await shipper.drain();
  expect(shipper.isIdle).toBe(true);
  expect(service.posts).toHaveLength(3);
  service.answer = () => null;
  add(1);
  await shipper.drain();
  expect(service.posts).toHaveLength(4);
  expect(shipper.isIdle).toBe(false);
});

it('tells who waits for it when a batch was tried', async () => {
  let done = 0;
  await shipper.tried();
  add(1);
  void shipper.tried().then(() => done++);
  await settle();
  expect(done).toBe(0);
  await world.pass(10_000);
  expect(done).toBe(1);
  service.answer = () => null;
  add(1);
  void shipper.tried().then(() => done++);
  await world.pass(10_000);
  expect(done).toBe(2);
});
