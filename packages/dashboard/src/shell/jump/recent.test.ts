import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetPlaces, recentPlaces, rememberPlace } from './recent.ts';

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const place = (href: string) => ({ text: href, detail: '', href, kind: 'page' });
const hrefs = (caller: string, property: string | null) =>
  recentPlaces(caller, property).map(({ href }) => href);

describe('recent places', () => {
  it('are the last five of the open property and outside of properties, the newest first, each once', () => {
    for (const href of ['/p/a/bots', '/p/b/bots', '/account', '/p/a/live', '/p/a/bots'])
      rememberPlace('ada', place(href));
    expect(hrefs('ada', 'a')).toEqual(['/p/a/bots', '/p/a/live', '/account']);
    expect(hrefs('ada', null)).toEqual(['/account']);
    for (let n = 0; n < 30; n += 1) rememberPlace('ada', place(`/p/a/pages?n=${n}`));
    expect(hrefs('ada', 'a')).toHaveLength(5);
    expect(stored.get('ghostlight.recent')?.length).toBeLessThan(3_000);
  });

  it('are of one caller, and gone after the sign-out', () => {
    rememberPlace('ada', place('/p/a/bots'));
    expect(hrefs('bob', 'a')).toEqual([]);
    rememberPlace('bob', place('/p/a/live'));
    expect(hrefs('ada', 'a')).toEqual([]);
    forgetPlaces();
    expect(hrefs('bob', 'a')).toEqual([]);
  });

  it('ignore what is no place of this site', () => {
    for (const places of [
      null,
      7,
      [null, 7, {}, place('//evil.example'), place('https://evil.example'), place('javascript:1')],
    ])
      for (const value of [JSON.stringify({ caller: 'ada', places }), 'no json']) {
        stored.set('ghostlight.recent', value);
        expect(hrefs('ada', 'a')).toEqual([]);
      }
  });
});
