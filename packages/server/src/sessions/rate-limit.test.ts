import { expect, it } from 'vitest';
import { createPlaces } from './rate-limit.ts';

it('holds so many places for one key and so many in all, and gives them back', () => {
  const places = createPlaces(2, 3);
  const held = [places.take('a'), places.take('a')];
  expect(held).not.toContain(null);
  expect(places.take('a')).toBeNull();
  expect(places.take('b')).not.toBeNull();
  expect(places.take('c')).toBeNull();
  held[0]?.();
  expect(places.take('c')).not.toBeNull();
  held[1]?.();
  expect(places.take('a')).not.toBeNull();
});
