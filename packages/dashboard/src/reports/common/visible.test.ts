import { expect, test } from 'vitest';
import { visible } from './visible.ts';

test('marks that turn or hide text are written out, and every letter stays', () => {
  expect(visible('/\u202egpj.exe\u0000')).toBe('/⟨U+202E⟩gpj.exe⟨U+0000⟩');
  expect(visible('/zero\u200bwidth')).toBe('/zero⟨U+200B⟩width');
  expect(visible('/münchen/שלום/💡')).toBe('/münchen/שלום/💡');
});
