import { expect, it } from 'vitest';
import { readWebhooksSearch } from './search.ts';

it('reads the view and its choices, and nothing else', () => {
  const search = { view: 'activity', topic: 'lead', language: 'php', size: 'full', request: 'r1' };
  expect(readWebhooksSearch({ ...search, x: 1 })).toEqual(search);
  expect(readWebhooksSearch({ view: 'attic', topic: 7, language: null, size: [], request: {} })).toEqual({});
});

it('leaves out defaults', () => {
  expect(
    readWebhooksSearch({ view: 'receive', topic: 'purchase', language: 'curl', size: 'minimal' }),
  ).toEqual({});
});
