/** A purchase from the ad to the report: a real browser with the SDK, a shop with a back end, the real service between them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../harness/service.ts';
import { launchBrowser } from './browser.ts';
import { CUSTOMER, type Posted, SHOP_FLAGS, Shop } from './shop.ts';

const HUMAN = {
  script: `Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });`,
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
};
const AD = '?gclid=Cj0KCQ-test&utm_source=google&utm_medium=cpc&utm_campaign=spring';

interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

const service = new TestService({ LOG_LEVEL: 'debug', EVENTS_PER_ADDRESS: '100000' });
const shop = new Shop(service);
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(SHOP_FLAGS), service.start()]);
  await shop.open();
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await browser?.close();
  await shop.close();
  await service.dispose();
});

const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read);

/** A browser of its own. @param driven leaves it what it is: one that says of itself that a program drives it */
async function visitor({ driven = false } = {}): Promise<Page> {
  const context = await browser.newContext(driven ? {} : { userAgent: HUMAN.userAgent });
  if (!driven) await context.addInitScript(HUMAN.script);
  context.setDefaultTimeout(10_000);
  contexts.push(context);
  return await context.newPage();
}

async function land(path: string, { referer = '' } = {}): Promise<Page> {
  const page = await visitor();
  await page.goto(shop.url(path), referer === '' ? {} : { referer });
  return page;
}

const accept = (page: Page) => page.getByRole('button', { name: 'Accept' }).click();
const visitorIdOf = (page: Page) => page.evaluate<string>('ghostlight.getVisitorId()');
const buy = (page: Page, number: string) => page.evaluate<Posted>(`buy(${JSON.stringify(number)})`);

async function walkToCheckout(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Lamp' }).click();
  await page.getByRole('link', { name: 'Checkout' }).click();
  await page.waitForURL('**/checkout');
}

/** Events are recorded moments after their 200: a shop's customer takes longer than this to pay. @param landing of this test alone */
async function known(landing: string): Promise<void> {
  await eventually(async () => (await events()).map(({ path }) => path)).toContain(landing);
}

/** Of the warehouse, where each arrives after the database has it. */
async function events(): Promise<Item[]> {
  const { items } = await shop.ask<{ items: Item[] }>('/live?class=event&limit=500');
  return items;
}

async function conversion(number: string): Promise<Item> {
  const { items } = await shop.ask<{ items: Item[] }>(`/conversions?q=${number}&topic=purchase`);
  expect(items).toHaveLength(1);
  return await shop.ask<Item>(`/conversions/${items[0]?.id}`);
}

async function activity(number: string): Promise<Item[]> {
  const { items } = await shop.ask<{ items: Item[] }>('/webhooks/activity');
  return items.filter(({ conversion_id }) => conversion_id === number);
}

describe('a visitor', () => {
  it('by an ad, agrees, and buys: the purchase belongs to the campaign', async () => {
    const number = 'ad-1';
    const page = await land(`/${number}${AD}`);
    await accept(page);
    await walkToCheckout(page);
    const visitorId = await visitorIdOf(page);
    await known('/ad-1');
    const posted = await buy(page, number);
    expect(posted).toMatchObject({ status: 200, body: { session_matched: true, warnings: [] } });
    expect(await activity(number)).toMatchObject([
      { status: 'success', topic: 'purchase', session_matched: true, match_reason: 'matched' },
    ]);
    const found = await conversion(number);
    expect(found).toMatchObject({
      id: posted.body.id,
      visitor_id: visitorId,
      match_reason: 'matched',
      channel: 'paid_search',
      platform: 'google',
      source: 'google',
      medium: 'cpc',
      campaign: 'spring',
      value: '99.9',
      linked_browser_event: false,
      touches: [{ winner: true, landing: { host: 'shop.test', path: '/ad-1' }, click_ids: ['gclid'] }],
    });
    expect(JSON.stringify(found)).not.toContain(CUSTOMER.email);
  });

  it.each([
    ['from ChatGPT, which sends a referrer', 'ai-1', '', 'https://chatgpt.com/'],
    ['from ChatGPT’s app, which sends a tag alone', 'ai-2', '?utm_source=chatgpt.com', ''],
  ])('%s: the purchase belongs to the assistant', async (_, number, query, referer) => {
    const page = await land(`/${number}${query}`, { referer });
    await accept(page);
    await walkToCheckout(page);
    await known(`/${number}`);
    expect(await buy(page, number)).toMatchObject({ status: 200, body: { session_matched: true } });
    expect(await conversion(number)).toMatchObject({ channel: 'ai_assistant' });
  });

  it('before the connection is back: the purchase waits for the visit, and is late', async () => {
    const number = 'late-1';
    const page = await land(`/${number}${AD}`);
    await page.context().route('**/api/events', (route) => route.abort('internetdisconnected'));
    await accept(page);
    await walkToCheckout(page);
    expect(await buy(page, number)).toMatchObject({ status: 200, body: { session_matched: false } });
    expect(await conversion(number)).toMatchObject({ match_reason: 'unknown_visitor' });
    await page.context().unroute('**/api/events');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await eventually(async () => (await conversion(number))['match_reason']).toBe('late');
    expect(await conversion(number)).toMatchObject({
      session_matched: true,
      channel: 'paid_search',
      campaign: 'spring',
    });
    expect(await activity(number)).toMatchObject([{ session_matched: true, match_reason: 'late' }]);
  });
});

