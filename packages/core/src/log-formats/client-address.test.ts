import { describe, expect, it } from 'vitest';
import { clientAddress, parseTrustedProxies } from './client-address.ts';

const seen = (trust: string | null, ip: string, forwarded_for: string) => {
  const trusted = trust === null ? null : parseTrustedProxies(trust);
  if (trust !== null) expect(trusted).not.toBeNull();
  return clientAddress({ ip, forwarded_for }, trusted);
};

describe('the client of a request', () => {
  it.each([
    ['is who connected where no proxy is trusted', null, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['is what the one proxy wrote last', '1', '10.0.0.1', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['is one further of two', '2', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['is unknown where fewer have written', '2', '10.0.0.1', '198.51.100.1', ''],
    [
      'is before the last trusted address',
      'private',
      '10.0.0.1',
      '6.6.6.6, 198.51.100.1, 10.0.0.2',
      '198.51.100.1',
    ],
    ['is who connected past the proxies', '10.0.0.0/8', '203.0.113.9', '6.6.6.6', '203.0.113.9'],
    ['is unknown where only proxies are named', '10.0.0.0/8', '10.0.0.1', '10.0.0.2', ''],
    ['is unknown where a proxy wrote no address', '10.0.0.1', '10.0.0.1', '6.6.6.6, unknown', ''],
    ['may come with a port', '10.0.0.0/8,2001:db8::/32', '2001:db8::1', '198.51.100.1:4711', '198.51.100.1'],
  ])('%s', (_, trust, ip, forwarded, expected) => {
    expect(seen(trust, ip, forwarded)).toBe(expected);
  });

  it.each(['10.0.0.0/33', 'proxies', '', '10.0.0.0/8;::1'])('is not found by trusting “%s”', (text) => {
    expect(parseTrustedProxies(text)).toBeNull();
  });
});
