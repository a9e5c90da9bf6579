import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

function request(peer: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
}
const networks = new BlockList();
networks.addSubnet('10.0.0.0', 8, 'ipv4');

describe('the client address', () => {
  it('is the peer, whatever an untrusted client claims', () => {
    const spoofed = request('198.51.100.7', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
    expect(clientAddress(spoofed, { kind: 'none' })).toEqual({ ip: '198.51.100.7', protocol: 'http' });
    expect(clientAddress(spoofed, { kind: 'networks', networks })).toEqual({
      ip: '198.51.100.7',
      protocol: 'http',
    });
  });

  it('is what the trusted hop wrote, not what the client put before it', () => {
    const proxied = request('10.0.0.2', {
      'x-forwarded-for': '1.1.1.1, 203.0.113.9',
      'x-forwarded-proto': 'https',
    });
    expect(clientAddress(proxied, { kind: 'hops', count: 1 })).toEqual({
      ip: '203.0.113.9',
      protocol: 'https',
    });
    expect(clientAddress(proxied, { kind: 'networks', networks })).toEqual({
      ip: '203.0.113.9',
      protocol: 'https',
    });
  });

  it('passes through a chain of trusted networks to the first outsider', () => {
    const proxied = request('10.0.0.2', { 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.9.9.9' });
    expect(clientAddress(proxied, { kind: 'networks', networks }).ip).toBe('203.0.113.9');
  });

  it('stops at rubbish in the chain', () => {
    const proxied = request('10.0.0.2', { 'x-forwarded-for': '203.0.113.9, "><script>' });
    expect(clientAddress(proxied, { kind: 'hops', count: 2 }).ip).toBe('10.0.0.2');
  });

  it('reads IPv4 peers of a dual-stack socket as IPv4', () => {
    expect(clientAddress(request('::ffff:198.51.100.7'), { kind: 'none' }).ip).toBe('198.51.100.7');
  });
});
