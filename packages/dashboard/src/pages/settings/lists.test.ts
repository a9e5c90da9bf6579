import { expect, it } from 'vitest';
import type { ListSource } from '../../api/types.ts';
import { ageOf, byAge, contentOf, isOld, LIST_GROUPS, lastTried, listName, stateOfLists } from './lists.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const READ: ListSource = {
  source: 'openai-gptbot',
  kind: 'ranges',
  url: 'https://openai.com/gptbot.json',
  bots: ['GPTBot'],
  search_crawlers: false,
  entries: 21,
  skipped: 0,
  fetched_at: '2026-11-21T03:00:00Z',
  as_of: null,
  checked_at: '2026-11-21T03:00:00Z',
  error: null,
};
const COPY: ListSource = { ...READ, fetched_at: null, as_of: 'GitHub, 2026-08-22' };
const EMPTY: ListSource = { ...READ, fetched_at: null, entries: 0 };
const FAILED: ListSource = { ...READ, error: 'http_403' };

it('says that all are current, or how many are not, and why', () => {
  expect(stateOfLists([READ, READ], NOW)).toEqual({ isCurrent: true, title: '2 lists, all current' });
  expect(stateOfLists([READ, COPY, EMPTY, FAILED], NOW)).toEqual({
    isCurrent: false,
    title:
      '1 of 4 lists could not be updated: the reason is below it. ' +
      '1 of 4 lists is older than 7 days: it still confirms real bots, but can’t mark fakes. ' +
      '1 of 4 lists isn’t loaded, so visits from its bots can’t be checked against it.',
  });
});

it('counts a list once, by its worst state', () => {
  const unreachable = [COPY, EMPTY].map((source) => ({ ...source, error: 'timeout' }));
  expect(stateOfLists(unreachable, NOW).title).toBe(
    '2 of 2 lists could not be updated: the reason is below each.',
  );
});

it('calls a list old from the day on which verification no longer marks fakes by it', () => {
  const late = { ...READ, fetched_at: '2026-11-21T23:00:00Z' };
  expect(isOld(late, Date.parse('2026-11-28T23:59:59Z'))).toBe(false);
  expect(isOld(late, Date.parse('2026-11-29T00:00:00Z'))).toBe(true);
});

it('calls a list old by its reading, or by its copy while that is in use', () => {
  expect(isOld(READ, NOW)).toBe(false);
  expect(isOld(READ, NOW + 9 * 86_400_000)).toBe(true);
  expect(isOld({ ...COPY, as_of: '2026-11-20' }, NOW)).toBe(false);
  expect(isOld({ ...COPY, as_of: 'not dated' }, NOW)).toBe(true);
  expect(isOld(EMPTY, NOW)).toBe(false);
});

it('says of each list how old it is, and marks what needs a look', () => {
  expect(ageOf(READ, NOW)).toEqual({ tone: null, title: 'Today' });
  expect(ageOf(READ, NOW + 86_400_000)).toEqual({ tone: null, title: 'Yesterday' });
  expect(ageOf(COPY, NOW)).toEqual({ tone: 'wait', title: '91 days ago' });
  expect(ageOf({ ...COPY, as_of: 'not dated' }, NOW)).toEqual({ tone: 'wait', title: 'Day unknown' });
});

it('begins with what needs a look', () => {
  expect(byAge([READ, EMPTY, COPY, FAILED])).toEqual([FAILED, EMPTY, COPY, READ]);
});

it('knows when a list was last tried', () => {
  expect(lastTried([{ ...READ, checked_at: null }])).toBeNull();
  const later = { ...FAILED, checked_at: '2026-11-21T04:00:00Z' };
  expect(lastTried([READ, later, { ...READ, checked_at: null }])).toBe(later.checked_at);
});

it('has each list in one group, by the bots that it is for', () => {
  for (const source of [
    READ,
    { ...READ, search_crawlers: true },
    { ...READ, kind: 'list', bots: [] },
    { ...READ, kind: 'keys' },
  ] as const)
    expect(LIST_GROUPS.filter(({ holds }) => holds(source))).toHaveLength(1);
  // One that is not loaded is in a group of those, and says what it will hold.
  expect(contentOf(EMPTY)).toBe('AI bot addresses');
  expect(contentOf({ ...EMPTY, search_crawlers: true })).toBe('Search crawler addresses');
  expect(contentOf({ ...EMPTY, kind: 'keys' })).toBe('Signing keys');
  expect(listName({ ...READ, bots: ['ClaudeBot', 'Claude-User'] })).toBe('ClaudeBot, Claude-User');
  expect(listName({ ...READ, bots: [] })).toBe('All AI bots');
});
