import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../vectors/conversion-events.json' with { type: 'json' };
import { conversionBody } from './body.ts';
import { CONVERSION_LIMITS } from './event.ts';
import { EXTRA_LIMITS } from './extra.ts';
import { readBrowserEvent } from './read-browser-event.ts';
import { readConversion } from './read-conversion.ts';
import { valueAt as at, spoiledBodies } from './testing-spoiled.ts';
import { isTopic, TOPICS, type Topic } from './topics.ts';

const purchase = { conversion_id: '1', value: '10', currency: 'EUR' };

function accepted(topic: Topic, body: unknown) {
  const reading = readConversion(topic, body);
  if ('errors' in reading) throw new Error(JSON.stringify(reading.errors));
  return reading;
}

function errorsOf(topic: Topic, body: unknown) {
  const reading = readConversion(topic, body);
  return 'errors' in reading ? reading.errors : [];
}

const NAMES = [
  'conversion_id transaction_id refund_id event_name visitor_id event_time value currency tax shipping discount_code lead_type',
  'user_data email phone first_name last_name address street city region postal_code country',
  'products id product_id sku name product_name quantity price discount consent analytics advertising preferences sale_of_data',
  '__proto__ constructor toString 0 note attribution_id page_location utm click_ids browser_ids',
]
  .join(' ')
  .split(' ');

/** Bodies that use our names, with everything that JSON can say, and much that senders do say. */
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    true,
    false,
    'granted',
    'EUR',
    'jpy',
    'jane@shop.example',
    '+49 30 901820',
    '2026-11-21T12:00:00Z',
    1796169600,
    '1796169600123',
    '19.99',
    19.99,
    -5,
    0.1 + 0.2,
    1e300,
    '1e3',
    '👟',
    '\ud83d',
    'a\u0000b',
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer(),
  fc.double(),
);
const { body } = fc.letrec<{ body: unknown; value: unknown }>((tie) => ({
  body: fc
    .array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 12 })
    // Through JSON, in which `__proto__` is a member like others.
    .map((members) =>
      JSON.parse(`{${members.map(([n, v]) => `${JSON.stringify(n)}:${JSON.stringify(v)}`)}}`),
    ),
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('body'),
    fc.array(fc.oneof(leaf, tie('body')), { maxLength: 3 }),
  ),
}));

