/** Reports of a period, compared and handed on: each task with the number of steps that it takes. */
import { readFile } from 'node:fs/promises';
import { DAY_MS } from '@ghostlight/core/time';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nowWithinADay } from '../harness/day.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { findFaults } from './accessibility.ts';
import { clipboard, launchBrowser, openDashboard } from './browser.ts';

const service = new TestService();
let browser: Browser;
let shop: Awaited<ReturnType<TestService['property']>>;

const NOW = await nowWithinADay();
const today = new Date(NOW);
const monthStart = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
const lastMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);
/** Older visits are refused; and in early March the first day of last month, with which this one is compared, would be young enough. */
const earliest = Math.max(lastMonth + DAY_MS, Math.floor(NOW / DAY_MS) * DAY_MS - 30 * DAY_MS);
/** One visit at noon of each later day of last month that is young enough, three of each day of this one. */
const OF_LAST_MONTH = daysFrom(earliest, monthStart);
const VISITS = [...OF_LAST_MONTH, ...daysFrom(monthStart, NOW - DAY_MS).flatMap((at) => [at, at, at]), NOW];
function daysFrom(from: number, to: number): number[] {
  return Array.from(
    { length: Math.max(0, Math.ceil((to - from) / DAY_MS)) },
    (_, day) => from + (day + 0.5) * DAY_MS,
  );
}

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  shop = await service.property('Lamp shop', 'shop.example');
  await service.hits(
    shop.key,
    VISITS.map((timestamp, index) =>
      workerHit({ timestamp, pathname: `/lamps/${index}`, verified: null, verified_by: null }),
    ),
  );
  await vi.waitFor(
    async () => {
      const { body } = await service.api(
        'GET',
        `/api/v1/properties/${shop.id}/reports/bots?from=${new Date(lastMonth).toISOString().slice(0, 10)}`,
      );
      expect((body as { totals: { hits: number } }).totals.hits).toBe(VISITS.length);
    },
    { timeout: 60_000, interval: 500 },
  );
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

/** Counts what a person does: presses, and fields that they fill in. */
function steps(page: Page) {
  let count = 0;
  return {
    async press(name: string | RegExp, role: 'button' | 'menuitem' = 'button') {
      count += 1;
      await page.getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click();
    },
    async fill(label: string, text: string) {
      count += 1;
      await page.getByLabel(label, { exact: true }).fill(text);
    },
    taken: () => count,
  };
}

describe('a period', () => {
  it('says in two steps whether AI traffic grows against last month, in words, figures and the chart', async () => {
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${shop.id}/overview`);
    const by = steps(page);
    await by.press(/^Period: /);
    expect(await findFaults(page)).toEqual([]);
    await by.press('This month');
    expect(by.taken()).toBe(2);
    await page.getByRole('button', { name: 'Period: This month so far' }).waitFor();
    // The property is younger than last month: it says so, and draws no line of zeros.
    if (today.getUTCDate() > 1) await page.getByText(/so far\. No comparison with 1/).waitFor();
    expect(await page.locator('.day-chart-box path.chart-before').count()).toBe(0);
    await by.press(/^Period: /);
    await by.press('Last 7 days');
    await page
      .getByText(/so far\. .* compared with .*; today is still in progress and is excluded\./)
      .waitFor();
    await page.locator('.day-chart-box path.chart-before').waitFor({ state: 'attached' });
    await by.press(/^Period: /);
    await by.press('No comparison');
    await page.locator('.day-chart-box path.chart-before').waitFor({ state: 'detached' });
    expect(page.url()).toContain('compare=none');
    // Hours, for a week at most.
    await page.getByText('Hours', { exact: true }).click();
    await page.getByRole('slider', { name: 'AI bot visits per hour' }).waitFor();
    watch.expectClean();
    await close();
  });

  it('gives last month as CSV in four steps, with what it counts in every line', async () => {
    const { page, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${shop.id}/bots`);
    const by = steps(page);
    await by.press(/^Period: /);
    await by.press('Last month');
    await page.waitForURL(/period=last_month/);
    await by.press('Export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      by.press(/^Download CSV/, 'menuitem'),
    ]);
    expect(by.taken()).toBe(4);
    const [head = '', line = ''] = (await readFile(await download.path(), 'utf8')).split('\n');
    expect(head).toMatch(/population/);
    if (OF_LAST_MONTH.length > 0) {
      expect(line).toContain(`,${OF_LAST_MONTH.length},`);
      expect(line).toContain('verified_unknown');
    }
    await close();
  });

  it('gives a chart as a picture and as figures, with title, period and population', async () => {
    const { page, watch, close } = await openDashboard(browser, service.address, { theme: 'dark' });
    await page.goto(`/p/${shop.id}/bots`);
    const file = async (form: 'PNG' | 'CSV') => {
      await page.getByRole('button', { name: 'Download AI bot visits per day' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: form }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(
        new RegExp(`^shop\\.example-ai-bot-visits-per-day-[\\d-]+-to-[\\d-]+\\.${form.toLowerCase()}$`),
      );
      return await readFile(await download.path());
    };
    const csv = (await file('CSV')).toString('utf8').split('\r\n');
    expect(csv[0]).toContain('Day,Other,Training,Search,On demand,Sum');
    expect(csv).toHaveLength(32);
    expect(csv[1]).toMatch(
      /^\d{4}-\d\d-\d\d,.*Verified and unknown visits; spoofed visits are not counted,UTC$/,
    );
    const png = await file('PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // Two pixels for each of the page, margins beside the chart.
    expect(png.readUInt32BE(16)).toBeGreaterThan(1_200);
    expect(png.length).toBeGreaterThan(8_000);
    watch.expectClean();
    await close();
  });
});

