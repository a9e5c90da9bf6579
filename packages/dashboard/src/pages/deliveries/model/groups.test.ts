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
    byConversion(items).map(({ item, follows }) => [item.conversion, item.destination.name, follows]),
  ).toEqual([
    ['b', 'CRM', false],
    ['b', 'Meta', true],
    ['a', 'CRM', false],
    ['a', 'TikTok', true],
    ['b', 'Ads', false],
  ]);
});

it('is empty for an empty list', () => {
  expect(byConversion([])).toEqual([]);
});
