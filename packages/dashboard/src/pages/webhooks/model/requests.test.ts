import { expect, it } from 'vitest';
import type { ActivityItem } from '../../../features/webhooks/api.ts';
import { chosenRequests } from './requests.ts';

const request = (id: string, rest: Partial<ActivityItem>): ActivityItem =>
  ({ id, status: 'success', session_matched: true, conversion_id: id, ...rest }) as ActivityItem;

const ITEMS = [
  request('ord_1', {}),
  request('ORD_2', { session_matched: false }),
  request('refused', { status: 'auth_error', session_matched: false, conversion_id: null }),
];
const ids = (filters: Parameters<typeof chosenRequests>[1]) =>
  chosenRequests(ITEMS, filters).map(({ id }) => id);

it('filters by a part of the conversion id, in any letter case', () => {
  expect(ids({ q: ' ord_' })).toEqual(['ord_1', 'ORD_2']);
  expect(ids({ q: 'nothing' })).toEqual([]);
  expect(ids({})).toEqual(['ord_1', 'ORD_2', 'refused']);
});

it('calls only a recorded request unmatched', () => {
  expect(ids({ matched: 'yes' })).toEqual(['ord_1']);
  expect(ids({ matched: 'no' })).toEqual(['ORD_2']);
  expect(ids({ matched: 'no', q: '1' })).toEqual([]);
});
