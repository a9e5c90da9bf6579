import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { readConversion } from '@ghostlight/core/conversion';
import { describe, expect, it } from 'vitest';
import { SHOPIFY_THEME, WOOCOMMERCE_FUNCTIONS } from './snippets.ts';

const VISITOR = '9b2f6c1e-7d34-4c58-9f0a-1c2d3e4f5a6b';

describe('the code for a Shopify theme', () => {
  /** Runs it on a page. @returns what it sent */
  const run = async (cart: unknown, visitorId: string | null) => {
    const sent: { url: string; body: unknown }[] = [];
    const done = Promise.withResolvers<void>();
    const fetch = async (url: string, init?: { body: string }) => {
      if (init === undefined) return { json: async () => cart };
      sent.push({ url, body: JSON.parse(init.body) });
      done.resolve();
      return {};
    };
    const code = SHOPIFY_THEME.replace(/<\/?script>/g, '').replace('})().catch', '})().finally(ended).catch');
    runInNewContext(code, {
      ...{ fetch, ended: done.resolve, window: { Shopify: { routes: { root: '/de/' } } } },
      ghostlight: { getVisitorId: async () => visitorId },
    });
    await done.promise;
    return sent;
  };

  it('adds the visitor to the cart once', async () => {
    const update = { url: '/de/cart/update.js', body: { attributes: { visitor_id: VISITOR } } };
    expect(await run({ attributes: {} }, VISITOR)).toEqual([update]);
    expect(await run({ attributes: { visitor_id: 'another' } }, VISITOR)).toEqual([update]);
    expect(await run({ attributes: { visitor_id: VISITOR } }, VISITOR)).toEqual([]);
    expect(await run({}, null)).toEqual([]);
  });
});

describe('the code for WooCommerce', () => {
  it('takes the SDK’s cookie as the service reads it', () => {
    const cookie = `v1.${VISITOR}.1763690000`;
    const pattern = /'\/(\^.*?\$)\/'/.exec(WOOCOMMERCE_FUNCTIONS)?.[1] ?? '';
    expect(new RegExp(pattern).test(cookie)).toBe(true);
    expect(new RegExp(pattern).test(`${cookie}; rm`)).toBe(false);
    expect(readConversion('lead', { visitor_id: cookie })).toMatchObject({ event: { visitorId: VISITOR } });
  });
});

it('is the code that the documentation shows', () => {
  const text = readFileSync(new URL('../../../../../../docs/shops.md', import.meta.url), 'utf8');
  expect(text).toContain(SHOPIFY_THEME);
  expect(text).toContain(WOOCOMMERCE_FUNCTIONS);
});
