import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { withStylesFirst } from './styles-first.ts';

/** As `scripts/build.ts` has built it. */
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const read = (file: string) => readFileSync(`${DIST}${file}`, 'utf8');
const stylesOf = (html: string) =>
  html
    .matchAll(/rel="stylesheet"[^>]*href="\/([^"]+)"/g)
    .map(([, file]) => file)
    .toArray();

it('puts the styles that order the layers before those of the parts that pages share', () => {
  const [first = '', ...others] = stylesOf(read('index.html'));
  expect(first).toMatch(/^assets\/styles-/);
  expect(read(first)).toMatch(/^@layer tokens/);
  expect(others).toEqual([expect.stringMatching(/^assets\/shared-/)]);
});

it('leaves a page alone that has no such styles', () => {
  const html = '<head>\n<link rel="stylesheet" href="/assets/docs-1.css">\n</head>';
  expect(withStylesFirst(html)).toBe(html);
});

it('has the dashboard in few files: each is a request', () => {
  expect(read('index.html').match(/modulepreload|<script/g)?.length).toBeLessThan(10);
  expect(readdirSync(`${DIST}assets`).filter((name) => name.endsWith('.js')).length).toBeLessThan(90);
});

it('gives a page of the documentation nothing of the dashboard but its search', () => {
  const html = read('docs/index.html');
  expect(html.match(/<link rel="modulepreload"[^>]*>/g)).toEqual([
    expect.stringContaining('/assets/search-'),
  ]);
  expect(stylesOf(html)).toEqual([expect.stringMatching(/^assets\/docs-/)]);
});
