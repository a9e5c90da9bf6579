import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundaryOf, readParts } from './multipart.ts';

const BOUNDARY = '----clickhouse-js-0f2c';

/** As the client writes it; that this is so is shown where the client asks the embedded backend (conformance). */
const form = (parts: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    `${Object.entries(parts)
      .map(
        ([name, text]) =>
          `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
      )
      .join('')}--${BOUNDARY}--\r\n`,
  );

it('reads what the client writes, whatever the values hold', () => {
  const values = fc.dictionary(
    fc.stringMatching(/^[a-z]\w{0,10}$/).map((name) => `param_${name}`),
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\r\n', '\r\n--', '\r\n\r\n', '--', '💥')),
    { maxKeys: 8, noNullPrototype: true },
  );
  fc.assert(
    fc.property(values, (parts) => {
      const body = form({ query: 'SELECT 1', ...parts });
      expect(readParts(body, BOUNDARY)).toEqual([['query', 'SELECT 1'], ...Object.entries(parts)]);
    }),
  );
});

it('refuses any body that was cut, and never hangs on one', () => {
  const body = form({ query: 'SELECT 1', param_a: 'x' });
  for (let end = 0; end < body.length - 4; end += 1) {
    expect(() => readParts(body.subarray(0, end), BOUNDARY)).toThrow(/form can't be read/);
  }
});

it.each([
  ['no boundary at the start', 'x'],
  ['a part without a name', `--${BOUNDARY}\r\nContent-Type: text/plain\r\n\r\nx\r\n--${BOUNDARY}--\r\n`],
  [
    'a file',
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nx\r\n--${BOUNDARY}--`,
  ],
])('refuses %s', (_, text) => {
  expect(() => readParts(Buffer.from(text), BOUNDARY)).toThrow(/form can't be read/);
});

it('tells a form from a statement by its type', () => {
  expect(boundaryOf(undefined)).toBeNull();
  expect(boundaryOf('text/plain')).toBeNull();
  expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
  expect(boundaryOf('multipart/form-data; boundary="a b"')).toBe('a b');
  expect(() => boundaryOf('multipart/form-data')).toThrow(/boundary is missing/);
});
