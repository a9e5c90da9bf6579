import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAddress } from './arrival.ts';

interface Case {
  why: string;
  location: string;
  expect: { landing: { host: string; path: string }; utm: object; clickIds: object } | null;
}
const vectors = new URL('../../core/vectors/conversion-channels.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, 'utf8')) as { cases: Case[] };
const arrivals = cases.flatMap(({ expect: expected, ...rest }) => (expected ? [{ ...rest, expected }] : []));

describe('an address says to the SDK what it says to the service', () => {
  it.each(arrivals)('$why', ({ location, expected }) => {
    const { page_location, utm, click_ids } = readAddress(location);
    expect({ utm, clickIds: click_ids }).toEqual({ utm: expected.utm, clickIds: expected.clickIds });
    // What the SDK has cut to tags alone is read again by the service.
    expect(readAddress(page_location)).toEqual({ page_location, utm, click_ids });
    expect(new URL(page_location)).toMatchObject({ hostname: expected.landing.host });
  });
});

describe('what an address must not tell', () => {
  it.each([
    ['https://shop.example/reset?token=abc&email=a@b.example#access_token=x', 'https://shop.example/reset'],
    ['https://user:secret@shop.example/', 'https://shop.example/'],
    ['https://shop.example/u/jane%40mail.example/orders', 'https://shop.example/u/***/orders'],
    ['https://shop.example/u/jane%2540mail.example', 'https://shop.example/u/***'],
    ['https://shop.example/call/%2B49%2030%20901820', 'https://shop.example/call/***'],
    [
      'https://shop.example/?utm_campaign=for+jane@mail.example',
      'https://shop.example/?utm_campaign=for+***',
    ],
    ['https://shop.example/?gclid=a"b&fbclid=%0d%0a', 'https://shop.example/'],
    [`https://shop.example/?gclid=${'a'.repeat(501)}`, 'https://shop.example/'],
    ['android-app://com.google.android.gm/', 'android-app://com.google.android.gm/'],
    ['', ''],
    ['no address', ''],
  ])('%s', (address, told) => {
    expect(readAddress(address).page_location).toBe(told);
  });

  it('keeps article numbers and times, which are no telephone numbers', () => {
    const address = 'https://shop.example/p/4006381333931/1796169600000';
    expect(readAddress(address).page_location).toBe(address);
  });
});
