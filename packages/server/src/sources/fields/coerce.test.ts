import { expect, it } from 'vitest';
import { hostOf } from './coerce.ts';

it.each([
  ['Shop.Example', 'shop.example'],
  ['shop.example.', 'shop.example'],
  ['shop.example:443', 'shop.example'],
  ['shop.example:80', 'shop.example'],
  ['shop.example:8443', 'shop.example:8443'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example:443', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['faß.example', 'xn--fa-hia.example'],
  ['a。b.example', 'a.b.example'],
  ['[2001:db8::1]:443', '[2001:db8::1]'],
  ['[2001:db8::1]', '[2001:db8::1]'],
  ['under_score.example', 'under_score.example'],
  ['not a host', 'not a host'],
])('folds the host %s to %s', (text, expected) => expect(hostOf(text, 255)).toBe(expected));
