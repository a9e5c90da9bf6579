import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOffMs, giveUpAt, OPEN_AFTER, openMs, retryAfterMs, throttleMs } from './timing.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('a back-off', () => {
  it('is between half and all of 5 s · 2^n, and never beyond a quarter of an hour', () => {
    fc.assert(
      fc.property(fc.nat(5_000), random, (n, chance) => {
        const whole = Math.min(15 * MINUTE, 5 * SECOND * 2 ** n);
        const ms = backOffMs(n, chance);
        expect(ms).toBeGreaterThanOrEqual(whole / 2);
        expect(ms).toBeLessThanOrEqual(whole);
        expect(Number.isInteger(ms)).toBe(true);
      }),
    );
  });

  it('differs for what failed together', () => {
    expect(new Set([0, 0.3, 0.6, 1].map((chance) => backOffMs(3, chance))).size).toBe(4);
  });
});

describe('a breaker', () => {
  it('is closed before the fifth failure, and open for 30 s to 15 min from then on, never shorter than before', () => {
    fc.assert(
      fc.property(fc.nat(5_000), (failures) => {
        const ms = openMs(failures);
        if (failures < OPEN_AFTER) {
          expect(ms).toBeNull();
          return;
        }
        expect(ms).toBeGreaterThanOrEqual(30 * SECOND);
        expect(ms).toBeLessThanOrEqual(15 * MINUTE);
        expect(ms).toBeGreaterThanOrEqual(openMs(failures - 1) ?? 0);
      }),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const asked = (value: string) => retryAfterMs({ headers: { 'retry-after': value } }, now);

  it('whatever it says is null, or between a second and an hour', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.nat().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (value) => {
          const ms = asked(value);
          if (ms === null) return;
          expect(ms).toBeGreaterThanOrEqual(SECOND);
          expect(ms).toBeLessThanOrEqual(HOUR);
        },
      ),
    );
  });

  it('is read in seconds and in each form of a date', () => {
    expect(asked('30')).toBe(30 * SECOND);
    expect(asked('Sat, 21 Nov 2026 12:00:45 GMT')).toBe(45 * SECOND);
    expect(asked('Saturday, 21-Nov-26 12:00:45 GMT')).toBe(45 * SECOND);
    expect(asked('Sat, 21 Nov 2026 11:00:00 GMT')).toBe(SECOND);
    for (const none of ['', '-1', '1.5', '2026-11-21', 'Sat, nonsense']) expect(asked(none), none).toBeNull();
    expect(retryAfterMs({ headers: {} }, now)).toBeNull();
  });
});

describe('a destination that is throttled', () => {
  it('waits as the body says, else as the header says, else a minute or until the day ends', () => {
    const evening = Date.UTC(2026, 10, 21, 22);
    expect(throttleMs({ scope: 'minute', afterMs: 5 * SECOND }, 9 * SECOND, evening)).toBe(5 * SECOND);
    expect(throttleMs({ scope: 'minute' }, 9 * SECOND, evening)).toBe(9 * SECOND);
    expect(throttleMs({ scope: 'minute' }, null, evening)).toBe(MINUTE);
    expect(throttleMs({ scope: 'day' }, 9 * SECOND, evening)).toBe(2 * HOUR);
    expect(throttleMs({ scope: 'day', afterMs: 99 * DAY }, null, evening)).toBe(DAY);
  });
});

describe('giving up', () => {
  it('comes a day after the first attempt, or when the platform would not take it any more', () => {
    expect(giveUpAt(1_000, 0, null)).toBe(DAY + 1_000);
    expect(giveUpAt(1_000, 0, 7 * DAY)).toBe(DAY + 1_000);
    expect(giveUpAt(6.5 * DAY, 0, 7 * DAY)).toBe(7 * DAY);
  });
});