describe('readConversion', () => {
  it('never throws, and answers with an event or with bounded errors that have a sentence each', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TOPICS),
        fc.oneof(body, fc.jsonValue(), fc.anything()),
        (topic, value) => {
          const reading = readConversion(topic, value);
          const problems = 'errors' in reading ? reading.errors : reading.warnings;
          expect(problems.length).toBeLessThanOrEqual(CONVERSION_LIMITS.problems);
          if ('errors' in reading) expect(problems.length).toBeGreaterThan(0);
          for (const { pointer, message } of problems) {
            expect(pointer).toMatch(/^(?:\/|$)/);
            expect(message).toMatch(/^[A-Z][^\n]*\.$/);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('accepts again what it has accepted, and reads the same event', () => {
    let seen = 0;
    fc.assert(
      fc.property(fc.constantFrom(...TOPICS), body, (topic, value) => {
        const reading = readConversion(topic, value);
        if ('errors' in reading) return;
        seen++;
        const again = accepted(topic, JSON.parse(JSON.stringify(conversionBody(reading.event))));
        expect(again.event).toEqual(reading.event);
        expect(conversionBody(again.event)).toEqual(conversionBody(reading.event));
      }),
      { numRuns: 1000 },
    );
    expect(seen).toBeGreaterThan(50);
  });

  it('reads every accepted vector the same from its canonical body', () => {
    for (const { topic, expect: wanted } of vectors.webhook) {
      if (!isTopic(topic) || !('body' in wanted)) continue;
      expect(conversionBody(accepted(topic, wanted.body).event)).toEqual(wanted.body);
    }
  });

  it('says the limit in the sentence of a text that is too long', () => {
    expect(errorsOf('purchase', { ...purchase, conversion_id: 'x'.repeat(256) })).toEqual([
      { pointer: '/conversion_id', message: 'Must have at most 255 characters.' },
    ]);
  });

  it('says how many digits an amount may have', () => {
    for (const value of ['1e400', '9'.repeat(40), `0.${'9'.repeat(40)}`, Number.POSITIVE_INFINITY])
      expect(errorsOf('purchase', { ...purchase, value })).toEqual([
        { pointer: '/value', message: 'Must have at most 20 digits before and 10 after the point.' },
      ]);
  });

  it('says everything at once, up to a bound', () => {
    expect(errorsOf('purchase', { value: 'x', currency: 'x' })).toHaveLength(3);
    const products = Array.from({ length: 200 }, () => ({ quantity: 'many' }));
    expect(accepted('lead', { products }).warnings).toHaveLength(CONVERSION_LIMITS.problems);
  });

  it('takes the first 200 products', () => {
    const products = Array.from({ length: 200 }, (_, id) => ({ id }));
    expect(accepted('purchase', { ...purchase, products }).event.products).toHaveLength(200);
    const many = accepted('purchase', { ...purchase, products: [...products, { id: 200 }] });
    expect(many.event.products).toHaveLength(200);
    expect(many.warnings).toEqual([
      { pointer: '/products', message: 'Has 201 items; those after the first 200 were left out.' },
    ]);
  });

  it('loses no sale to a bad member: only id, value, currency and the name of a custom event refuse', () => {
    for (const topic of TOPICS) {
      const vital = ['/conversion_id', '/value', '/currency', ...(topic === 'custom' ? ['/event_name'] : [])];
      for (const { path, kind, body: spoiled } of spoiledBodies(topic)) {
        const what = `${topic} ${path} ${kind}`;
        const reading = readConversion(topic, spoiled);
        if (vital.includes(path)) continue;
        if ('errors' in reading) throw new Error(`${what}: ${JSON.stringify(reading.errors)}`);
        const { event, warnings } = reading;
        expect(event, what).toMatchObject({ conversionId: 'ord_1', value: '99.9', currency: 'EUR' });
        // It is kept, as one line and without the minus of a refund, or it is named.
        const [sent, kept] = [at(spoiled, path), at(conversionBody(event), path)];
        const isKept = [sent, String(sent), '�', 'a b', 'ab', '1'].some((one) =>
          isDeepStrictEqual(one, kept),
        );
        const isNamed = warnings.some(({ pointer }) => pointer.startsWith(path));
        expect(isKept || isNamed || sent === null, what).toBe(true);
      }
    }
  });

  it('refuses a spoiled id, value, currency or name, and names no other place', () => {
    const refused = spoiledBodies('custom').flatMap(({ path, body: spoiled }) => {
      const errors = errorsOf('custom', spoiled).map(({ pointer }) => pointer);
      if (errors.length > 0)
        expect(
          errors.every((pointer) => pointer === path || pointer === '/value' || pointer === '/currency'),
        ).toBe(true);
      return errors;
    });
    expect([...new Set(refused)].sort()).toEqual(['/conversion_id', '/currency', '/event_name', '/value']);
  });

  it('keeps unknown personal data with the customer, where it is encrypted', () => {
    const { event } = accepted('lead', { user_data: { birthday: '1990-01-01', address: { floor: 3 } } });
    expect(event.userData).toMatchObject({
      extra: { birthday: '1990-01-01' },
      address: { extra: { floor: 3 } },
    });
    expect(event.extra).toEqual({});
  });

  it('leaves out unknown fields beyond the bounds, with a warning, and never the event', () => {
    const { event, warnings } = accepted('purchase', {
      ...purchase,
      huge: 'x'.repeat(EXTRA_LIMITS.characters + 1),
      many: Array.from({ length: EXTRA_LIMITS.values }, () => 1),
      small: 'kept',
    });
    expect(event.extra).toEqual({ small: 'kept' });
    expect(warnings.map(({ pointer }) => pointer)).toEqual(['/huge', '/many']);
  });

  it('is not deceived by names of Object.prototype, and sets none', () => {
    const text = '{"__proto__":{"conversion_id":"p"},"toString":"x","hasOwnProperty":1}';
    const { event } = accepted('lead', JSON.parse(text));
    expect(event.conversionId).toBe(null);
    expect(event.extra).toEqual({ toString: 'x', hasOwnProperty: 1 });
    expect(Object.getPrototypeOf(event.extra)).toBe(Object.prototype);
  });

  it('refuses what is no JSON object, a Map and a Date among it', () => {
    for (const value of [undefined, null, 1, 'x', [purchase], new Map(), new Date()])
      expect(errorsOf('lead', value)).toMatchObject([{ pointer: '' }]);
  });
});

describe('readBrowserEvent', () => {
  const id = '0e9b2c54-7c0a-4a1e-9a53-2f6f6d1c8b11';

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(body, fc.jsonValue(), fc.anything()), (value) => {
        const named = typeof value === 'object' && value !== null ? { ...value } : {};
        for (const event of [value, { ...named, event_name: 'x', attribution_id: id }]) {
          const reading = readBrowserEvent(event);
          expect('errors' in reading ? reading.errors.length : 1).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps no address with more than tags in its query, and no half of a click id', () => {
    const page_location = `https://shop.example/?${'x=1&'.repeat(3000)}gclid=abc`;
    const reading = readBrowserEvent({ event_name: 'page_view', attribution_id: id, page_location });
    expect(reading).toMatchObject({ event: { page: { location: 'https://shop.example/' } } });
  });
});

it('takes nothing for a yes but the words that the documentation lists', () => {
  const yes: readonly unknown[] = [true, 1, '1', 'true', 'granted', 'yes', 'on'];
  const folded = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);
  const answer = fc.oneof(
    fc.anything(),
    fc.constantFrom(
      ...yes,
      'Granted',
      ' YES ',
      'grant',
      'allow',
      'y',
      'ok',
      'CPx…',
      [true],
      { granted: true },
      '1.0',
      2,
      -1,
    ),
  );
  fc.assert(
    fc.property(answer, answer, (advertising, whole) => {
      const one = readConversion('lead', { consent: { advertising } });
      if (!('event' in one)) throw new Error('refused');
      if (one.event.consent?.advertising === true) expect(yes).toContain(folded(advertising));
      if (typeof whole === 'object') return;
      const other = readConversion('lead', { consent: whole });
      if (!('event' in other)) throw new Error('refused');
      const { consent } = other.event;
      expect(consent === null || Object.values(consent).every((said) => said !== true)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
