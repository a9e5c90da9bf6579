import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepNanoseconds, parseInstant } from './timestamps.ts';

/** 2001 to 2100: in every unit the size tells which one it is. */
const moment = fc.integer({ min: 1_000_000_000_000, max: 4_102_444_800_000 });
const below = (digits: number) =>
  fc.integer({ min: 0, max: 10 ** digits - 1 }).map((number) => String(number).padStart(digits, '0'));

describe('an instant', () => {
  it('is exact to the millisecond in every unit, whatever lies below it', () => {
    fc.assert(
      fc.property(moment, below(3), below(6), (at, micros, nanos) => {
        const [seconds, millis] = [String(at).slice(0, -3), String(at).slice(-3)];
        for (const text of [
          `${at}${nanos}`,
          `${at}${micros}`,
          String(at),
          `${seconds}.${millis}${nanos}`,
          `${new Date(at).toISOString().slice(0, -1)}${nanos}Z`,
        ])
          expect(parseInstant(text), text).toBe(at);
        expect(parseInstant(at)).toBe(at);
        expect(parseInstant(Number(`${seconds}.${millis}`)), `${seconds}.${millis}`).toBe(at);
        // A whole millisecond, as a number that a double can't hold.
        expect(parseInstant(Number(`${at}000000`))).toBe(at);
      }),
    );
  });

  it('of a JSON line keeps its nanoseconds', () => {
    fc.assert(
      fc.property(moment, below(6), fc.string(), (at, nanos, text) => {
        const line = `{"a":${JSON.stringify(text)},"EdgeStartTimestamp" : ${at}${nanos},"b":{"time":1}}`;
        const parsed = JSON.parse(keepNanoseconds(line)) as Record<string, unknown>;
        expect(parseInstant(parsed['EdgeStartTimestamp'])).toBe(at);
        expect(parsed['a']).toBe(text);
      }),
    );
  });

  it('within a text of a line stays as it is', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom(
              '"',
              '\\',
              '"time":',
              '12345678901234567',
              ',',
              '}',
              ':',
              '{"Timestamp":1234567890123456789,',
            ),
          ),
        ),
        (parts) => {
          const value = { text: parts.join(''), [parts.join('').slice(0, 20)]: 1, list: parts };
          expect(JSON.parse(keepNanoseconds(JSON.stringify(value)))).toEqual(value);
        },
      ),
    );
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e25, '', '0', 'now', '-5', '1e18', {}, null])(
    'is none of %s',
    (value) => expect(parseInstant(value)).toBeNull(),
  );
});
