/** Whose address counts, by what the application says of its proxies. */
import { expect, it } from 'vitest';
import { addressOf, trustOf } from './client-address.ts';
import type { Incoming } from './incoming.ts';

const seen = (trust: unknown, peer: string, headers: Record<string, string> = {}): string | null => {
  const read = trustOf(trust);
  if (read === null) throw new Error('no form of trustProxy');
  const incoming: Incoming = {
    ...{ method: 'GET', target: '/', peer, encrypted: false },
    header: (name) => headers[name] ?? '',
    headers: () => new Headers(headers),
  };
  return addressOf(incoming, read);
};
const forwarded = (value: string) => ({ 'x-forwarded-for': value });

it.each([
  ['is who connected, where nothing speaks of a proxy', undefined, '203.0.113.9', {}, '203.0.113.9'],
  [
    'is unknown behind a proxy of which nothing was said',
    undefined,
    '203.0.113.9',
    forwarded('6.6.6.6'),
    null,
  ],
  ['is unknown where another machine of the network connects', undefined, '10.0.0.7', {}, null],
  ['is unknown where a CDN connects', undefined, '104.16.0.1', {}, null],
  [
    'is who connected, where there is no proxy, whatever is written',
    0,
    '203.0.113.9',
    forwarded('6.6.6.6'),
    '203.0.113.9',
  ],
  ['is what the one proxy has written last', 1, '10.0.0.7', forwarded('6.6.6.6, 203.0.113.9'), '203.0.113.9'],
  ['is further left behind two', 2, '10.0.0.7', forwarded('203.0.113.9, 10.0.0.8'), '203.0.113.9'],
  [
    'is unknown where fewer proxies have written than there are',
    2,
    '10.0.0.7',
    forwarded('203.0.113.9'),
    null,
  ],
  ['is unknown where the proxy has written none', 1, '10.0.0.7', {}, null],
  [
    'is before the last trusted address',
    'private',
    '10.0.0.7',
    forwarded('6.6.6.6, 203.0.113.9, 10.0.0.8'),
    '203.0.113.9',
  ],
  ['may come from the environment', '1', '10.0.0.7', forwarded('203.0.113.9'), '203.0.113.9'],
  [
    'is what the named header holds',
    'CF-Connecting-IP',
    '104.16.0.1',
    { 'cf-connecting-ip': '2001:db8::9' },
    '2001:db8::9',
  ],
  [
    'is the named header’s last value',
    'x-real-ip',
    '10.0.0.7',
    { 'x-real-ip': '6.6.6.6, 203.0.113.9' },
    '203.0.113.9',
  ],
  ['is unknown without the named header', 'x-real-ip', '10.0.0.7', {}, null],
  ['is unknown where the header holds no address', 'x-real-ip', '10.0.0.7', { 'x-real-ip': 'unknown' }, null],
  ['is unknown where the framework names none', 0, '', {}, null],
  ['may be an IPv4 address in IPv6', undefined, '::ffff:203.0.113.9', {}, '::ffff:203.0.113.9'],
])('the client’s address %s', (_, trust, peer, headers, expected) => {
  expect(seen(trust, peer, headers)).toBe(expected);
});

it.each([true, -1, 1.5, '', 'X-Forwarded-For', 'Forwarded', 'two proxies', null, {}])(
  'is not found by %o',
  (value) => {
    expect(trustOf(value)).toBeNull();
  },
);
