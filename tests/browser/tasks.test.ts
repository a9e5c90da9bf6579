/**
 * What people come for, each from the overview with the number of steps that it takes. One service and one store for all of them.
 *
 * Others of these tasks are counted where their pages have tests: whether GPTBot is really OpenAI (visits.test.ts), who impersonates it
 * (trust.test.ts), the growth against last month, last month as CSV, a view for a colleague without an account (sharing.test.ts), a viewer
 * of one property (people.test.ts).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { nowWithinADay } from '../harness/day.ts';
import { convert, visitor } from '../harness/forwarding.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { clipboard, launchBrowser, type Opened, openDashboard } from './browser.ts';
import { countSteps, type Steps } from './steps.ts';

/** The site with its sitemap, and the receiver of its orders. */
let refuses = true;
const site = createServer((request, response) => {
  request.resume();
  if (request.method === 'POST') response.writeHead(refuses ? 422 : 200).end();
  else if (request.url !== '/sitemap.xml') response.writeHead(404).end();
  else
    response.end(
      `<urlset>${['/lamps', '/unseen'].map((path) => `<url><loc>https://shop.example${path}</loc></url>`).join('')}</urlset>`,
    );
});
let service: TestService;
let browser: Browser;
let opened: Opened;
let page: Page;
let by: Steps;
let shop: Awaited<ReturnType<TestService['property']>>;
const now = await nowWithinADay();

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const VISITS = [
  ...times(20, (index) => workerHit({ pathname: '/lamps', timestamp: now - index * 60_000 })),
  ...times(9, (index) => workerHit({ pathname: '/checkout', status: 503, timestamp: now - index * 60_000 })),
  workerHit({ pathname: '/old', status: 404 }),
  ...times(3, () =>
    workerHit({
      ...{ pathname: '/lamps', user_agent: CHROME, referer: 'https://chatgpt.com/' },
      ...{ verified: null, verified_by: null },
    }),
  ),
];
const ORDER = { value: 99.9, currency: 'EUR', products: [{ id: 'lamp-1', name: 'Ghost lamp', quantity: 2 }] };

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = new TestService({
    DESTINATION_HOSTS: JSON.stringify({
      'shop.example': base,
      'hooks.example': base,
      'hooks.slack.com': base,
    }),
  });
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  shop = await service.property('Lamp shop', 'shop.example');
  await service.hits(shop.key, VISITS);
  await of('PUT', '/reports/sitemap', { url: null });
  await of('PUT', '/webhooks', { enabled: true });
  const { key } = (await of('POST', '/webhook-keys', { name: 'Shop' })) as { key: string };
  await of('POST', '/destinations', {
    ...{ platform: 'webhook', name: 'Stock', config: { url: 'https://hooks.example/orders' } },
    credentials: { signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  });
  const at = { service, property: shop.id, key };
  const visitor_id = await visitor(at, {
    page_location: 'https://shop.example/lamps?utm_source=chatgpt.com',
    page_referrer: 'https://chatgpt.com/',
  });
  await convert(at, 'purchase', { ...ORDER, conversion_id: 'order-1', visitor_id });
  await convert(at, 'purchase', { ...ORDER, conversion_id: 'order-2', visitor_id: 'never-seen' });
  await vi.waitFor(async () => expect(await stateOfDelivery()).toBe('dead'), {
    timeout: 40_000,
    interval: 200,
  });
  opened = await openDashboard(browser, service.address);
  page = opened.page;
  // A task is one flow over several pages, on a machine that may be busy.
  page.setDefaultTimeout(30_000);
});
beforeEach(async () => {
  await page.goto(`/p/${shop.id}/overview`);
  await page.getByRole('heading', { name: 'Top bots' }).waitFor();
  by = countSteps(page);
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await browser?.close();
  await service?.dispose();
});

/** A call of the management API below the property. */
async function of(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await service.api(method, `/api/v1/properties/${shop.id}${path}`, body);
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}
async function stateOfDelivery(): Promise<string | undefined> {
  const { items } = (await of('GET', '/deliveries')) as {
    items: { conversion_id: string; status: string }[];
  };
  return items.find(({ conversion_id: id }) => id === 'order-1')?.status;
}
const rail = (name: string) =>
  page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name });
const tab = (name: string) => page.locator('nav[aria-label^="Pages of "] a', { hasText: name });
const dialog = () => page.getByRole('dialog');
const details = (name: string) => page.getByRole('complementary', { name: `${name} details` });

it('which pages fail for AI, and which to fix first: said at once, with the visits in one step', async () => {
  const panel = page.getByRole('region', { name: 'Fix these first' });
  const first = panel.getByRole('listitem').first();
  expect(await first.textContent()).toMatch(/^503\/checkout/);
  await by.press(first.getByRole('link', { name: '/checkout' }));
  await page.getByRole('heading', { name: 'Failures', level: 1 }).waitFor();
  await page.getByRole('row', { name: /503/ }).getByText('9', { exact: true }).first().waitFor();
  expect(by.taken()).toBe(1);
  opened.watch.expectClean();
});

