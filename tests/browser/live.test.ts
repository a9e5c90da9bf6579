/** The Live view against the real service: rows as they arrive, what can be done with them, and what happens when the stream can't be had. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestService, workerHit } from '../harness/service.ts';
import { clipboard, launchBrowser, openDashboard } from './browser.ts';

const service = new TestService();
let browser: Browser;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

const rows = (page: Page) => page.getByRole('table', { name: /Visits/ }).locator('tbody tr');
const row = (page: Page, path: string) => rows(page).filter({ hasText: path });
/** Of the ranges that verified the visits: read once, since a day can end meanwhile. */
const RANGES_DAY = new Date().toISOString().slice(0, 10);
/** As the dashboard writes it. */
const RANGES_DATE = new Date(`${RANGES_DAY}T00:00:00Z`).toLocaleDateString('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  timeZone: 'UTC',
});
const hit = (pathname: string, more: Record<string, unknown> = {}) =>
  workerHit({ pathname, ranges_as_of: RANGES_DAY, ...more });

/** One visit of each kind, in a property of the test's own. */
async function stage(name: string) {
  const property = await service.property(name);
  const answer = await service.hits(property.key, [
    hit('/verified'),
    hit('/spoofed', { verified: false, verified_by: null }),
    hit('/unknown', {
      user_agent: 'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)',
      verified: false,
      verified_by: null,
    }),
    hit('/referral', {
      user_agent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      referer: 'https://chatgpt.com/',
      verified: null,
      verified_by: null,
    }),
    hit('/missing', { status: 404 }),
  ]);
  expect(answer.status).toBe(204);
  return property;
}

async function open(propertyId: string, search = '') {
  const opened = await openDashboard(browser, service.address);
  await opened.page.goto(`/p/${propertyId}/live${search}`);
  return opened;
}

