/** From connecting a platform to a delivered purchase: the Destinations and Deliveries pages against the real service and fake platforms. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  connect,
  convert,
  hasten,
  newProperty,
  of,
  type Shop as Place,
  settled,
  visitor,
} from '../harness/forwarding.ts';
import { TestService } from '../harness/service.ts';
import { type Platforms, startPlatforms } from '../platforms/index.ts';
import { META } from '../platforms/meta.ts';
import { EVERY_LOOK, findFaultsIn } from './accessibility.ts';
import { follow, launchBrowser, type Opened, openDashboard } from './browser.ts';
import { CUSTOMER, type Posted, SHOP_FLAGS, Shop } from './shop.ts';

const HUMAN = {
  script: `Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });`,
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
};

let platforms: Platforms;
let service: TestService;
let shop: Shop;
let browser: Browser;
const inUse: Opened[] = [];

beforeAll(async () => {
  platforms = await startPlatforms();
  service = new TestService({
    DESTINATION_HOSTS: JSON.stringify(platforms.hosts),
    EVENTS_PER_ADDRESS: '100000',
  });
  [browser] = await Promise.all([launchBrowser(SHOP_FLAGS), service.start()]);
  shop = await new Shop(service).open();
});
afterEach(async () => {
  await platforms.of.meta.up();
  await Promise.all(inUse.splice(0).map((opened) => opened.close()));
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await service?.dispose();
  await platforms?.stop();
});

/** As long as any other action may take, on a machine that may be busy. */
const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read);

async function dashboard(options: Parameters<typeof openDashboard>[2] = {}): Promise<Opened> {
  const opened = await openDashboard(browser, service.address, options);
  inUse.push(opened);
  return opened;
}

/** A property of its own, whose visitor has come by an ad already. */
async function place(): Promise<Place & { readonly visitor: string }> {
  const made = { service, platforms, ...(await newProperty(service)) };
  return { ...made, visitor: await visitor(made) };
}

const order = (at: Place & { readonly visitor: string }, conversion_id: string, more: object = {}) =>
  convert(at, 'purchase', {
    conversion_id,
    visitor_id: at.visitor,
    value: 99.9,
    currency: 'EUR',
    user_data: CUSTOMER,
    ...more,
  });

/** A state, with its sign. */
const mark = (page: Page, name: string) => page.locator('.mark').filter({ hasText: name }).first();
/** The row of a conversion in the list of deliveries. */
const row = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id });
const drawer = (page: Page) => page.getByRole('complementary', { name: 'Delivery details' });

