import { type ConversionEvent, readConversion } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskedBody, maskedEvent, maskedFields } from './masking.ts';

const EMAIL = 'jane.doe@mail.example';
const PHONE = '+49 30 901820';

/** JSON of any shape with something personal in it, as a value or as a name. */
const withSecret = (secret: string) =>
  fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, fc.constant(secret), fc.jsonValue(), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.oneof(fc.string(), fc.constant(secret)), tie('value'), { maxKeys: 4 }),
  })).value;

describe('what Recent Activity shows of a body', () => {
  it('holds no address and no number, wherever they stand', () => {
    for (const secret of [EMAIL, PHONE])
      fc.assert(
        fc.property(withSecret(secret), (value) => {
          for (const { json } of [
            maskedFields({ note: value }),
            maskedBody({ consent: value, note: value }),
          ]) {
            expect(json).not.toContain(secret);
            expect(() => JSON.parse(json)).not.toThrow();
          }
        }),
      );
  });

  it('hides every value with a personal name, also what looks like nothing', () => {
    const { json } = maskedFields({
      user_data: { nickname: 'Jane', age: 7 },
      customerPhone: '030 901820',
      billing_address: { line: ['Main Street'] },
      client_ip: '203.0.113.9',
      password: 'x7',
      value: 12,
      event_name: 'call',
    });
    for (const secret of ['Jane', '7,', '901820', 'Main', '203.0', 'x7']) expect(json).not.toContain(secret);
    expect(JSON.parse(json)).toMatchObject({ value: 12, event_name: 'call' });
  });

  it('names an unknown field and does not show it', () => {
    const { json } = maskedBody({ customer: 'Jane Doe', billing: { contact: 'J. Doe' }, conversion_id: 'A' });
    expect(JSON.parse(json)).toEqual({ customer: '***', billing: '***', conversion_id: 'A' });
  });

  it('is bounded, however deep and long the body', () => {
    const deep = JSON.parse(`${'['.repeat(60_000)}${']'.repeat(60_000)}`) as unknown;
    expect(maskedBody(deep).json.length).toBeLessThan(100);
    const long = maskedBody({
      conversion_id: 'A',
      products: Array.from({ length: 100 }, () => ({ name: 'x'.repeat(400) })),
    });
    expect(long).toEqual({ json: '{"conversion_id":"A"}', cut: true });
  });

  it('shows an accepted event by the names it came with', () => {
    const reading = readConversion('purchase', {
      conversion_id: 'A',
      value: 1,
      currency: 'EUR',
      user_data: { email: EMAIL, address: { city: 'Berlin', postal_code: '10115' } },
      delivery: { phone: PHONE },
    }) as { event: ConversionEvent };
    expect(JSON.parse(maskedEvent(reading.event).json)).toMatchObject({
      conversion_id: 'A',
      user_data: { email: 'j***@m***.example', address: { city: 'Berlin', postal_code: '10…' } },
      delivery: '***',
    });
  });
});