it('names search crawlers where the property stores them, and only there', async () => {
  const { id, key } = await stage('Search crawlers');
  const googlebot = (pathname: string) =>
    hit(pathname, { user_agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' });
  expect((await service.hits(key, [googlebot('/dropped')])).status).toBe(204);
  const changed = await service.api('PATCH', `/api/v1/properties/${id}`, { search_engines: true });
  expect(changed.status).toBe(200);
  expect((await service.hits(key, [googlebot('/crawled')])).status).toBe(204);
  const { page, watch, close } = await open(id);
  await row(page, '/crawled').waitFor();
  expect(await row(page, '/crawled').textContent()).toMatch(
    /Search crawler[\s\S]*Googlebot[\s\S]*Google · Search[\s\S]*✓\s*Verified/,
  );
  expect(await row(page, '/dropped').count()).toBe(0);
  // The tab counts AI bots alone.
  await expect.poll(() => page.title()).toContain('4 AI bot visits');
  await page.getByLabel('Class').selectOption('search_engine');
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.waitForURL(/class=search_engine/);
  watch.expectClean();
  await close();
});

it('shows each visit with its class and identity in words, and filters that live in the address', async () => {
  const { id } = await stage('Marks');
  const { page, watch, close } = await open(id);
  await expect.poll(() => rows(page).count()).toBe(5);
  expect(await row(page, '/verified').textContent()).toMatch(
    /AI bot[\s\S]*GPTBot[\s\S]*OpenAI · Training[\s\S]*✓\s*Verified/,
  );
  expect(await row(page, '/spoofed').textContent()).toMatch(/✕\s*Spoofed/);
  expect(await row(page, '/unknown').textContent()).toMatch(/\?\s*Unknown/);
  expect(await row(page, '/referral').textContent()).toMatch(/AI referral[\s\S]*From ChatGPT/i);

  await page.getByLabel('Identity').selectOption('spoofed');
  await page.waitForURL(/verdict=spoofed/);
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByLabel('Class').selectOption('ai_bot');
  await page.keyboard.press('Tab');
  await page.reload();
  await page.getByText('1 of 5 visits').waitFor();
  expect(await page.getByLabel('Identity').inputValue()).toBe('spoofed');
  expect(await page.getByLabel('Class').inputValue()).toBe('ai_bot');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => rows(page).count()).toBe(5);

  await page.getByLabel(/Filter by path/).fill('404-nothing');
  await page.getByText('No visits match these filters').waitFor();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect.poll(() => rows(page).count()).toBe(5);
  watch.expectClean();
  await close();
});

it('says in the drawer how an identity was checked, and which day’s ranges decided', async () => {
  const { id } = await stage('Reasons');
  const { page, watch, close } = await open(id);
  const drawer = page.getByRole('complementary', { name: 'Visit details' });
  for (const [path, sentence, ranges] of [
    [
      '/verified',
      /^The address is within the ranges that .* publishes for .*\. Checked by the collector /,
      RANGES_DATE,
    ],
    ['/spoofed', /^The address is outside the ranges that .*\. Checked by the collector /, RANGES_DATE],
    ['/unknown', 'The vendor publishes no address ranges for this bot.', null],
    ['/referral', null, null],
  ] as const) {
    await row(page, path).locator('.row-open').click();
    await drawer.getByText(path, { exact: true }).waitFor();
    if (sentence === null) expect(await drawer.getByText('How its identity was checked').count()).toBe(0);
    else await drawer.getByText(sentence).first().waitFor();
    // A referral has too few of them to fold any.
    const more = drawer.locator('.drawer-more');
    expect(await more.count()).toBe(sentence === null ? 0 : 1);
    if (sentence !== null && (await more.getAttribute('open')) === null)
      await drawer.getByText(/more fields?$/).click();
    const day = drawer.locator('.drawer-field').filter({ hasText: 'IP ranges as of' });
    if (ranges === null) expect(await day.count()).toBe(0);
    else expect(await day.textContent()).toContain(ranges);
  }
  watch.expectClean();
  await close();
});

it('holds new visits back while paused, counts them, and lets them in on resume', async () => {
  const { id, key } = await stage('Pause');
  const { page, watch, close } = await open(id);
  await page.locator('.connection[data-state="streaming"]').waitFor();
  await expect.poll(() => rows(page).count()).toBe(5);
  await page.keyboard.press('Space');
  const resume = page.getByRole('button', { name: /Resume/ });
  await resume.waitFor();
  await service.hits(key, [hit('/late-1'), hit('/late-2')]);
  await page.getByText('2 waiting').waitFor();
  expect(await rows(page).count()).toBe(5);
  await resume.click();
  await row(page, '/late-2').waitFor();
  expect(await rows(page).count()).toBe(7);
  watch.expectClean();
  await close();
});

it('is worked by keyboard: j, k, Enter, Esc, / and ?', async () => {
  const { id } = await stage('Keyboard');
  const { page, watch, close } = await open(id);
  await expect.poll(() => rows(page).count()).toBe(5);
  const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
  const labels = await rows(page)
    .locator('.row-open')
    .evaluateAll((all) => all.map((one) => one.ariaLabel));
  await page.keyboard.press('j');
  await expect.poll(focused).toBe(labels[0]);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(focused).toBe(labels[2]);
  await page.keyboard.press('k');
  await expect.poll(focused).toBe(labels[1]);
  // Hits of one request arrive in the same millisecond, in no certain order.
  const wanted = labels.findIndex((label) => label?.startsWith('GPTBot,'));
  for (let at = 1; at !== wanted; at += Math.sign(wanted - at))
    await page.keyboard.press(wanted > at ? 'j' : 'k');
  await expect.poll(focused).toBe(labels[wanted]);
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('complementary', { name: 'Visit details' });
  await drawer.waitFor();
  expect(await drawer.textContent()).toContain('GPTBot');
  // The focus is in the details, whose first control is next.
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.textContent'))
    .toMatch(/^(Claims to be )?GPTBot$/);
  await page.keyboard.press('Tab');
  expect(
    await page.evaluate<boolean>(`document.activeElement.closest('[aria-label="Visit details"]') !== null`),
  ).toBe(true);
  await drawer.getByText(/more fields$/).click();
  await drawer.getByRole('button', { name: 'Copy Hit ID' }).click();
  await expect.poll(() => clipboard(page)).toMatch(/^[0-9a-f-]{36}$/);
  for (const field of ['Time (UTC)', 'Host', 'Path', 'Bot', 'Country', 'User agent']) {
    expect(await drawer.getByRole('button', { name: `Copy ${field}`, exact: true }).count()).toBe(1);
  }
  await page.keyboard.press('Escape');
  await expect.poll(() => drawer.count()).toBe(0);
  await expect.poll(focused).toBe(labels[wanted]);
  await page.keyboard.press('/');
  await page.keyboard.type('missing?');
  expect(await page.getByLabel(/Filter by path/).inputValue()).toBe('missing?');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await page.waitForURL('**/keys');
  watch.expectClean();
  await close();
});

it('asks again and again when the stream is refused, and streams once it may', async () => {
  const { id, key } = await stage('Fallback');
  const { page, watch, close } = await openDashboard(browser, service.address);
  watch.expect(/ERR_FAILED/);
  await page.route('**/live/stream', (route) => route.abort());
  await page.goto(`/p/${id}/live`);
  await page.getByText('Refreshes every 3 seconds').waitFor();
  await service.hits(key, [hit('/polled')]);
  await row(page, '/polled').waitFor();
  await page.unroute('**/live/stream');
  await page.locator('.connection[data-state="streaming"]').waitFor();
  await service.hits(key, [hit('/streamed')]);
  await row(page, '/streamed').waitFor();
  await page.locator('.connection[data-state="streaming"]').waitFor();
  watch.expectClean();
  await close();
});

it('loads the view again when the stream says that it was cut', async () => {
  const { id } = await stage('Cut');
  const { page, watch, close } = await openDashboard(browser, service.address);
  let asked = 0;
  await page.route(/\/live\?/, async (route) => {
    asked += 1;
    await route.continue();
  });
  await page.route('**/live/stream', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: 'retry: 600000\n\nevent: cut\ndata: {"reason":"x"}\n\n',
    }),
  );
  await page.goto(`/p/${id}/live`);
  // Four classes each: the first answer, the stream's opening, the cut.
  await expect.poll(() => asked).toBeGreaterThanOrEqual(12);
  await expect.poll(() => rows(page).count()).toBe(5);
  watch.expectClean();
  await close();
});