it('whether ChatGPT sent customers, and what they bought, in two steps', async () => {
  const panel = page.getByRole('region', { name: 'AI referrals' });
  await panel.getByText('ChatGPT').waitFor();
  await panel.getByText('2 conversions happened in this period').waitFor();
  await by.press(panel.getByRole('link', { name: 'see which came from an AI engine' }));
  await page.getByText('AI Assistant').first().waitFor();
  const list = page.getByRole('table', { name: 'Conversions, newest first' });
  await by.press(list.getByRole('button', { name: 'Purchase order-1: details' }));
  const drawer = details('Conversion');
  await drawer.getByText('2 ×').waitFor();
  await drawer.getByText('Ghost lamp').waitFor();
  await drawer.locator('.journey-head', { hasText: 'ChatGPT' }).first().waitFor();
  expect(await list.locator('tbody tr').count()).toBe(1);
  expect(by.taken()).toBe(2);
  opened.watch.expectClean();
});

it('which pages no AI reads, and why, in three steps', async () => {
  await by.press(rail('Pages'));
  await by.press(page.getByText('Unread', { exact: true }));
  await by.press(page.getByRole('region', { name: 'Unread' }).getByRole('link', { name: '/unseen' }));
  const why = page.getByRole('region', { name: 'Why it was not read' });
  await why.getByText('Your sitemap lists it').waitFor();
  expect(by.taken()).toBe(3);
  opened.watch.expectClean();
});

it('why an order is not matched, in three steps', async () => {
  await by.key('Control+k');
  await by.fill(dialog().getByRole('combobox'), 'order-2');
  await dialog()
    .getByRole('option', { name: /order-2/ })
    .first()
    .waitFor();
  await by.key('Enter');
  await details('Conversion')
    .getByText(/never-seen/)
    .first()
    .waitFor();
  await details('Conversion').locator('.notice').waitFor();
  expect(by.taken()).toBe(3);
  opened.watch.expectClean();
});

it('sends a refused delivery again in four steps', async () => {
  refuses = false;
  await by.press(rail('Conversions'));
  await by.press(tab('Deliveries'));
  await by.press(page.getByRole('row').filter({ hasText: 'order-1' }).getByRole('button').first());
  await details('Delivery').getByText('status 422').first().waitFor();
  await by.press(details('Delivery').getByRole('button', { name: 'Send again' }));
  await details('Delivery').getByText('Delivered').first().waitFor();
  expect(by.taken()).toBe(4);
  expect(await stateOfDelivery()).toBe('delivered');
  opened.watch.expectClean();
});

it('publishes a manifest in four steps', async () => {
  await by.press(rail('WebMCP'));
  await by.press(page.getByRole('button', { name: /^Search Find/ }));
  await by.press(page.getByRole('region', { name: 'Publish' }).getByRole('button', { name: 'Publish' }));
  await by.press(dialog().getByRole('button', { name: 'Sign and publish' }));
  await page.getByText('Published, version 1').waitFor();
  expect(by.taken()).toBe(4);
  expect((await service.call('GET', `/api/v1/webmcp/${shop.id}/manifest/`)).status).toBe(200);
  opened.watch.expectClean();
});

it('has the successor of a key on the clipboard in five steps, and the old one still works', async () => {
  await by.press(rail('Data sources'));
  await by.press(tab('Ingest keys'));
  await by.press(page.getByRole('button', { name: 'Rotate Lamp shop' }));
  await by.press(dialog().getByRole('button', { name: 'Rotate key' }));
  await by.press(dialog().getByRole('button', { name: 'Copy the key' }));
  expect(by.taken()).toBe(5);
  await expect.poll(() => clipboard(page)).toMatch(/^svc_cf_/);
  const fresh = await clipboard(page);
  expect(fresh).not.toBe(shop.key);
  for (const key of [shop.key, fresh]) expect((await service.hits(key, [workerHit()])).status).toBe(204);
  opened.watch.expectClean();
});

it('gets a message about a new bot after four steps', async () => {
  await by.press(rail('Alerts'));
  await by.press(page.getByRole('link', { name: 'Add channel' }));
  await by.fill(dialog().getByRole('textbox').first(), 'https://hooks.slack.com/services/T0/B0/x');
  await by.press(dialog().getByRole('button', { name: 'Add channel' }));
  await page.getByRole('button', { name: 'Send a test over Slack' }).waitFor();
  expect(by.taken()).toBe(4);
  const { rules } = (await of('GET', '/alerts/rules')) as { rules: { kind: string; enabled: boolean }[] };
  expect(rules).toContainEqual(expect.objectContaining({ kind: 'new_bot', enabled: true }));
  opened.watch.expectClean();
});
