import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { requestHost } from './client-address.ts';
import { createHostGate } from './host-gate.ts';

function request(headers: Record<string, string>): IncomingMessage {
  return { socket: { remoteAddress: '198.51.100.7' }, headers } as unknown as IncomingMessage;
}
const domainOf = (host: string) => (host === 't.shop.example' ? { attributionId: 'shop' } : null);

it('shows of a tracking domain what pages and shops need, for its own attribution ID only', () => {
  const gate = createHostGate(domainOf, { kind: 'none' });
  const there = request({ host: 'T.Shop.example:443' });
  for (const path of ['/sdk.js', '/api/events', '/webhooks/custom/x/purchase'])
    expect(gate.serves(there, path), path).toBe(true);
  for (const path of ['/', '/api/v1/properties', '/v1/logs/edge_worker', '/healthz', '/metrics', '/sdk.js/x'])
    expect(gate.serves(there, path), path).toBe(false);
  expect(gate.boundTo(there)).toBe('shop');
  const here = request({ host: 'localhost:8080' });
  expect(gate.serves(here, '/')).toBe(true);
  expect(gate.boundTo(here)).toBeNull();
  expect(gate.boundTo(undefined)).toBeNull();
});

it('takes a forwarded host from a trusted proxy alone, and of several the last', () => {
  const forwarded = request({ host: 'app.example', 'x-forwarded-host': 'evil.example, t.shop.example' });
  expect(requestHost(forwarded, { kind: 'none' })).toBe('app.example');
  expect(requestHost(forwarded, { kind: 'hops', count: 1 })).toBe('t.shop.example');
  expect(requestHost(request({ host: 'app.example.' }), { kind: 'hops', count: 1 })).toBe('app.example');
  expect(requestHost(request({ host: '[::1]:8080' }), { kind: 'none' })).toBe('[::1]');
  expect(requestHost(request({}), { kind: 'none' })).toBe('');
});