it('takes a burst of more than a stream carries, and stays live', async () => {
  const { id, key } = await service.property('Burst');
  const { page, watch, close } = await open(id);
  await page.locator('.connection[data-state="streaming"]').waitFor();
  const burst = Array.from({ length: 1_500 }, (_, index) => hit(`/burst/${index}`));
  expect((await service.hits(key, burst)).status).toBe(204);
  // The list holds at least what a stream tells at once, and says that there is more; the strip counts all.
  await page.getByText(/^(Newest 1,\d{3} of )?1,500 visits$/).waitFor();
  const strip = page.getByRole('region', { name: 'Last 30 minutes' });
  await strip.getByText('1,500', { exact: true }).first().waitFor();
  await service.hits(key, [hit('/after-the-burst')]);
  await row(page, '/after-the-burst').waitFor();
  await page.locator('.connection[data-state="streaming"]').waitFor();
  watch.expectClean();
  await close();
});

it('exports what is stored as CSV and NDJSON, hits and browser events apart', async () => {
  const { id } = await stage('Take-away');
  const { page, watch, close } = await open(id);
  await expect.poll(() => rows(page).count()).toBe(5);
  const download = async (name: string) => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ]);
    return await readFile(await file.path(), 'utf8');
  };
  const csv = (await download('Hits as CSV')).trimEnd().split(/\r?\n/);
  expect(csv).toHaveLength(6);
  expect(csv[0]).toContain('bot_name');
  const lines = (await download('Hits as NDJSON'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ path }) => path).sort()).toEqual([
    '/missing',
    '/referral',
    '/spoofed',
    '/unknown',
    '/verified',
  ]);
  const agent = { 'Content-Type': 'text/plain', 'User-Agent': 'Mozilla/5.0 Chrome/142.0.0.0' };
  await service.call('POST', '/api/events', {
    headers: { ...agent, Origin: 'https://shop.example' },
    body: JSON.stringify({
      ...{ attribution_id: id, event_name: 'page_view', event_id: 'e-1', visitor_id: 'v', session_id: 's' },
      page_location: 'https://shop.example/lamps',
    }),
  });
  await expect.poll(() => rows(page).count()).toBe(6);
  const [event] = (await download('Browser events as NDJSON')).trimEnd().split('\n');
  expect(JSON.parse(event ?? '')).toMatchObject({ event_name: 'page_view' });
  expect((await download('Browser events as CSV')).split(/\r?\n/)[0]).toContain('event_name');
  // The filter of the list is the file's, too.
  await page.getByLabel('Class').selectOption('ai_bot');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const href = await page.getByRole('menuitem', { name: 'AI bot hits as CSV' }).getAttribute('href');
  expect(href).toContain('class=ai_bot');
  watch.expectClean();
  await close();
});
