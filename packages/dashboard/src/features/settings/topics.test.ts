import { expect, it } from 'vitest';
import { readSettingsSearch, searchOf, TOPICS } from './topics.ts';

it('opens the first topic at the address of the page, and for a topic that there is not', () => {
  expect(searchOf('general')).toEqual({});
  expect(searchOf('lists')).toEqual({ view: 'lists' });
  for (const view of ['general', 'nothing', 7, undefined]) expect(readSettingsSearch({ view })).toEqual({});
});

it('gives every setting an address of its own', () => {
  const ids = TOPICS.flatMap(({ settings }) => settings.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});
