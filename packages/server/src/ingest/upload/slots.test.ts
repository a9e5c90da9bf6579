import { expect, it } from 'vitest';
import { UploadSlots } from './slots.ts';

it('has room for the first upload of an organization where others have taken all there is', () => {
  const slots = new UploadSlots({ perKey: 2, perOrganization: 3, total: 4 });
  const held = ['a1', 'a1', 'a2'].map((key) => slots.take(key, 'a'));
  expect(held.every((release) => release !== null)).toBe(true);
  expect([slots.take('a1', 'a'), slots.take('a3', 'a')]).toEqual([null, null]);
  expect(slots.take('b1', 'b')).not.toBeNull();
  expect(slots.take('b1', 'b')).toBeNull();
  const first = slots.take('c1', 'c');
  expect(first).not.toBeNull();
  expect(slots.take('c1', 'c')).toBeNull();
  first?.();
  held[0]?.();
  expect(slots.take('a3', 'a')).not.toBeNull();
});
