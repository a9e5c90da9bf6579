/** The lists of a process that lives long: when they are asked for, and what is waited for. */
import { expect, it } from 'vitest';
import { publishedLists } from '../../collector/src/testing/lists.ts';
import { createServedLists, type Lists } from './lists.ts';
import { SERVICE, TestReceiver, TestWorld } from './testing/world.ts';

const HOUR = 3_600_000;

function start(): { lists: Lists; world: TestWorld; asked: () => number; service: TestReceiver } {
  const world = new TestWorld();
  const service = new TestReceiver();
  let asked = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    expect(String(input)).toBe(`${SERVICE}/v1/config/ai-bots`);
    asked += 1;
    return service.fetch(input, init);
  };
  const log = (): void => {};
  const lists = createServedLists({ fetch, now: world.now, random: world.random, log }, SERVICE);
  return { lists, world, service, asked: () => asked };
}

it('are those of the package until the service has answered, which many visits wait for together', async () => {
  const { lists, service, asked } = start();
  service.lists = () => Response.json(publishedLists());
  expect([lists.current().origin, lists.areExpected()]).toEqual(['embedded', true]);
  expect(lists.current().compiled.tokens.match('GPTBot/1.2')).toMatchObject({ bot_name: 'GPTBot' });
  const all = await Promise.all(Array.from({ length: 50 }, () => lists.renewed()));
  expect(new Set(all.map(({ origin }) => origin))).toEqual(new Set(['served']));
  expect([asked(), lists.areExpected()]).toEqual([1, false]);
});

it('are renewed after six hours, more or less by a tenth', async () => {
  const { lists, service, asked, world } = start();
  service.lists = () => Response.json(publishedLists());
  for (const drawn of [0, 0.999]) {
    world.drawn = drawn;
    await lists.renewed();
    const before = asked();
    await world.pass((6 + (drawn - 0.5) * 1.2) * HOUR - 120_000);
    await lists.renewed();
    expect(asked()).toBe(before);
    await world.pass(240_000);
    await lists.renewed();
    expect(asked()).toBe(before + 1);
    await world.pass(7 * HOUR);
  }
});

it('are not waited for again while the service does not answer', async () => {
  const { lists, asked, world } = start();
  expect((await lists.renewed()).origin).toBe('embedded');
  expect(lists.areExpected()).toBe(false);
  for (let turn = 0; turn < 10; turn += 1) await lists.renewed();
  expect(asked()).toBe(1);
  await world.pass(6 * 60_000);
  expect(lists.areExpected()).toBe(true);
  await lists.renewed();
  expect(asked()).toBe(2);
});
