import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { CommandContext, Leaf } from './command.ts';
import { type LiveItem, lineOf, logs } from './logs.ts';

const item = (more: Partial<LiveItem> = {}): LiveItem => ({
  id: 'a',
  at: '2026-03-15T12:00:01.000Z',
  received_at: '2026-03-15T12:00:02.000Z',
  class: 'ai_bot',
  bot_name: 'GPTBot',
  verified: true,
  method: 'GET',
  host: 'shop.example',
  path: '/a',
  status: 200,
  country: 'US',
  referrer_engine: '',
  event_name: '',
  ...more,
});
const shown = (more: Partial<LiveItem>) => stripVTControlCharacters(lineOf(item(more)));

it('shows a visit in a line: when, who, how surely, and what was read', () => {
  expect(shown({})).toBe('12:00:01  GPTBot                verified  200  GET shop.example/a  US');
  expect(shown({ verified: null })).toContain('  unknown   200');
  expect(shown({ verified: false, status: 404 })).toContain('  spoofed   404');
});

it('cuts the request where the line would not fit in the terminal, and a pipe gets it whole', () => {
  const long = item({ path: `/${'a'.repeat(200)}` });
  const [narrow, wide] = [80, 160].map((room) => stripVTControlCharacters(lineOf(long, room)));
  expect([narrow?.length, wide?.length]).toEqual([80, 160]);
  expect(narrow).toMatch(/GET shop\.example\/a+… {2}US$/);
  expect(shown({ path: `/${'a'.repeat(200)}` }).length).toBeGreaterThan(200);
});

it('shows people and events as what they are, without a verdict', () => {
  const person = { class: 'ai_referral', bot_name: '', verified: null, referrer_engine: 'ChatGPT' };
  expect(shown(person)).toContain('from ChatGPT                    200');
  const event = {
    class: 'event',
    bot_name: '',
    verified: null,
    event_name: 'page_view',
    status: 0,
    country: '',
  };
  expect(shown(event)).toMatch(/page_view {23}– {4}GET shop\.example\/a$/);
});

it('lets no stored text drive the terminal', () => {
  const line = lineOf(item({ path: '/\u001b[2J', bot_name: 'x\u202e' }));
  expect(line).toContain('shop.example/�[2J');
  expect(line).toContain('x�');
});

const tail = logs.subcommands[0] as Leaf;

function contextOf(
  options: Readonly<Record<string, string | true>>,
  answers: Readonly<Record<string, unknown>>,
): { context: CommandContext; asked: string[] } {
  const asked: string[] = [];
  const call = async (_method: string, path: string) => {
    asked.push(path);
    return answers[path.split('?')[0] ?? ''];
  };
  const option = (name: string) => {
    const value = options[name];
    return typeof value === 'string' ? value : undefined;
  };
  const context = {
    argument: (name: string) => option(name) ?? '',
    option,
    number: (name: string) => (option(name) === undefined ? undefined : Number(option(name))),
    flag: (name: string) => options[name] === true,
    service: { call },
  };
  return { context: context as unknown as CommandContext, asked };
}
const LIVE = '/api/v1/properties/only/live';

it('needs no property where there is only one, and passes the filters on', async () => {
  const { context, asked } = contextOf(
    { once: true, bot: 'GPTBot', lines: '2' },
    {
      '/api/v1/properties': { items: [{ id: 'only' }] },
      [LIVE]: { items: [item({ path: '/new' }), item({ path: '/old' })] },
    },
  );
  const answer = await tail.run(context);
  expect(asked).toEqual(['/api/v1/properties', `${LIVE}?bot=GPTBot&limit=2`]);
  expect([answer?.text].flat().map((line) => /\/(old|new)/.exec(line ?? '')?.[1])).toEqual(['old', 'new']);
});

it('asks which one where there are several, and says what to do where there is none', async () => {
  const items = [{ id: 'a' }, { id: 'b' }];
  await expect(tail.run(contextOf({}, { '/api/v1/properties': { items } }).context)).rejects.toThrow(
    /several/,
  );
  await expect(tail.run(contextOf({}, { '/api/v1/properties': { items: [] } }).context)).rejects.toThrow(
    /no property yet/,
  );
});

it.each(['0', '501', '1.5'])('refuses %s lines', async (lines) => {
  await expect(tail.run(contextOf({ lines, PROPERTY: 'only' }, {}).context)).rejects.toThrow(/from 1 to 500/);
});
