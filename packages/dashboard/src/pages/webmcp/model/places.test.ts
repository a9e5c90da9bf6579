import { expect, it } from 'vitest';
import { fieldPlace, keywordOf, placeOfPointer } from './places.ts';
import { atKeyword, atLines, atShortLines, ofNoRow, ofRow, placed } from './problems.ts';

it.each([
  ['', { at: 'manifest' }],
  ['/tools', { at: 'manifest' }],
  ['/tools/x/name', { at: 'manifest' }],
  ['/hosts', { at: 'hosts', index: null }],
  ['/hosts/1', { at: 'hosts', index: 1 }],
  ['/tools/2', { at: 'tool', index: 2, part: 'whole', inner: '' }],
  ['/tools/2/name', { at: 'tool', index: 2, part: 'name', inner: '' }],
  ['/tools/2/annotations/readOnlyHint', { at: 'tool', index: 2, part: 'annotations', inner: '' }],
  ['/tools/2/outputSchema/type', { at: 'tool', index: 2, part: 'whole', inner: '' }],
  ['/tools/0/inputSchema', { at: 'tool', index: 0, part: 'input', inner: '' }],
  [
    '/tools/0/inputSchema/properties/a~1b/pattern',
    { at: 'tool', index: 0, part: 'input', inner: '/properties/a~1b/pattern' },
  ],
])('knows where %s belongs', (pointer, place) => {
  expect(placeOfPointer(pointer)).toEqual(place);
});

it('resolves a pointer to its row and keyword', () => {
  expect(fieldPlace('/properties/a~1b/items/enum')).toEqual({ name: 'a/b', inner: '/items/enum' });
  expect(fieldPlace('/required/0')).toEqual({ name: null, inner: '/required/0' });
  expect(keywordOf('/items/enum')).toBe('items');
  expect(keywordOf('')).toBe('');
});

it('keeps a problem with its tool when tools move after the check', () => {
  const [problem, gone] = placed(
    [
      { pointer: '/tools/1/name', message: 'No.', severity: 'error' },
      { pointer: '/tools/7/name', message: 'No.', severity: 'error' },
    ],
    ['t1', 't2'],
  );
  expect(problem?.place).toEqual({ at: 'tool', index: 1, key: 't2', part: 'name', inner: '' });
  expect(gone?.place).toEqual({ at: 'manifest' });
});

it('passes problems down to rows, and keeps the others at the top', () => {
  const problems = [
    { inner: '/properties/sku/pattern', message: 'Bad pattern.', severity: 'error' },
    { inner: '/properties/sku_2', message: 'Bad row.', severity: 'error' },
    { inner: '/$defs/x', message: 'Bad definition.', severity: 'error' },
  ] as const;
  expect(atKeyword(ofRow(problems, 'sku'), 'pattern')?.message).toBe('Bad pattern.');
  expect(atKeyword(ofRow(problems, 'sku'), '')).toBeUndefined();
  expect(atKeyword(ofRow(problems, 'sku_2'), '')?.message).toBe('Bad row.');
  expect(ofNoRow(problems, ['sku', 'sku_2']).map(({ message }) => message)).toEqual(['Bad definition.']);
});

it('puts problems at the lines of the text, the nearest line when the member is missing', () => {
  const text = '{\n  "type": "object",\n  "properties": {\n    "sku": { "pattern": "(" }\n  }\n}';
  const at = (inner: string) => ({
    message: inner,
    severity: 'error' as const,
    place: { at: 'tool' as const, key: 't1', part: 'input' as const, inner },
  });
  const lines = atLines(text, [at('/properties/sku/pattern'), at('/required'), at('/properties/no/type')]);
  expect(lines.map(({ line }) => line)).toEqual([1, 3, 4]);
});

it('puts problems at the names of the short form, however it is written', () => {
  const at = (inner: string) => ({
    message: inner,
    severity: 'warning' as const,
    place: { at: 'tool' as const, key: 't1', part: 'input' as const, inner },
  });
  const problems = [at('/properties/quantity'), at('/properties/sku/type'), at('/required')];
  for (const text of [
    '{\n  "sku": "string",\n  "quantity": "number"\n}',
    '\nsku: string\nquantity: number',
  ]) {
    expect(atShortLines(text, problems).map(({ line }) => line)).toEqual([1, 2, 3]);
  }
});
