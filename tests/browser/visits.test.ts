/** The visits explorer in a real browser: a question answered in counted steps, filters in the address, the chart, columns and the phone. */
import { readFile } from 'node:fs/promises';
import { HOUR_MS } from '@ghostlight/core/time';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { nowWithinADay } from '../harness/day.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { findFaults } from './accessibility.ts';
import { launchBrowser, openDashboard } from './browser.ts';

const service = new TestService();
let browser: Browser;
let property: Awaited<ReturnType<TestService['property']>>;
const now = await nowWithinADay();

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const VISITS = [
  ...Array.from({ length: 70 }, (_, index) =>
    workerHit({ pathname: `/guides/${index}`, timestamp: now - index * 1_000 }),
  ),
  ...Array.from({ length: 3 }, (_, index) =>
    workerHit({
      ...{ pathname: '/login', timestamp: now - HOUR_MS - index, status: 404, asn: 24_940, country: 'DE' },
      ...{ verified: false, verified_by: null },
    }),
  ),
  workerHit({
    ...{ pathname: '/landed', user_agent: CHROME, referer: 'https://chatgpt.com/' },
    ...{ verified: null, verified_by: null, timestamp: now - 2 * HOUR_MS },
  }),
  ...Array.from({ length: 2 }, () =>
    workerHit({
      pathname: '/sample',
      user_agent: CHROME,
      sample_rate: 0.02,
      verified: null,
      verified_by: null,
    }),
  ),
];

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  property = await service.property('Explorer', 'shop.example');
  expect((await service.hits(property.key, VISITS)).status).toBe(204);
  // Reports ask once a minute.
  await expectConservation(service);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

const FITS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
const table = (page: Page) => page.getByRole('table', { name: /^Visits/ });
const rows = (page: Page) => table(page).locator('tbody tr');
const count = (page: Page) => page.locator('.count-note [role="status"]');

it('answers whether GPTBot is really OpenAI, and how its identity was checked, in two steps from the overview', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${property.id}/overview?days=7`);
  let steps = 0;
  const click = async (target: ReturnType<Page['locator']>) => {
    steps += 1;
    await target.click();
  };
  // The figure of GPTBot among the top bots.
  await click(page.getByRole('region', { name: 'Most active bots' }).getByRole('link', { name: '70' }));
  await expect.poll(() => count(page).textContent()).toBe('70 of 74 visits (94.6%)');
  expect(page.url()).toMatch(/bot=GPTBot/);
  await click(rows(page).first());
  const drawer = page.getByRole('complementary', { name: 'Visit details' });
  const why = drawer.getByRole('region', { name: 'How its identity was checked' });
  await why.getByText('Verified: its address is one that OpenAI publishes.').waitFor();
  expect(await why.textContent()).toMatch(
    /within the ranges that OpenAI publishes for GPTBot\. Checked by the collector against the list of .*AS8075 Microsoft/,
  );
  expect(steps).toBe(2);

  // The visits beside it are one step away, by its buttons and by the keys of the list.
  const openRow = () =>
    rows(page).evaluateAll((all) => all.findIndex((one) => one.getAttribute('data-open') === 'true'));
  expect(await drawer.getByRole('button', { name: 'Previous visit' }).isDisabled()).toBe(true);
  await drawer.getByRole('button', { name: 'Next visit' }).click();
  await expect.poll(openRow).toBe(1);
  await page.keyboard.press('j');
  await expect.poll(openRow).toBe(2);
  await page.keyboard.press('k');
  await expect.poll(openRow).toBe(1);
  await drawer.getByRole('button', { name: 'Previous visit' }).click();
  await expect.poll(openRow).toBe(0);

  // What reports leave out is here too, with its reason.
  await page.getByRole('button', { name: /^Identity is .*: change/ }).press('Delete');
  await expect.poll(() => count(page).textContent()).toBe('73 of 74 visits (98.6%)');
  await page.getByText('Includes 3 spoofed visits').waitFor();
  await page.getByRole('button', { name: 'Hide spoofed' }).click();
  await expect.poll(() => count(page).textContent()).toBe('70 of 74 visits (94.6%)');
  await page.getByRole('button', { name: /^Identity is not spoofed: change/ }).press('Delete');
  await page.getByText('Includes 3 spoofed visits').waitFor();
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Filter by' }).fill('identity');
  await page.keyboard.press('Enter');
  // The focus has moved on to the field of the second choice.
  await page.getByRole('combobox', { name: 'Identity is' }).waitFor();
  await page.keyboard.type('spoof');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows(page).count()).toBe(3);
  await rows(page).first().click();
  await why.getByText('Spoofed: its address is not one that OpenAI publishes.').waitFor();
  expect(await why.textContent()).toContain('AS24940 Hetzner, Germany');
  expect(await findFaults(page)).toEqual([]);

  // The address is the whole view: the same for a colleague.
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await why.getByText(/^Spoofed: /).waitFor();
  await expect.poll(() => rows(page).count()).toBe(3);
  watch.expectClean();
  await close();
});

it('steps through all visits, narrows the time at the chart, keeps columns, and fits a phone', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address, { theme: 'dark' });
  await page.goto(`/p/${property.id}/visits?days=7`);
  // Samples are not among them until their class is chosen.
  await expect.poll(() => count(page).textContent()).toBe('74 visits');
  await expect.poll(() => rows(page).count()).toBe(50);
  const first = await rows(page).first().textContent();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.poll(() => rows(page).count()).toBe(24);
  expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect.poll(() => rows(page).first().textContent()).toBe(first);

  // The chart by keyboard, from the last hour of today back to two hours ago.
  await page.getByRole('slider', { name: 'Visits per hour' }).focus();
  await page.keyboard.press('End');
  const back = 23 - new Date(now).getUTCHours() + 2;
  for (let step = 0; step < back; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForURL(/since=.*until=/);
  await page.getByText('From ChatGPT').first().waitFor();
  await page.getByRole('button', { name: /^Time .*: remove/ }).click();

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'User agent' }).click();
  await page.keyboard.press('Escape');
  // The chart has narrowed the days; the chosen columns are kept in the browser, not in the address.
  await page.goto(`/p/${property.id}/visits?days=7`);
  await table(page).getByRole('columnheader', { name: 'User agent' }).waitFor();
  // A file of exactly this view, and one with all columns.
  const heads: string[] = [];
  for (const file of [0, 1]) {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).nth(file).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(75);
    heads.push(lines[0] ?? '');
  }
  expect(heads[0]).toBe(
    'at,bot_name,vendor,intent,referrer_engine,class,verified,status,method,host,path,asn,network,country,user_agent,population,over_quota',
  );
  expect(heads[1]?.split(',').length).toBeGreaterThan(30);

  // A link that was cut or changed by hand still opens the page.
  await page.goto(`/p/${property.id}/visits?days=7&since=nonsense&asn=abc&kind=xyz&after=9.x`);
  await expect.poll(() => count(page).textContent()).toBe('74 visits');

  await page.goto(`/p/${property.id}/visits?days=7&class=sample`);
  await page.getByText('With samples weighted, the total is ≈').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate<boolean>(FITS)).toBe(true);
  expect(await findFaults(page)).toEqual([]);
  watch.expectClean();
  await close();
});
