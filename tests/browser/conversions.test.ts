/** From a visit with the SDK to a conversion with its journey: the Webhooks, Conversions and SDK pages against the real service. */
import { createHmac, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../harness/service.ts';
import { DESK_AND_PHONE, findFaults, findFaultsIn } from './accessibility.ts';
import { chooseInRow, choosePeriod, clipboard, follow, launchBrowser, openDashboard } from './browser.ts';

const service = new TestService();
let browser: Browser;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

/** As long as any other action may take, on a machine that may be busy. */
const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read);

/** A page view, as the SDK of a visitor's browser would send it. */
async function visit(
  attributionId: string,
  visitorId: string,
  { location = 'https://shop.example/', origin = 'https://shop.example' } = {},
): Promise<void> {
  const answer = await service.call('POST', '/api/events', {
    headers: { 'Content-Type': 'text/plain', Origin: origin, 'User-Agent': 'Mozilla/5.0 Chrome/131.0.0.0' },
    body: JSON.stringify({
      event_name: 'page_view',
      event_id: randomUUID(),
      attribution_id: attributionId,
      visitor_id: visitorId,
      session_id: randomUUID(),
      session_start: true,
      page_location: location,
      page_referrer: '',
      consent: { analytics: true, advertising: true },
    }),
  });
  expect(answer.status).toBe(200);
}

interface Receiving {
  readonly id: string;
  readonly post: (topic: string, body: unknown) => Promise<{ status: number; body: unknown }>;
}

