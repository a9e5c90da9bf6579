import { expect, it } from 'vitest';
import { earlyText } from './early.ts';

const key = (name: string, more: Partial<Parameters<typeof earlyText>[1]> = {}) => ({
  ...{ key: name, ctrlKey: false, metaKey: false, altKey: false },
  ...more,
});

it('is every letter, also those that are shortcuts elsewhere, and what was taken back', () => {
  const typed = ['g', 'h', 'x', 'Backspace', 'o', ' ', '?'].reduce<string>(
    (text, name) => earlyText(text, key(name)) ?? text,
    '',
  );
  expect(typed).toBe('gho ?');
  expect(earlyText('', key('Backspace'))).toBe('');
});

it('leaves other keys to the page', () => {
  for (const name of ['Shift', 'Enter', 'ArrowDown', 'F5', 'Tab'])
    expect(earlyText('a', key(name))).toBeNull();
  expect(earlyText('a', key('k', { ctrlKey: true }))).toBeNull();
});
