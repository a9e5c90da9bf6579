import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputOf, schemaOf, switchMode } from './input.ts';
import { readShort, writeShort } from './short-form.ts';

const SKU = {
  type: 'object',
  properties: { sku: { type: 'string' }, quantity: { type: 'number' } },
  required: ['sku', 'quantity'],
  additionalProperties: false,
};

describe('the short form', () => {
  it.each([
    '{"sku": "string", "quantity": "number"}',
    '{sku: string, quantity: number}',
    'sku: string\nquantity: number',
    '{\n  "sku": "string",\n  "quantity": "number",\n}',
  ])('is understood as JSON and as people write it: %j', (text) => {
    expect(readShort(text)).toEqual({ ok: true, schema: SKU });
  });

  it('goes to a schema and back without loss', () => {
    const inputs = fc.dictionary(
      fc.oneof(
        fc.stringMatching(/^[a-z][a-z_]{0,9}$/),
        fc.constantFrom('a,b', 'a: b', '{x}', '__proto__', 'é'),
      ),
      fc.constantFrom('string', 'number', 'integer', 'boolean'),
    );
    fc.assert(
      fc.property(inputs, (pairs) => {
        const read = readShort(JSON.stringify(pairs, null, 2));
        const written = read.ok ? writeShort(read.schema) : null;
        expect(written?.ok && written.text).toBe(JSON.stringify(pairs, null, 2));
      }),
    );
  });

  it('reports the line of an unknown type, a duplicate name or a syntax error', () => {
    expect(readShort('{\n"sku": "text",\nsku: string,\nsku: number,\n???\n}')).toEqual({
      ok: false,
      mistakes: [
        { line: 2, message: 'The type of “sku” must be one of string, number, integer, boolean.' },
        { line: 4, message: 'Duplicate name “sku”.' },
        { line: 5, message: '“???” is not of the form name: type.' },
      ],
    });
  });

  it('lists what it can’t express', () => {
    const written = writeShort({
      ...SKU,
      $defs: {},
      additionalProperties: true,
      required: ['sku'],
      properties: { sku: { type: 'string', maxLength: 3 }, quantity: { type: 'array' } },
    });
    expect(!written.ok && written.reasons).toEqual([
      '“sku” has maxLength',
      '“quantity” is more than one plain value',
      '“quantity” is optional',
      'it accepts inputs that are not listed',
      'it has $defs',
    ]);
  });
});

describe('a tool’s input', () => {
  it('is the same schema in all three notations', () => {
    const fields = inputOf(SKU);
    expect(fields.mode).toBe('fields');
    for (const mode of ['short', 'json', 'fields'] as const) {
      const switched = switchMode(fields, mode);
      expect(switched.ok && schemaOf(switched.input)).toEqual({ ok: true, schema: SKU });
    }
  });

  it('does not switch from invalid JSON, and says why', () => {
    const broken = { mode: 'json', text: '{"type": }' } as const;
    expect(switchMode(broken, 'fields')).toEqual({ ok: false, reasons: ['A value is expected here.'] });
    expect(schemaOf(broken)).toMatchObject({ ok: false, draft: '{"type": }' });
    expect(inputOf('{"type": }')).toEqual(broken);
  });

  it('offers the reduced short form, and never drops the rest by itself', () => {
    const rich = inputOf({ ...SKU, title: 'x', properties: { ...SKU.properties, tags: { type: 'array' } } });
    const switched = switchMode(rich, 'short');
    expect(switched).toMatchObject({
      ok: false,
      lossy: { mode: 'short', text: '{\n  "sku": "string",\n  "quantity": "number"\n}' },
    });
  });

  it('stays text when its members can’t become rows', () => {
    expect(inputOf({ type: 'object', properties: [] }).mode).toBe('json');
    const text = { mode: 'json', text: '{"properties": []}' } as const;
    expect(switchMode(text, 'fields').ok).toBe(false);
  });
});
