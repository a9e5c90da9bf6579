import { expect, it } from 'vitest';
import { byConversion } from './groups.ts';

const sent = (conversion: string, name: string) => ({
  conversion,
  destination: { id: `dst_${name}`, name, deleted: false },
});

it('keeps the order of conversions, and lists the destinations of each by name', () => {
  const items = [
    sent('b', 'Meta'),
    sent('b', 'CRM'),
    sent('a', 'TikTok'),
    sent('a', 'CRM'),
    sent('b', 'Ads'),
  ];
  expect(
    byConversion(items).map(({ item, shared }) => [item.conversion, item.destination.name, shared]),
  ).toEqual([
    ['b', 'CRM', 2],
    ['b', 'Meta', 0],
    ['a', 'CRM', 2],
    ['a', 'TikTok', 0],
    ['b', 'Ads', 1],
  ]);
});

it('is empty for an empty list', () => {
  expect(byConversion([])).toEqual([]);
});