describe('a purchase that the page tells too', () => {
  it.each(['before', 'after'])('%s the webhook is linked, and counted once', async (when) => {
    const number = `both-${when}`;
    const page = await land(`/${number}${AD}`);
    await accept(page);
    await walkToCheckout(page);
    await known(`/${number}`);
    const tell = async () => {
      await page.evaluate(`ghostlight.identify(${JSON.stringify(CUSTOMER)})`);
      await page.evaluate(
        `ghostlight.track('purchase', { conversion_id: '${number}', value: 99.9, currency: 'EUR' })`,
      );
      const told = async () => (await events()).filter(({ event_name }) => event_name === 'purchase');
      await eventually(async () => (await told()).length).toBe(when === 'before' ? 1 : 2);
    };
    const before = await purchasesReported();
    if (when === 'before') await tell();
    expect(await buy(page, number)).toMatchObject({ status: 200, body: { session_matched: true } });
    if (when === 'after') await tell();
    await eventually(async () => (await conversion(number))['linked_browser_event']).toBe(true);
    expect(await purchasesReported()).toBe(before + 1);
  });
});

async function purchasesReported(): Promise<number> {
  const { items } = await shop.ask<{ items: Item[] }>('/conversions?topic=purchase&channel=paid_search');
  const report = await shop.ask<{ rows: { key: string; conversions: string }[] }>(
    '/reports/attribution?by=channel&model=last_click',
  );
  const reported = Number(report.rows.find(({ key }) => key === 'paid_search')?.conversions ?? 0);
  expect(reported).toBe(items.length);
  return reported;
}

it('a refund without a visitor goes back to the campaign of its order', async () => {
  expect(await shop.post('refund', { conversion_id: 'ad-1', value: 20, currency: 'EUR' })).toMatchObject({
    status: 200,
    body: { session_matched: true, warnings: [] },
  });
  expect((await conversion('ad-1'))['refunds']).toMatchObject([
    { topic: 'refund', match_reason: 'inherited', channel: 'paid_search', campaign: 'spring', value: '20' },
  ]);
  expect(await activity('ad-1')).toMatchObject([
    { topic: 'refund', match_reason: 'inherited' },
    { topic: 'purchase' },
  ]);
});

describe('a visitor without consent', () => {
  it.each(['refuses', 'is not asked'])('%s: the id is good for nothing', async (answer) => {
    const number = `denied-${answer.replaceAll(' ', '-')}`;
    const page = await visitor();
    const told: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events') told.push(request.url());
    });
    await page.goto(shop.url(`/${number}${AD}`));
    if (answer === 'refuses') await page.getByRole('button', { name: 'Refuse' }).click();
    await walkToCheckout(page);
    const visitorId = await visitorIdOf(page);
    expect(await buy(page, number)).toMatchObject({ status: 200, body: { session_matched: false } });
    expect(await conversion(number)).toMatchObject({
      match_reason: 'unknown_visitor',
      visitor_id: visitorId,
      channel: null,
      touches: [],
    });
    await page.goto('about:blank');
    expect(told).toEqual([]);
  });

  it('blocks the script: the order comes without an id', async () => {
    const page = await visitor();
    await page.context().route('**/sdk.js', (route) => route.abort('blockedbyclient'));
    await page.goto(shop.url(`/${AD}`));
    expect(await buy(page, 'blocked-1')).toMatchObject({ status: 200, body: { session_matched: false } });
    expect(await conversion('blocked-1')).toMatchObject({ match_reason: 'no_visitor_id', visitor_id: null });
  });

  it('is a program: its events show in Live with the tag, and bring no order', async () => {
    const page = await visitor({ driven: true });
    await page.goto(shop.url(`/driven${AD}`));
    await accept(page);
    await known('/driven');
    const mine = (await events()).filter(({ path }) => path === '/driven');
    expect(mine).toMatchObject([{ class: 'event', event_name: 'page_view', sdk_bot: true }]);
    expect((await events()).some(({ sdk_bot }) => sdk_bot === false)).toBe(true);
    expect(await buy(page, 'driven-1')).toMatchObject({ status: 200, body: { session_matched: false } });
  });
});

it('leaves nothing of the customer or the key in the log, nor readable on the disk', async () => {
  await service.stop();
  expect(service.log).toContain('listening');
  const secrets = [...Object.values(CUSTOMER), CUSTOMER.phone.slice(1), shop.key, shop.key.slice(12)];
  const files = readdirSync(service.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.some((file) => file.endsWith('state.sqlite'))).toBe(true);
  for (const secret of secrets) {
    expect(service.log).not.toContain(secret);
    expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([]);
  }
});
