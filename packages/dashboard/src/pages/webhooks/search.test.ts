import { expect, it } from 'vitest';
import { readWebhooksSearch } from './search.ts';

it('reads the view and its choices, and nothing else', () => {
  const search = { view: 'activity', topic: 'lead', language: 'php', size: 'full', request: 'r1' };
  const filters = { status: 'rate_limited', matched: 'no', q: 'ord_' };
  expect(readWebhooksSearch({ ...search, ...filters, x: 1 })).toEqual({ ...search, ...filters });
  expect(readWebhooksSearch({ view: 'attic', topic: 7, language: null, size: [], request: {} })).toEqual({});
  expect(readWebhooksSearch({ status: 'lost', matched: true, q: 7 })).toEqual({});
});

it('leaves out defaults', () => {
  expect(
    readWebhooksSearch({ view: 'receive', topic: 'purchase', language: 'curl', size: 'minimal' }),
  ).toEqual({});
});
