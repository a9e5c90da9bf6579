import { describe, expect, it } from 'vitest';
import { expiryTime } from './expiry.ts';

const NOW = Date.parse('2026-11-21T16:00:00Z');

describe('when a token ends', () => {
  it('is so many days from now', () => {
    expect(expiryTime('30', '', NOW)).toBe('2026-12-21T16:00:00.000Z');
  });

  it('is the end of the chosen day', () => {
    expect(expiryTime('day', '2027-01-31', NOW)).toBe('2027-02-01T00:00:00.000Z');
  });

  it('is never, when that was chosen, and never by mistake', () => {
    expect(expiryTime('never', '', NOW)).toBeNull();
    expect(() => expiryTime('day', '', NOW)).toThrow(RangeError);
  });
});