describe('a share link', () => {
  it('sends a view to a colleague without an account in five steps; they see it, and nothing else', async () => {
    const { page, watch, close } = await openDashboard(browser, service.address);
    await page.goto(`/p/${shop.id}/bots?period=last_90_days&intent=training`);
    const by = steps(page);
    await by.press('Share');
    await by.press(/^Create a public link/, 'menuitem');
    expect(await findFaults(page)).toEqual([]);
    await by.fill('Name', 'The board');
    await by.press('Create link');
    const link = await page.getByRole('textbox', { name: 'Share link' }).inputValue();
    await by.press('Copy the share link');
    expect(by.taken()).toBe(5);
    await expect.poll(() => clipboard(page)).toBe(link);
    expect(link).toMatch(/\/s\/shr_\w{43}\/bots\?period=last_90_days&intent=training$/);
    watch.expectClean();

    const reader = await openDashboard(browser, service.address, { signedIn: false });
    const answer = await reader.page.goto(link);
    expect(answer?.headers()['x-robots-tag']).toBe('noindex, nofollow');
    await reader.page.getByRole('row', { name: /^GPTBot/ }).waitFor();
    await reader.page.getByRole('button', { name: 'Period: Last 90 days' }).waitFor();
    expect(await reader.page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex');
    expect(await findFaults(reader.page)).toEqual([]);
    // A reload keeps it; every tab is there, and none asks for what the link doesn't show.
    await reader.page.reload();
    for (const [tab, heading] of [
      ['Overview', 'Overview'],
      ['Pages', 'Pages'],
      ['Failures', 'Failures'],
      ['Referrals', 'Referrals'],
      ['AI share', 'AI share'],
    ] as const) {
      await reader.page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: tab }).click();
      await reader.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await reader.page.getByText(/^Days in/).waitFor();
    }
    expect(await reader.page.locator('a[href^="/p/"]').count()).toBe(0);
    reader.watch.expectClean();
    // The file goes with the reader's own token.
    await reader.page
      .getByRole('navigation', { name: 'Reports' })
      .getByRole('link', { name: 'Bots' })
      .click();
    await reader.page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      reader.page.waitForEvent('download'),
      reader.page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('GPTBot');
    // A page that it doesn't have leads to those that it has, whatever its name.
    for (const name of ['/trust', '/%22']) {
      await reader.page.goto(link.replace('/bots', name));
      await reader.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    await reader.page.getByRole('link', { name: 'Open the overview' }).click();
    await reader.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Done' }).click();
    await page.goto(`/p/${shop.id}/sharing`);
    await page.getByRole('row', { name: /The board/ }).waitFor();
    await page.getByRole('button', { name: 'Revoke The board' }).click();
    await page.getByLabel('Type The board to confirm').fill('The board');
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByRole('row', { name: /The board.*revoked/ }).waitFor();
    reader.watch.expect(/40[14]/);
    await reader.page.reload();
    await reader.page.getByRole('heading', { name: 'This link can’t be opened' }).waitFor();
    await Promise.all([close(), reader.close()]);
  });

  it('with a password asks for it once, and has no picture; one without has a picture that runs nothing', async () => {
    const issue = async (body: object) =>
      (await service.api('POST', `/api/v1/properties/${shop.id}/share-links`, body)).body as {
        url: string;
        chart_url: string | null;
      };
    const path = (address: string | null) => new URL(address ?? '').pathname;
    const locked = await issue({ name: 'Locked', password: 'correct horse' });
    expect(locked.chart_url).toBeNull();
    const { page, watch, close } = await openDashboard(browser, service.address, {
      signedIn: false,
      width: 390,
      height: 844,
    });
    watch.expect(/401/);
    await page.goto(path(locked.url));
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Wrong password. Try again, or ask the sender.').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await close();

    const open = await issue({ name: 'Open' });
    const picture = await fetch(`${service.address}${path(open.chart_url)}?theme=dark`);
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(picture.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    const svg = await picture.text();
    expect(svg).toMatch(/>\d+<\/text>/);
    expect(svg).toContain('AI bot visits, last 30 days on shop.example');
    expect(svg).not.toMatch(/<script|href=/);
  });
});
