import { expect, it } from 'vitest';
import { readStreamData } from './stream.ts';

const row = { id: 'a', class: 'ai_bot' };

it('reads one row, a list, and an object with a list', () => {
  expect(readStreamData(JSON.stringify(row))).toEqual([row]);
  expect(readStreamData(JSON.stringify([row, row]))).toHaveLength(2);
  expect(readStreamData(JSON.stringify({ items: [row] }))).toEqual([row]);
});

it('reads nothing from what holds no row', () => {
  for (const data of ['', '{', 'null', '7', '{}', '[null,{"id":1}]', '{"items":[{}]}']) {
    expect(readStreamData(data)).toEqual([]);
  }
});
