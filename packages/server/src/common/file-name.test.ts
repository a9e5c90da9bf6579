import { expect, it } from 'vitest';
import { fileName } from './file-name.ts';

it('names the site, what is listed and its days', () => {
  expect(fileName('shop.example', 'pages', { from: '2026-10-30', to: '2026-11-28' })).toBe(
    'shop.example-pages-2026-10-30-to-2026-11-28',
  );
  expect(fileName('shop.example', 'bots', { from: '2026-11-28', to: '2026-11-28' })).toBe(
    'shop.example-bots-2026-11-28',
  );
});

it('holds nothing that a header or a file system would read otherwise', () => {
  expect(fileName('a"b\r\n/c:80', 'bots', { from: '2026-11-28', to: '2026-11-28' })).toBe(
    'a-b-c-80-bots-2026-11-28',
  );
});
