import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { type Caller, ServiceError } from '../common/index.ts';
import { admitScraper, admitToMetricsPort } from './metrics-access.ts';

const TOKEN = 'scraper-token-0123456789';
const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;
const request = (authorization?: string) =>
  new Request('http://x/metrics', authorization === undefined ? {} : { headers: { authorization } });
const nobody = async (): Promise<Caller> => {
  throw new ServiceError('unauthorized', 'Nobody.');
};
const someone = (kind: string) => async () => ({ kind }) as unknown as Caller;
const codeOf = (attempt: () => Promise<void>) =>
  attempt().then(
    () => 'read',
    (error: unknown) => (error as ServiceError).code,
  );

it.each([
  ['this machine', from('127.0.0.1'), undefined, nobody, 'read'],
  ['a command', undefined, undefined, nobody, 'read'],
  ['another machine', from('203.0.113.7'), undefined, nobody, 'unauthorized'],
  [
    'a proxy on this machine',
    from('127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }),
    undefined,
    nobody,
    'unauthorized',
  ],
  ['this machine by its name', from('127.0.0.1', { host: 'LocalHost:8123' }), undefined, nobody, 'read'],
  ['this machine in IPv6', from('::1', { host: '[::1]:8123' }), undefined, nobody, 'read'],
  [
    'a silent proxy on this machine, or a page whose name leads here',
    from('127.0.0.1', { host: 'ghostlight.shop.example' }),
    undefined,
    nobody,
    'unauthorized',
  ],
  [
    'a name that begins like this machine',
    from('127.0.0.1', { host: '127.0.0.1.shop.example' }),
    undefined,
    nobody,
    'unauthorized',
  ],
  ['a scraper with the token', from('203.0.113.7'), `Bearer ${TOKEN}`, nobody, 'read'],
  ['a wrong token', from('203.0.113.7'), `Bearer ${TOKEN}x`, nobody, 'unauthorized'],
  ['the token in another scheme', from('203.0.113.7'), `Basic ${TOKEN}`, nobody, 'unauthorized'],
  ['root', from('203.0.113.7'), 'Bearer root', someone('root'), 'read'],
  ['a person', from('203.0.113.7'), 'Bearer person', someone('person'), 'forbidden'],
])('of the public listener, %s is answered as it may be', async (_, incoming, header, who, expected) => {
  expect(await codeOf(() => admitScraper(request(header), incoming, TOKEN, who))).toBe(expected);
});

it('without a METRICS_TOKEN no bearer is one', async () => {
  for (const header of ['Bearer ', 'Bearer null', `Bearer ${TOKEN}`])
    expect(await codeOf(() => admitScraper(request(header), from('203.0.113.7'), null, nobody))).toBe(
      'unauthorized',
    );
});

it('the listener of METRICS_PORT asks other machines for the token where one is set', async () => {
  const ask = (incoming: IncomingMessage, header: string | undefined, token: string | null) =>
    codeOf(async () => admitToMetricsPort(request(header), incoming, token));
  expect(await ask(from('203.0.113.7'), undefined, null)).toBe('read');
  expect(await ask(from('203.0.113.7'), undefined, TOKEN)).toBe('unauthorized');
  expect(await ask(from('203.0.113.7'), `Bearer ${TOKEN}`, TOKEN)).toBe('read');
  expect(await ask(from('127.0.0.1'), undefined, TOKEN)).toBe('read');
});
