import { expect, it } from 'vitest';
import { PRODUCTS } from './products.ts';
import { LEXICON, PAGES } from './shop.ts';
import { answer } from './site.ts';
import { TOOLS } from './tools.ts';

const OPEN = Date.parse('2026-11-21T12:00:30Z');
const REBUILDING = Date.parse('2026-11-21T12:00:03Z');
const get = (target: string, now = OPEN) => answer(target, now);

it('every page that the site names is there, and so is every tool’s', () => {
  const { body } = get('/sitemap.xml');
  const named = [...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  expect(named).toHaveLength(1 + PRODUCTS.size + PAGES.size + LEXICON.size);
  const linked = [...get('/').body.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
  for (const path of [...named, ...linked, ...TOOLS.map(({ page }) => new URL(page).pathname), '/robots.txt'])
    expect(get(path).status, path).toBe(200);
});

it('moves what has moved to what is there', () => {
  for (const path of ['/shop', '/products/gas-lamp']) {
    const { status, headers } = get(path);
    expect(status).toBe(301);
    expect(get(headers['Location'] ?? '').status).toBe(200);
  }
});

it('finds products by all their words, and says when it can’t search', () => {
  expect(get('/search?query=Brass+desk').body).toContain('/products/brass-desk-lamp');
  expect(get('/search?query=brass+submarine').body).toContain('Nothing fits');
  const { status, headers } = get('/search?query=brass', REBUILDING);
  expect([status, headers['Retry-After']]).toEqual([503, '10']);
});

it.each([
  '/products/constructor',
  '/constructor',
  '//[',
  '//elsewhere.example/x',
  '/%00',
  '/products/../x',
  '*',
])('answers %s like any other address that is none', (target) => {
  expect(get(target).status).toBeGreaterThanOrEqual(400);
});
