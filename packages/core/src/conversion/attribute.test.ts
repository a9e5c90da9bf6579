import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { touchOf } from '../../vectors/run-conversion.ts';
import { DAY_MS } from '../time.ts';
import { attribute, CLOCK_SKEW_MS } from './attribute.ts';
import { CREDIT_MODELS, credit } from './credit.ts';
import { addDecimal, compareDecimal } from './money.ts';

const AT = Date.parse('2026-11-21T12:00:00Z');
const LOOKBACK = 30 * DAY_MS;

const touches = fc.uniqueArray(
  fc
    .record({
      id: fc.uuid(),
      age: fc.integer({ min: -10 * 60_000, max: 40 * DAY_MS }),
      channel: fc.constantFrom('direct', 'email', 'paid_search', 'ai_assistant'),
    })
    .map(({ id, age, channel }) =>
      touchOf({ id, at: new Date(AT - age).toISOString(), channel, paid: channel === 'paid_search' }),
    ),
  { selector: ({ id }) => id, maxLength: 30 },
);
const shuffled = touches.chain((list) =>
  fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
);

describe('attribute', () => {
  it('does not depend on the order in which touches are read', () => {
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(attribute(other, AT, LOOKBACK)).toEqual(attribute(one, AT, LOOKBACK));
      }),
    );
  });

  it('chooses from the window alone: the latest, but no direct one before another', () => {
    fc.assert(
      fc.property(touches, (list) => {
        const { winner, window } = attribute(list, AT, LOOKBACK);
        for (const { at } of window) {
          expect(at).toBeGreaterThanOrEqual(AT - LOOKBACK);
          expect(at).toBeLessThan(AT + CLOCK_SKEW_MS + 1000);
        }
        expect(winner === null).toBe(window.length === 0);
        if (winner === null) return;
        expect(window).toContain(winner);
        const later = window.slice(window.indexOf(winner) + 1);
        expect(later.every(({ channel }) => channel === 'direct')).toBe(true);
        if (winner.channel === 'direct')
          expect(window.every(({ channel }) => channel === 'direct')).toBe(true);
      }),
    );
  });
});

describe('credit', () => {
  it('sums to exactly 1 in every model, does not depend on order, and gives direct nothing beside another', () => {
    fc.assert(
      fc.property(shuffled, fc.constantFrom(...CREDIT_MODELS), ([one, other], model) => {
        const shares = credit(one, model);
        expect(credit(other, model)).toEqual(shares);
        const sum = [...shares.values()].reduce(addDecimal, '0');
        expect(sum).toBe(one.length === 0 ? '0' : '1');
        const channels = one.filter(({ id }) => shares.has(id)).map(({ channel }) => channel);
        if (one.some(({ channel }) => channel !== 'direct')) expect(channels).not.toContain('direct');
      }),
      { numRuns: 500 },
    );
  });

  it('follows the winner where the model is the winner’s', () => {
    fc.assert(
      fc.property(touches, (list) => {
        const { winner, window } = attribute(list, AT, LOOKBACK);
        expect([...credit(window, 'last_click').keys()]).toEqual(winner === null ? [] : [winner.id]);
      }),
    );
  });

  it('decays with age, to twelve digits of what a float says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 * DAY_MS }), (age) => {
        const pair = [
          touchOf({ id: 'a', at: new Date(AT - age).toISOString(), channel: 'email', paid: false }),
        ];
        pair.push(touchOf({ id: 'b', at: new Date(AT).toISOString(), channel: 'email', paid: false }));
        const shares = credit(pair, 'time_decay');
        const weight = 2 ** (-age / (7 * DAY_MS));
        expect(Number(shares.get('a'))).toBeCloseTo(weight / (1 + weight), 9);
        expect(compareDecimal(shares.get('b') ?? '0', shares.get('a') ?? '0')).not.toBe(-1);
      }),
    );
  });

  it('stays whole for touches that are years apart', () => {
    const years = [0, 3650].map((age, index) =>
      touchOf({
        id: String(index),
        at: new Date(AT - age * DAY_MS).toISOString(),
        channel: 'email',
        paid: false,
      }),
    );
    expect([...credit(years, 'time_decay')]).toEqual([['0', '1']]);
  });
});
