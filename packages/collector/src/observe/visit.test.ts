/** What is read of a request is what the service's decoder would make of it. */
import { FIELD_LIMITS } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOwnSubrequest } from './observer.ts';
import { cut, parseQuery } from './text.ts';
import { traitsOf, visitOf } from './visit.ts';

describe('a query', () => {
  it.each([
    ['', {}],
    ['?', {}],
    ['?a=1&b=2&a=3', { a: '1', b: '2' }],
    ['?q=a+b%20c&empty=&flag', { q: 'a b c', empty: '', flag: '' }],
    ['?bad=%zz%ff', { bad: '%zz\ufffd' }],
    ['?__proto__=1', JSON.parse('{"__proto__":"1"}')],
  ])('%j', (search, expected) => {
    expect(Object.fromEntries(parseQuery(search))).toEqual(expected);
  });

  it('keeps to its limits and to what JSON can carry, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))),
        (pairs) => {
          const query = parseQuery(
            `?${new URLSearchParams(pairs.map(([a, b]) => [a.repeat(20), b.repeat(200)]))}`,
          );
          expect(query.size).toBeLessThanOrEqual(FIELD_LIMITS.queryParams);
          for (const [name, value] of query) {
            expect(name.length).toBeLessThanOrEqual(FIELD_LIMITS.queryKey);
            expect(value.length).toBeLessThanOrEqual(FIELD_LIMITS.queryValue);
            expect(name.isWellFormed() && value.isWellFormed()).toBe(true);
          }
        },
      ),
    );
  });

  it('of more names than are kept is cut, and nothing after them counts', () => {
    const many = Array.from({ length: 100 }, (_, n) => `p${n}=1`).join('&');
    const query = parseQuery(`?${many}&p0=last`);
    expect(query.size).toBe(64);
    expect(query.get('p0')).toBe('1');
  });
});

it('a text that is cut through a surrogate pair can still be stored', () => {
  expect(cut('ab💥', 3)).toBe('ab\ufffd');
  expect(cut('ab💥', 4)).toBe('ab💥');
});

describe('the request’s id', () => {
  const rayOf = (ray: string): string => {
    const url = new URL('https://shop.example/');
    const request = new Request(url, { headers: { 'cf-ray': ray } });
    return visitOf(request, url, traitsOf(request, url), 0).rayId;
  };

  it.each([
    ['8f2d1c0b9a8e7d6c-FRA', '8f2d1c0b9a8e7d6c'],
    ['8F2D1C0B9A8E7D6C', '8f2d1c0b9a8e7d6c'],
  ])('%s is %s, as log push has it', (ray, id) => expect(rayOf(ray)).toBe(id));

  it.each(['', 'two words', 'a'.repeat(65), '-FRA'])('%j is none, so one is made', (ray) => {
    expect(rayOf(ray)).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('a request of the zone’s own Worker', () => {
  it.each([
    ['shop.example', 'shop.example', true],
    ['shop.example', 'www.shop.example', true],
    ['Shop.Example', 'shop.example', true],
    ['www.shop.example', 'shop.example', false],
    ['op.example', 'shop.example', false],
    ['other.example', 'shop.example', false],
    ['', 'shop.example', false],
  ])('of zone %j asking %s: %s', (zone, host, own) => {
    expect(isOwnSubrequest(new Headers({ 'cf-worker': zone }), host)).toBe(own);
  });

  it('is no visitor’s', () => expect(isOwnSubrequest(new Headers(), 'shop.example')).toBe(false));
});
