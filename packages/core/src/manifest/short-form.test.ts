import { describe, expect, it } from 'vitest';
import { checkManifestBody } from './shape.ts';
import { expandShortForm } from './short-form.ts';

describe('expandShortForm', () => {
  it('requires every parameter and allows no other', () => {
    expect(expandShortForm({ sku: 'string', quantity: 'number' })).toEqual({
      type: 'object',
      properties: { sku: { type: 'string' }, quantity: { type: 'number' } },
      required: ['sku', 'quantity'],
      additionalProperties: false,
    });
    expect(expandShortForm({})).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  it('keeps parameters whose names look like something else', () => {
    const schema = expandShortForm(JSON.parse('{"type":"string","__proto__":"integer"}'));
    expect(JSON.stringify(schema?.['properties'])).toBe(
      '{"type":{"type":"string"},"__proto__":{"type":"integer"}}',
    );
  });

  it.each([
    [{ type: 'object' }],
    [{ type: 'object', properties: {} }],
    [{ sku: 'text' }],
    [{ sku: {} }],
    [['string']],
    ['string'],
    [null],
  ])('is no short form: %j', (value) => {
    expect(expandShortForm(value)).toBe(null);
  });

  it('makes schemas that a manifest may hold', () => {
    const tool = {
      name: 'cart.add',
      description: 'Adds.',
      inputSchema: expandShortForm({ sku: 'string', gift: 'boolean' }),
      page: 'https://shop.example/',
    };
    const body = {
      version: '1.0',
      attribution_id: '0e9b2c54-7c0a-4a1e-9a53-2f6f6d1c8b11',
      hosts: ['shop.example'],
      issued_at: '2026-11-21T03:00:00Z',
      expires_at: '2026-11-22T03:00:00Z',
      tools: [tool],
    };
    expect(checkManifestBody(body)).toEqual([]);
  });
});
