import { expect, it } from 'vitest';
import { isFiltered, listQuery, readDeliverySearch, replayOrder } from './search.ts';

const period = { from: '2026-11-01', to: '2026-11-21' };
const search = readDeliverySearch({
  status: 'dead',
  destination: 'dst_1',
  topic: 'purchase',
  reason: '100/33',
  q: ' order ',
  view: 'list',
  open: 'dlv_1',
});

it('builds the list query with the names of the API', () => {
  expect(listQuery(search, period)).toEqual({
    from: '2026-11-01',
    to: '2026-11-21',
    status: 'dead',
    destination: 'dst_1',
    topic: 'purchase',
    reason: '100/33',
    q: 'order',
  });
  expect(isFiltered({ view: 'accuracy', period: 'last_7_days', open: 'x' })).toBe(false);
});

it('replays with the filters that a replay supports', () => {
  expect(replayOrder(search, period)).toEqual({
    status: 'dead',
    destination: 'dst_1',
    reason: '100/33',
    from: '2026-11-01',
    to: '2026-11-21',
  });
});

it('ignores unknown search parameters', () => {
  expect(
    readDeliverySearch({ status: 'eaten', topic: 'theft', view: 'x', days: 8, platform: {}, q: ' ' }),
  ).toEqual({});
});
