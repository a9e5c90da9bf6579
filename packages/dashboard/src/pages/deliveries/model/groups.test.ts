import { expect, it } from 'vitest';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { byConversion } from './groups.ts';

const sent = (conversion: string, name: string, status: Delivery['status'] = 'retry') => ({
  conversion,
  status,
  destination: { id: `dst_${name}`, name, deleted: false },
});
const named = (of: readonly ReturnType<typeof sent>[]) => of.map(({ destination }) => destination.name);
const told = (items: readonly ReturnType<typeof sent>[], folds = true) =>
  byConversion(items, folds).map(({ conversion, shown, folded }) => [
    conversion,
    named(shown),
    named(folded),
  ]);

it('keeps the order of conversions, and lists the destinations of each by name', () => {
  const items = [
    sent('b', 'Meta'),
    sent('b', 'CRM'),
    sent('a', 'TikTok'),
    sent('a', 'CRM'),
    sent('b', 'Ads'),
  ];
  expect(told(items)).toEqual([
    ['b', ['CRM', 'Meta'], []],
    ['a', ['CRM', 'TikTok'], []],
    ['b', ['Ads'], []],
  ]);
});

it('folds what was delivered or skipped, where that is more than one line', () => {
  const items = [
    sent('a', 'Meta', 'delivered'),
    sent('a', 'CRM', 'dead'),
    sent('a', 'Ads', 'skipped'),
    sent('b', 'Meta', 'delivered'),
    sent('b', 'CRM', 'unknown'),
    sent('c', 'Meta', 'delivered'),
    sent('c', 'CRM', 'delivered'),
  ];
  expect(told(items)).toEqual([
    ['a', ['CRM'], ['Ads', 'Meta']],
    ['b', ['CRM', 'Meta'], []],
    ['c', [], ['CRM', 'Meta']],
  ]);
  expect(told(items, false).map(([, shown]) => shown)).toEqual([
    ['Ads', 'CRM', 'Meta'],
    ['CRM', 'Meta'],
    ['CRM', 'Meta'],
  ]);
});

it('folds what waits for a paused destination, as what was delivered', () => {
  const items = [sent('a', 'Meta', 'delivered'), sent('a', 'TikTok', 'pending'), sent('a', 'CRM', 'pending')];
  const [group] = byConversion(items, true, new Set(['dst_TikTok']));
  expect([named(group?.shown ?? []), named(group?.folded ?? [])]).toEqual([['CRM'], ['Meta', 'TikTok']]);
});

it('is empty for an empty list', () => {
  expect(byConversion([], true)).toEqual([]);
});
