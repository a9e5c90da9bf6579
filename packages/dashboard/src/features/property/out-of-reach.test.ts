import { describe, expect, it } from 'vitest';
import { isOutOfReach } from './out-of-reach.ts';

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
