import { describe, expect, it } from 'vitest';
import { changesOf } from './index.ts';

describe('what a change was', () => {
  it('is the values before and after, of what differs', () => {
    const before = { name: 'Shop', domain: 'shop.example', enabled: true, kinds: null, days: 7 };
    const after = { name: 'Shop 2', domain: 'shop.example', enabled: false, kinds: ['spike'], days: 30 };
    expect(changesOf(before, after)).toEqual([
      { what: 'name', before: 'Shop', after: 'Shop 2' },
      { what: 'enabled', before: true, after: false },
      { what: 'kinds', before: null, after: '["spike"]' },
      { what: 'days', before: 7, after: 30 },
    ]);
    expect(changesOf(before, before)).toEqual([]);
  });

  it('has texts of bounded length, cut between characters', () => {
    const [change] = changesOf({ name: '' }, { name: '😀'.repeat(500) });
    expect(String(change?.after).length).toBeLessThanOrEqual(201);
    expect(String(change?.after).isWellFormed()).toBe(true);
  });
});