/** A property that receives, and a shop that posts to it. */
async function receiving(name: string): Promise<Receiving> {
  const { id } = await service.property(name, 'shop.example');
  await service.api('PUT', `/api/v1/properties/${id}/webhooks`, { enabled: true });
  const issued = await service.api('POST', `/api/v1/properties/${id}/webhook-keys`, { name: 'Shop' });
  const { key } = issued.body as { key: string };
  return {
    id,
    post: (topic, body) =>
      service.call('POST', `/webhooks/custom/${id}/${topic}`, {
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

describe('Webhooks', () => {
  it('leads from nothing to the first conversion, with a sample that works as it is copied', async () => {
    const { id } = await service.property('First', 'shop.example');
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/webhooks`);
    await page.getByRole('button', { name: 'Enable receiving' }).click();
    await page.getByText('Waiting for the first request').waitFor();

    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop back end');
    await dialog.getByLabel('Requests per minute').fill('0');
    expect(await dialog.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Requests per minute').fill('120');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByLabel('Webhook key').inputValue();
    expect(key).toMatch(/^svc_wh_/);
    await dialog.getByLabel('I have stored it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: /^Rate limit of Shop back end: 120 per minute/ }).waitFor();

    await page.getByLabel('Type of conversion').selectOption('Lead');
    await page.getByRole('button', { name: 'Copy the endpoint' }).click();
    await eventually(() => clipboard(page)).toBe(`${service.address}/webhooks/custom/${id}/lead`);
    await page.getByText('Node', { exact: true }).click();
    await page.getByText('Full', { exact: true }).click();
    await page.waitForURL(/topic=lead&language=node&size=full/);
    await page.getByRole('button', { name: 'Copy the code' }).click();
    await eventually(() => clipboard(page)).toContain(`Bearer ${key}`);
    const code = await clipboard(page);
    await import(`data:text/javascript,${encodeURIComponent(code.replace(/^console.*$/m, ''))}`);

    const latest = page.getByRole('complementary', { name: 'Latest requests' });
    await latest.getByText('Unmatched: unknown visitor').click();
    const drawer = page.getByRole('complementary', { name: 'Request details' });
    await drawer.getByText('personal data masked').waitFor();
    const received = (await drawer.locator('pre').textContent()) ?? '';
    expect(received).toContain('lead-2001');
    expect(received).not.toContain('ada@customer.example');
    expect(received).not.toContain('901820');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });

    // Once conversions arrive, the keys, the endpoint and a sample stay in sight, without the steps.
    await page.goto(`/p/${id}/webhooks`);
    await page.getByRole('heading', { name: 'Sample request' }).waitFor();
    await page.getByRole('button', { name: 'Copy the endpoint' }).waitFor();
    await page.getByRole('button', { name: 'Copy the code' }).waitFor();
    watch.expectClean();
    await close();
  });

  it('connects WooCommerce, shows its deliveries and why nothing is counted, and disconnects it', async () => {
    const { id } = await receiving('Woo');
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/webhooks?view=shops`);
    const woo = page.getByRole('region', { name: 'WooCommerce', exact: true });
    await woo.getByRole('button', { name: 'Connect WooCommerce' }).click();
    await woo.getByRole('button', { name: 'Generate secret' }).click();
    const dialog = page.getByRole('dialog');
    const secret = await dialog.getByLabel('Signing secret').inputValue();
    await dialog.getByLabel('I have stored it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await woo.getByText('Nothing has arrived').waitFor();
    await page.getByRole('button', { name: 'Copy the delivery URL of WooCommerce' }).click();
    await eventually(() => clipboard(page)).toBe(`${service.address}/webhooks/woocommerce/${id}`);

    const deliver = async (order: object, signedWith: string) => {
      const body = JSON.stringify({ id: 7, currency: 'EUR', total: '9.90', ...order });
      const signature = createHmac('sha256', signedWith).update(body).digest('base64');
      const headers = { 'X-WC-Webhook-Topic': 'order.created', 'X-WC-Webhook-Signature': signature };
      return (await service.call('POST', `/webhooks/woocommerce/${id}`, { headers, body })).status;
    };
    expect(await deliver({ status: 'processing' }, 'wrong')).toBe(401);
    await woo.getByText('signature doesn’t fit').waitFor();
    expect(await deliver({ status: 'pending' }, secret)).toBe(200);
    await woo.getByText('The order is not paid: its status is "pending".').waitFor();
    expect(await deliver({ status: 'processing' }, secret)).toBe(200);
    await woo.getByText('New: purchase.').waitFor();
    expect(await woo.getByText('Why nothing shows').count()).toBe(0);
    expect(await findFaults(page, 'all')).toEqual([]);

    await woo.getByRole('button', { name: 'Disconnect' }).click();
    await dialog.getByLabel('Type WooCommerce to confirm').fill('WooCommerce');
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await woo.getByRole('button', { name: 'Generate secret' }).waitFor();
    await woo.getByText('Not connected', { exact: true }).waitFor({ state: 'attached' });
    expect(await woo.getByText('Connected', { exact: true }).count()).toBe(0);
    watch.expectClean();
    await close();
  });

  it('shows why a body was refused, stands still when paused, and goes on', async () => {
    const { id, post } = await receiving('Refused');
    const { page, watch, close } = await openDashboard(browser, service.address);
    await post('purchase', { conversion_id: 'first', value: 'much', currency: 'EUR' });
    await page.goto(`/p/${id}/webhooks?view=activity`);
    await page.getByRole('button', { name: 'Purchase, Body rejected: details' }).click();
    const drawer = page.getByRole('complementary', { name: 'Request details' });
    await drawer.getByText(/^\/value: /).waitFor();
    await eventually(() => page.evaluate('document.activeElement.tagName')).toBe('H2');
    await drawer.getByRole('button', { name: 'Close details' }).click();

    const rows = page.getByRole('table', { name: 'Requests, newest first' }).locator('tbody tr');
    await page.getByRole('button', { name: 'Pause' }).click();
    await post('purchase', { conversion_id: 'second', value: 1, currency: 'EUR' });
    await page.locator('.connection[data-state="paused"]').waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await eventually(() => rows.count()).toBe(2);
    expect(await rows.first().textContent()).toContain('Unmatched: no visitor ID');
    expect(await rows.first().textContent()).toContain('€1.00');

    await page.getByLabel('Result').selectOption('Body rejected');
    await page.getByText('1 of the last 1, live').waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Search by conversion ID').fill('SECOND');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await eventually(() => rows.count()).toBe(2);
    watch.expectClean();
    await close();
  });

  it('changes a rate limit, and revokes a key by its name', async () => {
    const { id, post } = await receiving('Keys');
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/webhooks`);
    await page.getByRole('button', { name: /^Rate limit of Shop: 60 per minute/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Requests per minute').fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /^Rate limit of Shop: 1 per minute/ }).waitFor();
    expect((await post('lead', {})).status).toBe(200);
    expect((await post('lead', {})).status).toBe(429);
    await chooseInRow(page, 'Shop', 'Revoke');
    await dialog.getByLabel('Type Shop to confirm').fill('Shop');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    await eventually(async () => (await post('lead', {})).status).toBe(401);
    watch.expectClean();
    await close();
  });

  it('sets attribution window and consent, proves a domain, and stops receiving after a plain warning', async () => {
    const { id, post } = await receiving('Settings');
    const settings = async () => (await service.api('GET', `/api/v1/properties/${id}/webhooks`)).body;
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/webhooks?view=settings`);
    await page.getByLabel('Days after the click').fill('91');
    expect(await page.getByLabel('Days after the click').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Days after the click').fill('7');
    await page.getByRole('button', { name: 'Save the attribution window' }).click();
    const saved = page.locator('.save-line').getByText('Saved', { exact: true });
    await saved.waitFor();
    await page.getByRole('radio', { name: /^Send all, as consented/ }).check();
    await page.getByRole('button', { name: 'Save the consent setting' }).click();
    await eventually(() => saved.count()).toBe(2);
    await eventually(settings).toMatchObject({ lookback_days: 7, consent_default: 'granted' });

    watch.expect(/status of 422/);
    await page.getByLabel('Add a domain').fill('no host name');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('alert').or(page.locator('.field-error')).first().waitFor();
    await page.getByLabel('Add a domain').fill('track.ghostlight.invalid');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByText('Waiting for the record', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy the value of the TXT record' }).click();
    await eventually(() => clipboard(page)).toMatch(/\S{16}/);
    await page.getByRole('button', { name: 'Verify track.ghostlight.invalid now' }).click();
    await page.getByText('Not checked yet').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove track.ghostlight.invalid' }).click();
    await page.getByLabel('Type track.ghostlight.invalid to confirm').fill('track.ghostlight.invalid');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove domain' }).click();
    await page.getByText('Waiting for the record', { exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Disable receiving' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable receiving' }).click();
    await page.getByText('Not receiving').waitFor();
    await eventually(async () => (await post('lead', {})).status).toBe(404);
    await page.getByRole('button', { name: 'Enable receiving' }).click();
    await page.getByRole('button', { name: 'Disable receiving' }).waitFor();
    await eventually(async () => (await post('lead', {})).status).toBe(200);
    watch.expectClean();
    await close();
  });
});

describe('SDK', () => {
  it('waits for the first event, says what came from where, and allows a foreign page', async () => {
    const { id } = await service.property('Events', 'shop.example');
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/sdk`);
    const check = page.getByRole('complementary', { name: 'Events check' });
    await check.getByText('No events from the script yet').waitFor();
    await visit(id, randomUUID());
    await check.getByText('Receiving events').waitFor({ timeout: 15_000 });
    await visit(id, randomUUID(), { origin: 'https://checkout.example' });
    await check.getByRole('button', { name: 'Allow checkout.example' }).click();
    await page.getByRole('button', { name: 'Remove checkout.example' }).waitFor();
    const settings = async () => (await service.api('GET', `/api/v1/properties/${id}/events/settings`)).body;
    expect(await settings()).toMatchObject({ allowed_origins: ['checkout.example'] });
    await page.getByLabel(/Reject events from other origins/).check();
    await eventually(settings).toMatchObject({ refuse_foreign_origins: true });
    watch.expectClean();
    await close();
  });

  it('fills the snippet with the property, for a script tag and for a package', async () => {
    const { id } = await service.property('Snippet', 'shop.example');
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/sdk`);
    await page.getByRole('button', { name: 'Copy the snippet' }).click();
    await eventually(() => clipboard(page)).toContain(`"${service.address}/sdk.js"`);
    expect(await clipboard(page)).toContain(id);
    await page.getByText('npm package').click();
    await page.getByText('No banner').click();
    await page.waitForURL(/form=module&consent=granted/);
    await page.getByRole('button', { name: 'Copy the snippet' }).click();
    await eventually(() => clipboard(page)).toContain('consent: { analytics: true, advertising: true }');
    watch.expectClean();
    await close();
  });
});

describe('Conversions', () => {
  it('says what has to be there first', async () => {
    const { id } = await service.property('Empty', 'shop.example');
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/conversions`);
    await page.getByText('No conversions in these 30 days').waitFor();
    await page.getByRole('link', { name: 'Set up the browser script' }).click();
    await page.getByRole('heading', { name: 'Browser script', level: 1 }).waitFor();
    watch.expectClean();
    await close();
  });

  it('shows what the customers of an AI engine bought, from the engine on Referrals', async () => {
    const { id, post } = await receiving('Engine');
    const visitor = randomUUID();
    await visit(id, visitor, { location: 'https://shop.example/lamps?utm_source=chatgpt.com' });
    await eventually(async () => {
      const { body } = await post('lead', { conversion_id: 'probe', visitor_id: visitor });
      return (body as { session_matched: boolean }).session_matched;
    }).toBe(true);
    const lamp = { id: 'L1', name: 'Lamp <b>', quantity: 2, price: '19.50' };
    const euros = (value: string) => ({ value, currency: 'EUR' });
    await post('purchase', { conversion_id: 'a', visitor_id: visitor, ...euros('39'), products: [lamp] });
    await post('purchase', { conversion_id: 'b', ...euros('19.50'), products: [{ ...lamp, quantity: 1 }] });

    const { page, watch, context } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/referrals`);
    const engines = page.getByRole('table', { name: 'Engines, side by side' });
    // The lead that was posted first, and the order.
    await engines.getByRole('link', { name: '2', exact: true }).click();
    const bought = page.getByRole('table', { name: 'Products bought' });
    await bought.getByText('Lamp <b>').waitFor();
    expect(await bought.getByRole('row').nth(1).textContent()).toMatch(/L11\s*2\s*€39\.00/);
    await page.getByText('Products of 1 of 2 conversions', { exact: false }).waitFor();
    await page.getByLabel('AI engine', { exact: true }).selectOption('');
    await bought.getByText('€58.50').waitFor();
    expect(await findFaults(page)).toEqual([]);
    watch.expectClean();
    await context.close();
  });

  it('compares with earlier days as the reports do, in figures, chart and files, and hands on the view', async () => {
    const { id, post } = await receiving('Growing');
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const buy = (days: number, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          post('purchase', {
            ...{ conversion_id: `${days}-${n}`, value: '10', currency: 'EUR' },
            event_time: daysAgo(days),
          }),
        ),
      );
    await buy(25, 1);
    await buy(10, 20);
    await buy(3, 30);
    // Only the earlier days have pounds and dollars.
    const once = (days: number, topic: string, body: object) =>
      post(topic, { ...body, event_time: daysAgo(days) });
    await once(10, 'purchase', { conversion_id: 'pounds', value: '250', currency: 'GBP' });
    await once(25, 'purchase', { conversion_id: 'dollars', value: '5000', currency: 'USD' });
    await once(11, 'refund', { conversion_id: 'dollars', refund_id: 'r', value: '5000', currency: 'USD' });
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${id}/conversions?period=last_7_days&from=2024-02-30&to=2024-03-02`);
    // The address names the days that are shown.
    await page.waitForURL((url) => url.search === '?period=last_7_days');
    const totals = page.locator('.totals');
    await totals.getByText('50%').first().waitFor();
    await totals.getByText('£0').waitFor();
    await totals.getByText('vs £250').waitFor();
    await page
      .locator('.period-line')
      .getByText(/ compared with .*; today is still in progress and is excluded\.$/)
      .waitFor();
    await page.locator('.legend-before').getByText('€200').waitFor();
    const table = page.getByRole('table', { name: 'Conversions by channel' });
    expect(await table.getByRole('columnheader').allTextContents()).toContain('Change');

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Conversions by channel' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const csv = await text(await (await saved).createReadStream());
    expect(csv).toMatch(/,Compared with,Conversions then,Value then,Counts,Time zone\r\n/);
    const counts = '"?All conversions, credit: Last click"?,UTC\\r\\n';
    for (const line of ['30,EUR,300,,[^,]+,21,200', '30,GBP,0,,[^,]+,21,250', '30,USD,0,,[^,]+,21,-5000'])
      expect(csv).toMatch(new RegExp(`,${line},${counts}`));
    // Nothing has products: their card is not drawn.
    expect(await page.locator('section[aria-label="What they bought"]').isVisible()).toBe(false);

    // The line goes below zero, and stays in the chart.
    await page.getByLabel('Currency').selectOption('USD');
    await page.locator('.chart-rule[data-zero="true"]').waitFor({ state: 'attached' });
    const line = page.locator('.day-chart-box .chart-before');
    expect((await line.getAttribute('d'))?.match(/M/g)).toHaveLength(1);
    expect((await line.boundingBox())?.height).toBeLessThan(210);

    // The link has what is compared; a public link never shows conversions.
    await page.getByRole('button', { name: 'Share' }).click();
    await eventually(() => page.getByRole('menuitem').allTextContents()).toEqual([
      'Copy link Only members of Default can open it',
      'Manage share links',
      'Email reports…',
    ]);
    await page.getByRole('menuitem', { name: 'Copy link Only members of Default can open it' }).click();
    await eventually(() => clipboard(page)).toContain(`/p/${id}/conversions?period=last_7_days`);

    // Before the first conversion nothing is known, which is not zero.
    await choosePeriod(page, 'Last 30 days');
    await page
      .locator('.period-line')
      .getByText(/^.*No comparison with .*: the first conversion was on /)
      .waitFor();
    await totals.getByText('no earlier data').first().waitFor();
    await choosePeriod(page, 'No comparison');
    await totals.getByText('no earlier data').first().waitFor({ state: 'detached' });
    expect(page.url()).toContain('compare=none');
    watch.expectClean();
    await close();
  });

  it('shows the journey that led to an order, one sum a currency, and keeps its filters in the address', async () => {
    const { id, post } = await receiving('Journey');
    const visitor = randomUUID();
    await visit(id, visitor, {
      location:
        'https://shop.example/lamps?gclid=Cj0KCQ&utm_source=google&utm_medium=cpc&utm_campaign=autumn',
    });
    await eventually(async () => {
      const { body } = await post('lead', { conversion_id: 'probe', visitor_id: visitor });
      return (body as { session_matched: boolean }).session_matched;
    }).toBe(true);
    const order = { visitor_id: visitor, user_data: { email: 'ada@customer.example' } };
    await post('purchase', { ...order, conversion_id: 'order-1', value: '1234.50', currency: 'EUR' });
    await post('purchase', { ...order, conversion_id: 'order-2', value: 5000, currency: 'JPY' });
    await post('purchase', { conversion_id: 'stranger', value: 0.1, currency: 'EUR' });
    await post('refund', { conversion_id: 'order-1', value: '200', currency: 'EUR' });

    const { page, watch, context, close } = await openDashboard(browser, service.address, { isFresh: true });
    await page.goto(`/p/${id}/conversions`);
    const totals = page.locator('.totals');
    await totals.getByText('€1,034.60').waitFor();
    await totals.getByText('¥5,000').waitFor();
    await page.getByRole('table', { name: 'Conversions by channel' }).getByText('Paid Search').waitFor();

    await page.getByLabel('Credit').selectOption('linear');
    await page.getByText('Every visit in the attribution window gets the same share').waitFor();
    await page.getByText('Campaign', { exact: true }).first().click();
    await page.getByRole('button', { name: 'autumn', exact: true }).click();
    await page.waitForURL(/(?=.*campaign=autumn)(?=.*model=linear)/);
    const list = page.getByRole('table', { name: 'Conversions, newest first' });
    await list.getByText('stranger').waitFor({ state: 'detached' });
    // What the list is narrowed to, totals and chart count as well.
    await totals.getByText('€1,034.50').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByLabel('Match', { exact: true }).selectOption('no');
    await list.getByText('order-1').first().waitFor({ state: 'detached' });
    await list.getByText('stranger').waitFor();
    await totals.getByText('€0.10').waitFor();
    await page.getByLabel('Type', { exact: true }).selectOption('subscription');
    await page.getByText('No conversions match these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await totals.getByText('€1,034.60').waitFor();

    // Shares and totals are in the currency of the chart. A row with value in another has no share of it.
    const channels = page.getByRole('table', { name: 'Conversions by campaign' });
    await channels.getByRole('columnheader', { name: 'Share of value in EUR' }).waitFor();
    await page.getByLabel('Currency').selectOption('JPY');
    await channels.getByRole('columnheader', { name: 'Share of value in JPY' }).waitFor();
    const stranger = channels.getByRole('row', { name: /^No campaign/ });
    expect(await stranger.locator('.cell-share').textContent()).toBe('–');
    await totals
      .locator('dd')
      .filter({ hasText: /^¥5,000/ })
      .waitFor();
    await page.getByLabel('Currency').selectOption('EUR');

    // The list is longer than the number of conversions, and says why.
    await page.getByText('Includes refunds, which are not counted as conversions.').waitFor();

    // The page that the buyer landed on has them, and leads to them.
    await page.goto(`/p/${id}/pages?page=/lamps`);
    const landed = page.getByRole('region', { name: 'People who landed here' });
    await landed.getByText('€1,034.50, ¥5,000').waitFor();
    await landed.getByRole('link', { name: '3', exact: true }).click();
    await page.getByRole('button', { name: 'Download these conversions' }).click();
    const file = page.getByRole('menuitem', { name: 'CSV' });
    const csv = await page.request.get((await file.getAttribute('href')) ?? '');
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(5);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Landed on /lamps: remove this filter' }).click();
    await totals.getByText('€1,034.60').waitFor();

    // Rows are walked as in Live.
    await page.getByRole('heading', { name: 'Conversions', level: 1 }).click();
    await page.keyboard.press('j');
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.ariaLabel ?? ""'))
      .toMatch(/: details$/);
    await list.getByRole('button', { name: 'Purchase order-1: details' }).click();
    const drawer = page.getByRole('complementary', { name: 'Conversion details' });
    await drawer.getByText('earned the credit').waitFor();
    expect(await drawer.textContent()).toContain('gclid');
    expect(await drawer.textContent()).not.toContain('ada@customer.example');
    await drawer.getByRole('button', { name: '−€200.00' }).click();
    await drawer.getByText('Matched by order').waitFor();
    await page.reload();
    await drawer.getByText('Matched by order').waitFor();
    watch.expectClean();
    // Neither the totals nor the list of one period get the name of another.
    watch.expect(/Failed to (load|fetch)|ERR_INTERNET_DISCONNECTED|net::/);
    await totals.waitFor();
    // A menu that was open once opens without the service, too.
    await page.getByRole('button', { name: /^Period: / }).click();
    await page.getByRole('button', { name: 'Last 90 days', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await context.setOffline(true);
    await choosePeriod(page, 'Last 90 days');
    const banner = page.locator('.away');
    await banner.getByText('You’re offline.').waitFor();
    await page.getByRole('button', { name: 'Period: Last 90 days' }).waitFor();
    await expect.poll(() => page.locator('.totals, .report, .conversion-table').count()).toBe(0);
    await choosePeriod(page, 'Last 30 days');
    await totals.getByText('€1,034.60').waitFor();
    await banner.getByText(/The data shown was loaded at \d\d:\d\d/).waitFor();
    await close();
  });
});

it('is accessible (light on a desk, dark on a phone)', async () => {
  const { id, post } = await receiving('Everyone');
  await visit(id, 'visitor-1', { location: 'https://shop.example/?gclid=abc' });
  await post('purchase', {
    conversion_id: '<img src=x onerror=alert(1)>',
    visitor_id: 'visitor-1',
    value: 1,
    currency: 'EUR',
  });
  await post('lead', { conversion_id: 'x'.repeat(255), lead_type: '"><svg/onload=alert(2)>' });
  await post('purchase', { value: -1 });
  const { page, watch, close } = await openDashboard(browser, service.address);
  const places: readonly [path: string, ready: string][] = [
    ['/webhooks?language=php&size=full', '.latest-link'],
    ['/webhooks?view=activity', '.request-table tbody tr'],
    ['/webhooks?view=settings', '.domain-form'],
    ['/conversions', '.conversion-table tbody tr'],
    ['/sdk', '.sources li'],
  ];
  for (const [path, ready] of places) {
    await follow(page, `/p/${id}${path}`);
    await page.locator(ready).first().waitFor();
    const details = page.locator('.row-open').first();
    if ((await details.count()) > 0) {
      await details.click();
      await page.locator('.drawer-body .request-facts, .drawer-body .drawer-facts').first().waitFor();
    }
    expect(await findFaultsIn(page, path, DESK_AND_PHONE)).toEqual([]);
    expect(await page.locator('img, svg[onload]').count(), path).toBe(0);
  }
  watch.expectClean();
  await close();
});