it('connects Meta by its form, tries it, and delivers what a shop sells to a visitor who came by an ad', async () => {
  const { items } = (await service.api('GET', '/api/v1/properties')).body as { items: { id: string }[] };
  const property = items[0]?.id ?? '';
  const { page, watch } = await dashboard();
  watch.expect(/status of 422/);

  // Empty, it can't be sent. Wrong, then right: each field says what it wants, and the first that is wrong has the focus.
  await page.goto(`/p/${property}/destinations`);
  await page.getByRole('link', { name: /^Connect Meta/ }).click();
  const connectIt = page.getByRole('button', { name: 'Connect and test' });
  const pixel = page.getByLabel('Dataset ID (Pixel ID)');
  const token = page.getByLabel('Access token', { exact: true });
  expect(await connectIt.isDisabled()).toBe(true);
  await pixel.fill('my pixel');
  expect(await connectIt.isDisabled()).toBe(true);
  await token.fill('short');
  await connectIt.click();
  await page.getByText('Not valid. Example: 1234567890123456.').waitFor();
  await eventually(() => page.evaluate<string>('document.activeElement.placeholder')).toContain('1234567890');
  // Emptied after that, a field says that it is needed.
  await pixel.fill('');
  await page.getByText('Required.').waitFor();
  expect(await connectIt.isDisabled()).toBe(true);
  await pixel.fill('my pixel');
  expect(await pixel.getAttribute('aria-invalid')).toBe('true');
  await pixel.fill(META.pixel);
  await token.fill(META.token);
  expect(await token.getAttribute('type')).toBe('password');
  await connectIt.click();

  // The test needs the platform's code; with it, the event is shown there and not counted.
  await page.getByRole('heading', { name: 'Send a test event' }).waitFor();
  await page.getByRole('button', { name: 'Send the test event' }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  await page.getByLabel('Test code').fill('TEST12345');
  await page.getByRole('button', { name: 'Send the test event' }).click();
  await page.getByRole('heading', { name: 'Accepted as a test event' }).waitFor();
  const shown = await page.getByRole('region', { name: 'Result of the test' }).textContent();
  expect(shown).toContain('graph.facebook.com');
  expect(shown).not.toContain(META.token);
  expect(platforms.of.meta.calls.at(-1)?.text).toContain('TEST12345');

  // The real way: an ad, the SDK, a checkout, the shop's back end.
  const number = 'ordered-1';
  const context = await browser.newContext({ userAgent: HUMAN.userAgent });
  await context.addInitScript(HUMAN.script);
  const customer = await context.newPage();
  await customer.goto(shop.url('/?fbclid=IwAR0abc&utm_source=facebook&utm_medium=cpc&utm_campaign=autumn'));
  await customer.getByRole('button', { name: 'Accept' }).click();
  await customer.getByRole('link', { name: 'Checkout' }).click();
  await customer.waitForURL('**/checkout');
  const buy = () => customer.evaluate<Posted>(`buy(${JSON.stringify(number)})`);
  await eventually(
    async () => (await shop.ask<{ items: unknown[] }>('/live?class=event')).items.length,
  ).toBeGreaterThan(0);
  expect(await buy()).toMatchObject({ status: 200, body: { session_matched: true } });
  await context.close();

  // Delivered, with the way it took.
  await page.getByRole('link', { name: 'Destinations' }).click();
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await row(page, number).getByText('Delivered').waitFor();
  await row(page, number)
    .getByRole('button', { name: /details$/ })
    .click();
  await drawer(page).getByText('Received and matched').waitFor();
  await drawer(page).getByText('Accepted', { exact: true }).waitFor();
  const way = await drawer(page).textContent();
  expect(way).toContain('HTTP 200');
  expect(way).not.toContain(META.token);
  expect(way).not.toContain(CUSTOMER.email);
  await page.goto(page.url());
  await drawer(page).getByText('Received and matched').waitFor();

  // The conversion knows where it went.
  await drawer(page).getByRole('link', { name: 'Conversion', exact: true }).click();
  const details = page.getByRole('complementary', { name: 'Conversion details' });
  await details.getByRole('link', { name: /Meta.*Delivered/s }).waitFor();

  // The report counts it.
  await page.goto(`/p/${property}/deliveries?view=accuracy`);
  await page.getByRole('heading', { name: '100.0% delivered' }).waitFor();
  const rates = page.getByRole('table', { name: 'Delivery rate by destination' });
  await rates.getByRole('row', { name: /Meta.*100\.0%/ }).waitFor();
  await page.getByText('Show data').click();
  await page.getByRole('table', { name: 'Deliveries, by day' }).getByRole('row').nth(1).waitFor();
  watch.expectClean();
});

describe('a platform in trouble', () => {
  it('that is down: what waits says so, and is delivered once it is back', async () => {
    const at = await place();
    await connect(at, 'meta', { name: 'Meta' });
    await platforms.of.meta.down();
    await order(at, 'down-1');
    const { page, watch } = await dashboard();
    await page.goto(`/p/${at.property}/deliveries`);
    await row(page, 'down-1').getByText('Retrying').waitFor();
    await row(page, 'down-1')
      .getByRole('button', { name: /details$/ })
      .click();
    await drawer(page).getByText('Next attempt').waitFor();
    await platforms.of.meta.up();
    hasten(service);
    await drawer(page).getByText('Delivered').first().waitFor();
    expect(
      await drawer(page)
        .getByText(/no answer/)
        .count(),
    ).toBeGreaterThan(0);
    watch.expectClean();
  });

  it('that refuses: the reason is shown, and replay sends one, or all after saying how many', async () => {
    const at = await place();
    await connect(at, 'meta', { name: 'Meta' });
    const { poisoned } = platforms.of.meta.fake.ledger;
    for (const id of ['refused-1', 'refused-2', 'refused-3']) {
      poisoned.add(`Purchase:${id}`);
      await order(at, id);
      await eventually(async () => await statusOf(at, id)).toBe('dead');
    }
    poisoned.clear();
    const { page, watch } = await dashboard();
    await page.goto(`/p/${at.property}/destinations`);
    await page.getByRole('heading', { name: '1 destination: 1 with recent failures' }).waitFor();
    await page.getByRole('link', { name: 'Meta', exact: true }).click();
    await page.getByText('Last failure: Purchase refused-3').waitFor();
    await page.getByRole('link', { name: '3 failed: show them' }).click();
    await expect.poll(() => page.url()).toContain('status=dead');
    await page.getByRole('button', { name: /Failed\s*3/ }).waitFor();
    await row(page, 'refused-1')
      .getByRole('button', { name: /details$/ })
      .click();
    await drawer(page).getByText('Refused', { exact: true }).waitFor();
    await drawer(page).getByRole('button', { name: 'Send again' }).click();
    await drawer(page).getByText('Delivered').first().waitFor();
    await page.keyboard.press('Escape');
    await drawer(page).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Send 2 again…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 failed deliveries').waitFor();
    await dialog.getByRole('button', { name: 'Send 2 again' }).click();
    await dialog.getByText('2 deliveries queued again.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await eventually(async () => await statusOf(at, 'refused-3')).toBe('delivered');
    await page.getByText('No deliveries match these filters').waitFor();
    watch.expectClean();
  });

  it('that refuses the credentials: the alarm says what to do, and new ones send what waited', async () => {
    const at = await place();
    const id = await connect(at, 'meta', {
      name: 'Meta',
      credentials: { access_token: `${META.token}-old` },
    });
    await order(at, 'locked-1');
    const { page, watch } = await dashboard();
    await page.goto(`/p/${at.property}/destinations`);
    await page.getByText('Meta rejected the credentials').waitFor();
    await page.getByRole('link', { name: 'Replace credentials' }).click();
    await page.getByRole('button', { name: 'Replace Access token' }).click();
    await page.getByLabel('Access token', { exact: true }).fill(META.token);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await mark(page, 'Active').waitFor();
    await eventually(async () => await statusOf(at, 'locked-1')).toBe('delivered');
    await page.goto(`/p/${at.property}/destinations/${id}`);
    await page.getByRole('link', { name: /locked-1.*Delivered/s }).waitFor();
    watch.expectClean();
  });
});

it('asks Google’s credentials back where the service refuses them, and marks topics until they have an event', async () => {
  const at = await place();
  const { page, watch } = await dashboard();
  watch.expect(/status of 422/);
  await page.goto(`/p/${at.property}/destinations/new/google_ads`);
  await page.getByLabel('Customer ID').fill('123-456-7890');
  await page.getByLabel('OAuth client ID', { exact: true }).fill('123456789012-abc.apps.example');
  await page.getByRole('button', { name: /^Connect and/ }).click();
  await page.getByText(/Enter OAuth client ID/).waitFor();
  await eventually(() => page.evaluate<string>('document.activeElement.placeholder')).toContain('1//0g');
  await page.getByLabel('OAuth client secret', { exact: true }).fill('GOCSPX-example0123456789');
  await page.getByLabel('Refresh token', { exact: true }).fill('1//0gAbCdEfExample');
  await page.getByRole('button', { name: /^Connect and/ }).click();

  const purchase = page.getByLabel('Purchase is sent as');
  await purchase.waitFor();
  expect(await page.getByText('Needs an event').count()).toBe(5);
  await purchase.selectOption({ label: 'Conversion action ID…' });
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await page.getByText('Conversion action ID is required.').waitFor();
  await page.getByLabel('Conversion action ID for Purchase').fill('7361936');
  await page.getByLabel('Lead is sent as').selectOption({ label: 'Do not forward' });
  await page.getByLabel('Map a custom event').fill('call_booked');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByLabel('Conversion action ID for call_booked').fill('7361937');
  await page.getByRole('button', { name: 'Save 3 changes' }).click();
  await mark(page, 'Saved').waitFor();
  const { body } = await of(at, 'GET', '/destinations');
  expect((body as { items: { events: object }[] }).items[0]?.events).toEqual({
    purchase: '7361936',
    lead: null,
    'custom:call_booked': '7361937',
  });
  await page.locator('.tab').getByText('Overview').click();
  await page.getByText('No event is mapped for Sign-up, Subscription, Custom').waitFor();
  watch.expectClean();
});

it('pauses, resumes and deletes a destination; what waited for it is skipped, and stays listed', async () => {
  const at = await place();
  const id = await connect(at, 'pinterest', { name: 'Pins' });
  const { page, watch } = await dashboard();
  await page.goto(`/p/${at.property}/destinations/${id}`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await mark(page, 'Paused').waitFor();
  await order(at, 'paused-1');
  await page.getByRole('link', { name: /paused-1.*Queued/s }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('link', { name: /paused-1.*Delivered/s }).waitFor();
  // Or where a delivery says what it waits for.
  await page.getByRole('button', { name: 'Pause' }).click();
  await mark(page, 'Paused').waitFor();
  await order(at, 'paused-3');
  await page.getByRole('link', { name: /paused-3.*Queued/s }).click();
  await drawer(page).getByText('when the destination is resumed').waitFor();
  await drawer(page).getByRole('button', { name: 'Resume destination' }).click();
  await drawer(page).getByText('Delivered').first().waitFor();
  await drawer(page).getByRole('link', { name: 'Destination', exact: true }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await mark(page, 'Paused').waitFor();
  await order(at, 'paused-2');

  await page.locator('.tab').getByText('Settings').click();
  await page.getByRole('button', { name: 'Delete this destination' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type Pins to confirm').fill('Pins');
  await dialog.getByRole('button', { name: 'Delete destination' }).click();
  await page.getByText('Connect the first platform').waitFor();
  await page.goto(`/p/${at.property}/deliveries?destination=${id}`);
  await row(page, 'paused-2').getByText('Destination deleted').waitFor();
  expect(await row(page, 'paused-1').textContent()).toContain('(deleted)');
  watch.expectClean();
});

it('shows a viewer everything, and offers nothing that would be refused', async () => {
  const at = await place();
  const id = await connect(at, 'meta', { name: 'Meta' });
  const { poisoned } = platforms.of.meta.fake.ledger;
  poisoned.add('Purchase:seen-0');
  await order(at, 'seen-0');
  await eventually(async () => await statusOf(at, 'seen-0')).toBe('dead');
  poisoned.clear();
  const issued = await service.api('POST', '/api/v1/organization/tokens', { name: 'Looker', role: 'viewer' });
  const { token } = issued.body as { token: string };
  const { page, context, watch } = await dashboard({ signedIn: false });
  await context.setExtraHTTPHeaders({ Authorization: `Bearer ${token}` });
  await page.goto(`/p/${at.property}/destinations/${id}`);
  expect(await page.getByRole('button', { name: 'Pause' }).isDisabled()).toBe(true);
  await page.locator('.tab').getByText('Settings').click();
  expect(await page.getByLabel('Dataset ID (Pixel ID)').inputValue()).toBe(META.pixel);
  expect(await page.getByRole('button', { name: 'Delete this destination' }).isDisabled()).toBe(true);
  await page.goto(`/p/${at.property}/deliveries?status=dead`);
  expect(await page.getByRole('button', { name: 'Send 1 again…' }).isDisabled()).toBe(true);
  await row(page, 'seen-0')
    .getByRole('button', { name: /details$/ })
    .click();
  expect(await drawer(page).getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
  watch.expectClean();
});

describe('every view, with deliveries in it', () => {
  const views: string[] = [];

  beforeAll(async () => {
    const at = await place();
    // A name that a person may give it nevertheless.
    const id = await connect(at, 'meta', { name: `<b>${'x'.repeat(90)}</b>` });
    await connect(at, 'google_ads', { name: 'Google', events: {} });
    await order(at, `seen-${'1'.repeat(80)}`);
    const delivered = (await settled(at)).find(({ status }) => status === 'delivered');
    const all = [
      '/destinations',
      '/destinations/new/webhook',
      `/destinations/${id}`,
      `/destinations/${id}?view=events`,
      `/destinations/${id}?view=settings`,
      `/destinations/${id}?view=test`,
      '/deliveries',
      `/deliveries?open=${delivered?.id}`,
      '/deliveries?view=accuracy',
    ];
    views.push(...all.map((path) => `/p/${at.property}${path}`));
  });

  it('is accessible on a desk and a phone, light and dark', async () => {
    const { page, watch } = await dashboard();
    const found: unknown[] = [];
    for (const path of views) {
      await follow(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
      found.push(...(await findFaultsIn(page, path, EVERY_LOOK)));
    }
    expect(found).toEqual([]);
    watch.expectClean();
  });
});

async function statusOf(at: Place, conversionId: string): Promise<string | undefined> {
  const { body } = await of(at, 'GET', `/deliveries?q=${conversionId}`);
  return (body as { items: { status: string }[] }).items[0]?.status;
}
