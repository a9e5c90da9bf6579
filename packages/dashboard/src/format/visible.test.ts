import { expect, test } from 'vitest';
import { readablePath, shortened, visible } from './visible.ts';

test('characters that turn or hide text are written out, and every letter stays', () => {
  expect(visible('/\u202egpj.exe\u0000')).toBe('/⟨U+202E⟩gpj.exe⟨U+0000⟩');
  expect(visible('/zero\u200bwidth')).toBe('/zero⟨U+200B⟩width');
  expect(visible('/münchen/שלום/💡')).toBe('/münchen/שלום/💡');
});

test('a composed emoji stays whole; a joiner outside an emoji is shown', () => {
  const family = '👨\u200d👩\u200d👧';
  const scotland = '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
  for (const emoji of [family, scotland, '👩🏽\u200d💻', '❤\ufe0f\u200d🔥'])
    expect(visible(`/${emoji}/x`)).toBe(`/${emoji}/x`);
  expect(visible('/a\u200db')).toBe('/a⟨U+200D⟩b');
  expect(visible('/👨\u200dx')).toBe('/👨⟨U+200D⟩x');
});

test('a path is decoded as far as it is UTF-8', () => {
  expect(readablePath('/m%C3%BCnchen/%F0%9F%92%A1')).toBe('/münchen/💡');
  expect(readablePath('/%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9')).toBe('/👨\u200d👩');
  expect(readablePath('/caf%E0/%C3%28/%ED%A0%80/%FF')).toBe('/caf%E0/%C3%28/%ED%A0%80/%FF');
});

test('characters that would change the meaning of a path stay encoded', () => {
  expect(readablePath('/a%2Fb%20c%25d%3Fe')).toBe('/a%2Fb%20c%25d%3Fe');
});

test('encoded text is as safe as other text', () => {
  expect(readablePath('/%E2%80%AEgpj.exe%00')).toBe('/⟨U+202E⟩gpj.exe%00');
});

test('a long id shows its ends, and a short one all of it', () => {
  expect(shortened('cnv_2167de25e1fe8302efca8f4f96928bd8')).toBe('cnv_2167de25…96928bd8');
  expect(shortened('order-10779')).toBe('order-10779');
});
