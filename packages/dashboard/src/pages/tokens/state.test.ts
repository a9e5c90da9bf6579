import { describe, expect, it } from 'vitest';
import type { ApiToken } from '../../features/people/api.ts';
import { expiryTime, tokenState } from './state.ts';

const NOW = Date.parse('2026-11-21T16:00:00Z');
const token = (ends: Partial<ApiToken>) => ({ revoked_at: null, expires_at: null, ...ends }) as ApiToken;

describe('the state of a token', () => {
  it.each([
    [{}, 'active'],
    [{ expires_at: '2026-11-21T16:00:01Z' }, 'active'],
    [{ expires_at: '2026-11-21T16:00:00Z' }, 'expired'],
    [{ expires_at: '2026-11-20T00:00:00Z', revoked_at: '2026-11-01T00:00:00Z' }, 'revoked'],
  ] as const)('%j is %s', (ends, state) => {
    expect(tokenState(token(ends), NOW)).toBe(state);
  });
});

describe('when a token ends', () => {
  it('is the chosen number of days from now', () => {
    expect(expiryTime('30', '', NOW)).toBe('2026-12-21T16:00:00.000Z');
  });

  it('is the end of the chosen day in the reader’s zone', () => {
    expect(expiryTime('day', '2027-01-31', NOW)).toBe(new Date(2027, 1, 1).toISOString());
  });

  it('is never only when that was chosen', () => {
    expect(expiryTime('never', '', NOW)).toBeNull();
    expect(() => expiryTime('day', '', NOW)).toThrow(RangeError);
  });
});
