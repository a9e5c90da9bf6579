import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idField, limitedDataUseField, secretField } from './config-fields.ts';

const text = { title: 'Pixel ID', description: 'Below the name of the pixel.', example: '123' };

describe('an id', () => {
  const field = idField(/^[0-9]{1,5}$/, 'a number', text);

  it('is taken without the blanks around it, and nothing else is', () => {
    expect(field.parse(' 123\n')).toBe('123');
    for (const entered of ['', '1 2', '12/3', '123456', '1\n2'])
      expect(field.safeParse(entered).error?.issues[0]?.message).toBe('Must be a number.');
  });

  it('says in the form what it is', () => {
    expect(z.toJSONSchema(field)).toMatchObject({
      title: 'Pixel ID',
      description: 'Below the name of the pixel.',
      examples: ['123'],
      pattern: '^[0-9]{1,5}$',
    });
  });
});

describe('a secret', () => {
  const field = secretField(text);

  it('can be part of a header and of an address, whatever is entered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (entered) => {
        const { data } = field.safeParse(entered);
        if (data === undefined) return;
        expect(data).toMatch(/^[\x21-\x7e]{8,4096}$/);
        expect(new Headers({ authorization: `Bearer ${data}` }).get('authorization')).toBe(`Bearer ${data}`);
      }),
    );
  });

  it.each(['', 'short', 'with a blank inside', 'line\r\nx-header: y', 'ключ-ключ', 'x'.repeat(4_097)])(
    'is not %j',
    (entered) => {
      expect(field.safeParse(entered).success).toBe(false);
    },
  );

  it('is taken without the line break that copying adds', () => {
    expect(field.parse('0123456789abcdef\n')).toBe('0123456789abcdef');
  });
});

it('a switch is off unless it is turned on', () => {
  const schema = z.object({ limited: limitedDataUseField('limited data use') });
  expect(schema.parse({})).toEqual({ limited: false });
  expect(schema.parse({ limited: true })).toEqual({ limited: true });
  expect(schema.safeParse({ limited: 'yes' }).success).toBe(false);
});
