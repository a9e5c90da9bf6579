import { expect, it } from 'vitest';
import { uuid } from './environment.ts';

it('makes random UUIDs of version 4', () => {
  const made = Array.from({ length: 1_000 }, uuid);
  expect(new Set(made).size).toBe(1_000);
  for (const id of made) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  // Every hexadecimal digit stands somewhere in every free place.
  for (const place of [0, 7, 9, 15, 20, 35]) expect(new Set(made.map((id) => id[place])).size).toBe(16);
});
