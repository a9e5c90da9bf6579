import { describe, expect, it } from 'vitest';
import { isLoopback, isOutOfReach, localAddressIn } from './out-of-reach.ts';

describe('an address', () => {
  it.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://192.168.1.4',
    'http://ghostlight',
    'http://[::1]:8080',
    'http://box.local',
  ])('%s can not be reached from the edge', (address) => {
    expect(isOutOfReach(address)).toBe(true);
  });

  it.each(['https://ghostlight.shop.example', 'https://1.2.3.4', 'https://10.shop.example'])(
    '%s can be reached from the edge',
    (address) => {
      expect(isOutOfReach(address)).toBe(false);
    },
  );
});

describe('a machine itself', () => {
  it('differs from its network', () => {
    expect(['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:80'].every(isLoopback)).toBe(true);
    expect(['http://192.168.1.4', 'http://box.local', 'https://shop.example'].some(isLoopback)).toBe(false);
  });
});

describe('a code to copy', () => {
  it.each([
    ['curl -i http://localhost:8080/v1/logs/edge_worker \\', 'http://localhost:8080/v1/logs/edge_worker'],
    ['{ "endpoint": "http://192.168.1.4" }', 'http://192.168.1.4'],
    ['curl https://ghostlight.shop.example/v1', null],
    ["addEventListener('consent-changed', run);", null],
  ])('%s has a local address: %s', (code, address) => {
    expect(localAddressIn(code)).toBe(address);
  });
});
