/** The reports in a real browser against the real service: what was posted is what they show, and their address says all that was chosen. */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DAY_MS } from '@ghostlight/core/time';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { nowWithinADay } from '../harness/day.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { choosePeriod, launchBrowser, type OpenOptions, openDashboard } from './browser.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The site behind `shop.example`. */
const site = createServer((request, response) => {
  if (request.url !== '/sitemap.xml') response.writeHead(404).end();
  else
    response.end(
      `<urlset>${['/a', '/gone', '/many/1', '/unseen'].map((path) => `<url><loc>https://shop.example${path}</loc></url>`).join('')}</urlset>`,
    );
});
let service: TestService;
let browser: Browser;
type Property = Awaited<ReturnType<TestService['property']>>;
let shop: Property;

const now = await nowWithinADay();
/** `daysAgo` at this hour. */
const at = (daysAgo: number) => now - daysAgo * DAY_MS;
const bot = (name: string, over: Record<string, unknown>) =>
  workerHit({ user_agent: `Mozilla/5.0 (compatible; ${name}/1.0)`, ...over });
const person = (over: Record<string, unknown>) =>
  workerHit({ user_agent: CHROME, verified: null, verified_by: null, asn: 3320, country: 'DE', ...over });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Ten days: 36 of GPTBot (5 spoofed, 1 by an old collector), 20 of ClaudeBot (404), 10 of ChatGPT-User (500), 120 of CCBot (a page each). */
const VISITS = [
  ...times(30, (i) => bot('GPTBot', { timestamp: at(i % 10), pathname: '/a' })),
  ...times(5, () =>
    bot('GPTBot', {
      timestamp: at(1),
      pathname: '/a',
      verified: false,
      verified_by: null,
      asn: 64_500,
      country: 'NL',
    }),
  ),
  bot('GPTBot', { pathname: '/a', host: 'old.shop.example', worker_version: '0.3.1' }),
  ...times(20, (i) => bot('ClaudeBot', { timestamp: at(i % 10), pathname: '/gone', status: 404 })),
  ...times(10, (i) => bot('ChatGPT-User', { timestamp: at(i), pathname: '/docs/answer', status: 500 })),
  ...times(120, (i) =>
    bot('CCBot', { timestamp: at(2), pathname: `/many/${i}`, verified: null, verified_by: null }),
  ),
];
const PEOPLE = [
  ...times(4, () => person({ pathname: '/a', referer: 'https://chatgpt.com/' })),
  person({ pathname: '/gone', referer: 'https://www.perplexity.ai/', status: 404 }),
  ...times(50, (i) =>
    person({
      pathname: '/a',
      timestamp: at(i % 10),
      sample_rate: 0.02,
      user_agent: i % 5 === 0 ? 'Mozilla/5.0 (compatible; Googlebot/2.1)' : CHROME,
    }),
  ),
];

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = new TestService({ DESTINATION_HOSTS: JSON.stringify({ 'shop.example': base }) });
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  shop = await service.property('Lamp shop', 'shop.example');
  await service.hits(shop.key, [...VISITS, ...PEOPLE]);
  await arrived(shop, VISITS.length);
  expect((await service.api('POST', '/api/v1/rollup', {})).body).toMatchObject({ ran: true });
});
afterAll(async () => {
  site.close();
  await browser?.close();
  await service?.dispose();
});

/** Until the reports count so many visits of AI bots, spoofed ones among them. */
async function arrived({ id }: Property, hits: number): Promise<void> {
  // Whether it is stored costs next to nothing to ask, and the report a tenth of a second of processor time.
  await expectConservation(service);
  await vi.waitFor(
    async () => {
      const { body } = await service.api('GET', `/api/v1/properties/${id}/reports/overview?include=spoofed`);
      expect(body).toMatchObject({ ai_bots: { hits } });
    },
    { timeout: 15_000, interval: 100 },
  );
}

const open = (options: OpenOptions = {}) => openDashboard(browser, service.address, options);
const go = async (page: Page, path: string, { id }: Property = shop) => {
  await page.goto(`/p/${id}/${path}`);
  await page.getByText(/^Days in UTC/).waitFor();
};
const stat = (page: Page, label: string) =>
  page
    .locator('.report-body .stat', { has: page.locator('dt', { hasText: label }) })
    .locator('dd')
    .textContent();
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
async function saved(page: Page, ask: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), ask()]);
  return await readFile(await download.path());
}

describe('each report shows what was posted', () => {
  it('the overview', async () => {
    const { page, watch, close } = await open();
    await go(page, 'overview');
    expect(await stat(page, 'AI bot visits')).toMatch(/^181\b[\s\S]*4 bots · 122 pages/);
    await page.getByText('✕ 5 spoofed visits, not counted').waitFor();
    // Said once: the chart does not repeat it.
    expect(await page.getByText(/spoofed visits,? not counted/i).count()).toBe(1);
    expect(await stat(page, 'On demand')).toMatch(/^10\b/);
    expect(await stat(page, 'AI referrals')).toMatch(/^5\b/);
    expect(await stat(page, 'AI share')).toMatch(/^6\.7%/);
    expect(await stat(page, 'Failed bot visits')).toMatch(/^30\b/);
    for (const [panel, first] of [
      ['Top bots', 'CCBot'],
      ['Top pages', '/a'],
      ['Fix these first', '/docs/answer'],
      ['AI referrals', 'ChatGPT'],
    ] as const)
      expect(
        await page
          .locator('section', { has: page.getByRole('heading', { name: panel }) })
          .locator('li')
          .first()
          .textContent(),
      ).toContain(first);
    await expect.poll(() => page.title()).toBe('Overview · shop.example · Ghostlight');
    watch.expectClean();
    await close();
  });

  it('bots, and one of them', async () => {
    const { page, watch, close } = await open();
    await go(page, 'bots');
    await row(page, /^GPTBot OpenAI · Training 31 No comparison: no earlier data 2 5 0 /).waitFor();
    await row(page, /^ClaudeBot .* 20 .* 20 /).waitFor();
    await page.getByText('Vendors', { exact: true }).click();
    await row(page, /^OpenAI GPTBot, ChatGPT-User 41 /).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'GPTBot', exact: true }).click();
    await page.getByRole('heading', { name: 'GPTBot', level: 1 }).waitFor();
    expect(await stat(page, 'Visits')).toMatch(/^31\b/);
    expect(await stat(page, 'Spoofed')).toMatch(/^5\b[\s\S]*13\.9% of 36 visits in its name/);
    await page.getByRole('switch', { name: 'Include spoofed' }).waitFor();
    await expect.poll(() => page.title()).toBe('GPTBot · shop.example · Ghostlight');
    // Back to the list, and to another by a part of its name.
    await page.getByRole('link', { name: 'Bots', exact: true }).last().click();
    await row(page, /^ClaudeBot /).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Bot or vendor' }).fill('claude');
    await page.getByRole('option', { name: /^ClaudeBot/ }).click();
    await page.getByRole('heading', { name: 'ClaudeBot', level: 1 }).waitFor();
    watch.expectClean();
    await close();
  });

  it('pages, in folders and by bot', async () => {
    const { page, watch, close } = await open();
    await go(page, 'pages');
    await page.getByRole('heading', { name: '122 pages read by 2 bots' }).waitFor();
    await row(page, /^\/a 30 /).waitFor();
    await page.getByText('Folders', { exact: true }).click();
    await row(page, /^\/many\/ 120 pages 120 /).waitFor();
    await page.getByRole('button', { name: '/many/' }).click();
    await page.getByText('1–50 of 120').waitFor();
    await page.goBack();
    await row(page, /^\/docs\//).waitFor({ state: 'hidden' });
    await page.getByText('By bot', { exact: true }).click();
    await row(page, /^\/a GPTBot OpenAI · Training 30 /).waitFor();
    // What always failed is no page, and stands among all that was asked for.
    await row(page, /^\/gone/).waitFor({ state: 'hidden' });
    await page.getByRole('combobox', { name: 'Show' }).selectOption('all');
    await row(page, /^\/gone never read ClaudeBot Anthropic · Training 20 /).waitFor();
    watch.expectClean();
    await close();
  });

  it('files apart from pages', async () => {
    const files = await service.property('File shop', 'files.example');
    const visit = (pathname: string, over: Record<string, unknown> = {}) =>
      bot('GPTBot', { pathname, host: 'files.example', timestamp: at(1), ...over });
    const visits = [
      ...['/', '/guide', '/robots.txt', '/sitemap.xml', '/paper.pdf'].map((path) => visit(path)),
      visit('/gone', { status: 404 }),
    ];
    await service.hits(files.key, visits);
    await arrived(files, visits.length);
    const { page, watch, close } = await open();
    await page.goto(`/p/${files.id}/overview`);
    await page.getByTitle('2 pages and 3 files read').filter({ hasText: '1 bot · 2 pages' }).waitFor();
    await page.goto(`/p/${files.id}/pages`);
    await page.getByRole('heading', { name: '2 pages read by 1 bot' }).waitFor();
    await row(page, /^\/guide 1 /).waitFor();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('file');
    await page.getByRole('heading', { name: '3 files read by 1 bot' }).waitFor();
    await row(page, /^\/robots\.txt 1 /).waitFor();
    await page.waitForURL(/kind=file/);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('all');
    await page.getByRole('heading', { name: '2 pages and 3 files were read' }).waitFor();
    await row(page, /^\/paper\.pdf file 1 /).waitFor();
    await row(page, /^\/gone never read 1 /).waitFor();
    await page.goto(`/p/${files.id}/pages?path=/gone`);
    await page.getByText('No AI bot read a page in this period').waitFor();
    await page.getByRole('link', { name: 'See the failures' }).click();
    await row(page, /^\/gone 404 1 /).waitFor();
    watch.expectClean();
    await close();
  });

  it('failures', async () => {
    const { page, watch, close } = await open();
    await go(page, 'failures');
    expect(await stat(page, 'Failed visits')).toMatch(/^30\b[\s\S]*16\.6% of 181 visits/);
    await row(page, /^\/gone 404 20 100% 0 1 /).waitFor();
    await page.getByRole('radio', { name: '5xx', exact: true }).check({ force: true });
    await row(page, /^\/docs\/answer 500 10 100% 10 1 /).waitFor();
    await row(page, /^\/gone/).waitFor({ state: 'hidden' });
    watch.expectClean();
    await close();
  });

  it('trust, and where spoofed visits come from', async () => {
    const { page, watch, close } = await open();
    await go(page, 'trust');
    expect(await stat(page, 'Verified')).toMatch(/^61\b/);
    expect(await stat(page, 'Spoofed')).toMatch(/^5\b/);
    expect(await stat(page, 'Unknown')).toMatch(/^120\b/);
    await row(page, /^AS64500 Netherlands 5 GPTBot 1 /).waitFor();
    watch.expectClean();
    await close();
  });

  it('the share of AI, with how sure it is', async () => {
    const { page, watch, close } = await open();
    await go(page, 'share');
    await page
      .getByRole('heading', {
        name: /^6\.7% of ≈\s2,[67]\d\d page views come from AI bots$/,
      })
      .waitFor();
    await page.getByText(/^Margin of error: ±\s\d points \(95% confidence\)$/).waitFor();
    await page.getByTitle(/^95% confidence: [\d,]+ to [\d,]+$/).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^\s*AI bots.*6\.7%.*181 page views/ })
      .getByTitle(/^95% confidence: [\d.]+% to [\d.]+%$/)
      .waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^\s*Other bots.*18\.8%.*≈\s505 page views/ })
      .getByTitle(/^95% confidence: [\d.]+% to [\d.]+%$/)
      .waitFor();
    // The slices as a file, and the visits behind a figure: of pages alone, as it is.
    await page.getByRole('button', { name: 'Download Share of pages' }).click();
    const csv = await saved(page, () => page.getByRole('menuitem', { name: 'CSV' }).click());
    expect(csv.toString()).toMatch(/^Slice,Share,Low,High,.*\r\nAI bots,0\.067/);
    await page.getByRole('region', { name: 'Share of pages' }).getByRole('link', { name: '181' }).click();
    await page.waitForURL(/kind=page/);
    await page
      .getByRole('status')
      .filter({ hasText: /^181 of [\d,]+ visits/ })
      .waitFor();
    // Of some bots alone it is their share, and the others have a part of their own.
    await go(page, 'share?bot=GPTBot');
    await page
      .getByRole('heading', { name: /^\d\.\d+% of .* page views come from these AI bots$/ })
      .waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^\s*These AI bots/ })
      .waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^\s*Other AI bots/ })
      .waitFor();
    watch.expectClean();
    await close();
  });

  it('referrals beside what was crawled', async () => {
    const { page, watch, close } = await open();
    await go(page, 'referrals');
    await row(page, /^\/a ChatGPT 4 /).waitFor();
    await row(page, /^\/gone Perplexity 1 .* 1 /).waitFor();
    await row(page, /^ChatGPT OpenAI 41 .* 4 1 page /).waitFor();
    watch.expectClean();
    await close();
  });

  it('collectors, with the one that is outdated', async () => {
    const { page, watch, close } = await open();
    await go(page, 'collectors');
    await row(page, /^old\.shop\.example Cloudflare Worker 0\.3\.1 Sending 1 /).waitFor();
    await page.getByText('Visits and samples by version').click();
    await row(page, /^Cloudflare Worker 0\.3\.1 0\.5\.0 .*Outdated 1 0 old\.shop\.example/).waitFor();
    await row(page, /^Cloudflare Worker 0\.5\.0 0\.5\.0 .*Sending 240 50 shop\.example/).waitFor();
    await page
      .getByText('old.shop.example runs Cloudflare Worker 0.3.1, which is outdated.', { exact: true })
      .waitFor();
    await page.getByRole('heading', { name: '2 hosts', exact: true }).waitFor();
    watch.expectClean();
    await close();
  });
});

describe('spoofed visits', () => {
  it('are separate from the figures, and part of them where the address says so, from report to report and in files', async () => {
    const { page, watch, close } = await open();
    await go(page, 'overview');
    await page.getByRole('switch', { name: 'Include spoofed' }).click();
    await page.waitForURL(/include=spoofed/);
    await page.getByText('✕ 5 spoofed visits, counted in all figures').waitFor();
    expect(await stat(page, 'AI bot visits')).toMatch(/^186\b/);
    await page.getByRole('link', { name: 'All bots' }).first().click();
    await page.waitForURL(/\/bots\?.*include=spoofed/);
    await row(page, /^GPTBot .* 36 /).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    expect(await page.getByRole('menuitem', { name: 'CSV' }).getAttribute('href')).toContain(
      'include=spoofed',
    );
    await page.keyboard.press('Escape');
    await page.getByText('By identity', { exact: true }).click();
    const spoofedBars = page.getByRole('button', { name: /^Spoofed \d/ });
    await spoofedBars.waitFor();
    await page.getByRole('switch', { name: 'Include spoofed' }).click();
    await row(page, /^GPTBot .* 31 /).waitFor();
    await spoofedBars.waitFor({ state: 'detached' });
    await page.waitForURL((url) => !url.search.includes('include'));
    watch.expectClean();
    await close();
  });
});

describe('what comes from samples', () => {
  it('has its sign in panels, chart and lists, and nothing else has', async () => {
    const sampled = await service.property('Sampled', 'shop.example');
    await service.hits(sampled.key, [
      ...times(3, () => bot('GPTBot', { pathname: '/a' })),
      ...times(2, () => bot('GPTBot', { pathname: '/a', sample_rate: 0.5 })),
      ...times(2, () => bot('ClaudeBot', { pathname: '/b' })),
    ]);
    await arrived(sampled, 9);
    const { page, watch, close } = await open();
    await go(page, 'overview', sampled);
    const panel = (name: string) => page.locator(`section[aria-label="${name}"]`);
    const item = (name: string, text: string) =>
      panel(name).locator('li', { hasText: text }).locator('.rank-figure').textContent();
    expect(await item('Most active bots', 'GPTBot')).toBe('≈\u00a07');
    expect(await item('Most active bots', 'ClaudeBot')).toBe('2');
    expect(await item('Most read pages', '/a')).toBe('≈\u00a07');
    expect(await item('Most read pages', '/b')).toBe('2');
    // All are of one intent, whose figure the legend would only repeat.
    await panel('AI bot visits over time').getByRole('button', { name: 'Show data' }).click();
    await panel('AI bot visits over time').getByText('≈\u00a09').first().waitFor();
    await page.getByRole('link', { name: 'All bots' }).first().click();
    await row(page, /^GPTBot .* ≈ 7 /).waitFor();
    await row(page, /^ClaudeBot .* 2 /).waitFor();
    watch.expectClean();
    await close();
  });
});

describe('a filter', () => {
  it('names the panels that it does not narrow, and whose share of pages is shown', async () => {
    const { page, watch, close } = await open();
    await go(page, 'overview?bot=ClaudeBot');
    expect(await stat(page, 'ClaudeBot’s share')).toMatch(/%/);
    expect(await stat(page, 'AI referrals')).toContain('Not filtered by bot.');
    await page.locator('section[aria-label="AI referrals"]').getByText('Not filtered by bot.').waitFor();
    await go(page, 'referrals?bot=ClaudeBot');
    await page.getByText('Referrals are not filtered by bot.').first().waitFor();
    await page
      .locator('section[aria-label="Crawled, referred, converted"]')
      .getByText('Conversions are not filtered by bot.')
      .waitFor();
    await go(page, 'overview?bot=ClaudeBot');
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await stat(page, 'AI share')).toMatch(/%/);
    expect(await page.getByText('Not filtered by').count()).toBe(0);
    watch.expectClean();
    await close();
  });

  it('offers what occurs under the others', async () => {
    const { page, watch, close } = await open();
    await go(page, 'trust');
    const bots = page.getByRole('combobox', { name: 'Bot' }).locator('option');
    await expect.poll(() => bots.count()).toBe(5);
    await page.getByRole('combobox', { name: 'Vendor' }).selectOption('OpenAI');
    await expect.poll(() => bots.allTextContents()).toEqual([expect.anything(), 'GPTBot', 'ChatGPT-User']);
    watch.expectClean();
    await close();
  });
});

describe('failures of spoofed visits', () => {
  it('are said to be theirs, with a way that shows them', async () => {
    const masked = await service.property('Masked', 'shop.example');
    const spoofed = { verified: false, verified_by: null };
    await service.hits(masked.key, [
      bot('GPTBot', { pathname: '/a' }),
      ...times(3, () => bot('GPTBot', { pathname: '/gone', status: 404, ...spoofed })),
    ]);
    await arrived(masked, 4);
    const { page, watch, close } = await open();
    await go(page, 'overview', masked);
    const panel = page.locator('section[aria-label="Fix these first"]');
    await panel.getByText(/^Only 3 spoofed visits hit an error; spoofed visits are not counted\.$/).waitFor();
    await panel.getByRole('link', { name: '3 spoofed visits' }).click();
    await page.waitForURL(/\/failures\?.*include=spoofed/);
    await row(page, /^\/gone/).waitFor();
    watch.expectClean();
    await close();
  });
});

describe('the address', () => {
  it('holds filters and period, through reloads, the back button, and from one report to the next', async () => {
    const { page, watch, close } = await open();
    await go(page, 'bots');
    await page.getByRole('combobox', { name: 'Vendor' }).selectOption('OpenAI');
    await page.waitForURL(/vendor=OpenAI/);
    await page.getByRole('heading', { name: '2 bots from 1 vendor' }).waitFor();
    await choosePeriod(page, 'Last 7 days');
    await page.waitForURL(/period=last_7_days/);
    // Today and six days before, three and one a day, and what came once.
    await row(page, /^GPTBot .* 22 /).waitFor();
    await page.reload();
    await row(page, /^GPTBot .* 22 /).waitFor();
    await page.getByRole('navigation', { name: 'Pages', exact: true }).getByText('Pages').click();
    await page.waitForURL(/\/pages\?.*vendor=OpenAI/);
    await page.getByRole('heading', { name: '2 pages read by 1 bot' }).waitFor();
    expect(page.url()).toContain('period=last_7_days');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.waitForURL(/\/failures\?.*vendor=OpenAI/);
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/\/bots\?/);
    await page.goBack();
    await row(page, /^GPTBot .* 31 /).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: '4 bots from 3 vendors' }).waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('heading', { name: '4 bots from 3 vendors' }).waitFor();
    watch.expectClean();
    await close();
  });

  it('holds the order and the page of a list', async () => {
    const { page, watch, close } = await open();
    await go(page, 'pages');
    await page.getByText('1–50 of 122').waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('51–100 of 122').waitFor();
    await page.waitForURL(/n=2/);
    await page.reload();
    await page.getByText('51–100 of 122').waitFor();
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    await page.getByText('1–50 of 122').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Page' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await page.waitForURL(/sort=path&order=asc|order=asc&sort=path/);
    await page.goBack();
    await page.getByText('51–100 of 122').waitFor();
    await page.goto(`/p/${shop.id}/pages?n=99`);
    await page.getByRole('button', { name: 'Go to the first page' }).click();
    await page.getByText('1–50 of 122').waitFor();
    watch.expectClean();
    await close();
  });

  it('takes letters of a path as one step, and ignores an unknown filter', async () => {
    const { page, watch, close } = await open();
    await go(page, 'pages');
    const field = page.getByLabel('Path begins with');
    await field.pressSequentially('many/1', { delay: 10 });
    await page.getByRole('heading', { name: '31 pages read by 1 bot' }).waitFor();
    await field.press('End');
    await field.pressSequentially('1');
    await page.getByRole('heading', { name: '11 pages read by 1 bot' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: '122 pages read by 2 bots' }).waitFor();
    expect(await field.inputValue()).toBe('');
    await go(page, 'bots?vendor[]=1&intent=evil&country=XYZ&from=2026-02-31&sort=hits&n=-3');
    await page.getByRole('heading', { name: '4 bots from 3 vendors' }).waitFor();
    watch.expectClean();
    await close();
  });

  it('is what a file is made of', async () => {
    const { page, watch, close } = await open();
    await go(page, 'pages?path=%2Fmany%2F1&sort=path&n=1');
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(
      /^[a-z0-9.-]+-pages-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/,
    );
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(32);
    expect(lines[0]).toMatch(/^host,path,kind,bots,hits,/);
    expect(lines.slice(1).every((line) => line.startsWith('shop.example,/many/1'))).toBe(true);
    watch.expectClean();
    await close();
  });
});

describe('what there is no figure for', () => {
  it('is said on every report of a property that nothing came for', async () => {
    const empty = await service.property('Empty', 'empty.example');
    const { page, watch, close } = await open();
    for (const [path, text] of [
      ['overview', 'No AI bot visits in this period'],
      ['bots', 'No AI bot visits in this period'],
      ['bots?bot=GPTBot', 'No visits match these filters'],
      ['pages', 'No AI bot visits in this period'],
      ['pages?group=unread', 'No sitemap yet'],
      ['failures', 'No AI bot visits in this period'],
      ['trust', 'No AI bot visits in this period'],
      ['share', 'No traffic in this period'],
      ['referrals', 'No AI referrals'],
      ['collectors', 'No visits in this period'],
    ] as const) {
      await go(page, path, empty);
      await page.getByRole('heading', { name: text }).waitFor();
    }
    watch.expectClean();
    await close();
  });

  it('is no share of AI without samples, and none of too few', async () => {
    const few = await service.property('Few', 'few.example');
    await service.hits(few.key, [workerHit(), ...times(4, () => person({ sample_rate: 0.02 }))]);
    const push = await service.property('Push', 'push.example');
    const key = await service.api('POST', '/api/v1/ingest-keys', {
      name: 'push',
      provider: 'edge_logpush',
      attribution_id: push.id,
    });
    await service.call('POST', `/v1/logs/edge_logpush?attribution_id=${push.id}`, {
      headers: { 'X-API-Key': (key.body as { key: string }).key },
      body: JSON.stringify({
        ClientRequestHost: 'push.example',
        ClientRequestURI: '/',
        ClientRequestMethod: 'GET',
        ClientRequestUserAgent: 'ClaudeBot/1.0',
        EdgeStartTimestamp: new Date(now).toISOString(),
        EdgeResponseStatus: 200,
      }),
    });
    await Promise.all([arrived(few, 1), arrived(push, 1)]);
    const { page, watch, close } = await open();
    await go(page, 'share', few);
    await page.getByText(/^Only 4 samples of other traffic arrived/).waitFor();
    await go(page, 'overview', few);
    expect(await stat(page, 'AI share')).toMatch(/^–\s+too few samples yet \(4\)/);
    await go(page, 'share', push);
    await page.getByRole('heading', { name: 'Not available for logs' }).waitFor();
    await go(page, 'overview', push);
    expect(await stat(page, 'AI share')).toMatch(/^–\s+no samples in logs/);
    await go(page, 'collectors', push);
    await row(page, /^push\.example Cloudflare Logpush .*Sending 1 not sampled/).waitFor();
    watch.expectClean();
    await close();
  });

  it('is a page of the sitemap that no bot read', async () => {
    const { page, watch, close } = await open();
    // Every sitemap is read at 01:37 too, and refused for a minute then.
    watch.expect(/status of 429 .*sitemap\/refresh/);
    await go(page, 'pages?group=unread');
    await page.getByRole('button', { name: 'Fetch now' }).click();
    // /gone was asked for and never read.
    await page
      .getByRole('heading', { name: '2 of the 4 pages in your sitemap were not read by any AI bot' })
      .waitFor();
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['/gone›', '/unseen›']);
    const address = page.getByLabel('Address');
    if (!(await address.isVisible())) await page.getByRole('button', { name: 'Change address' }).click();
    await address.fill('https://shop.example/nothing.xml');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The host answered 404.').waitFor();
    await page.getByText('This report uses the 4 pages from the last successful read.').waitFor();
    watch.expectClean();
    await close();
  });

  it('is on its way, or failed and can be asked for again', async () => {
    const { page, watch, context, close } = await open();
    watch.expect(/status of 503/);
    let answers: 'held' | 'refused' | 'given' = 'held';
    const waiting: (() => void)[] = [];
    await context.route(/reports\/trust\?/, async (route) => {
      if (answers === 'held') await new Promise<void>((resolve) => waiting.push(resolve));
      if (answers === 'given') await route.continue();
      else
        await route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({ title: 'The warehouse is down', status: 503 }),
        });
    });
    await page.goto(`/p/${shop.id}/trust`);
    await page.getByRole('status', { name: 'Loading Trust' }).waitFor();
    answers = 'refused';
    for (const go of waiting) go();
    await page.getByText('The warehouse is down').waitFor();
    answers = 'given';
    await page.getByRole('button', { name: /again/i }).click();
    await row(page, /^AS64500/).waitFor();
    watch.expectClean();
    await close();
  });
});

/** Without a width, as in the moment in which a browser lays a page out for a picture. Says whether the chart is still drawn then. */
const HIDE_FOR_A_MOMENT = `new Promise((done) => {
  const box = document.querySelector('.day-chart-box');
  const report = box.closest('.report-page');
  new ResizeObserver(([{ contentRect }], observer) => {
    if (contentRect.width > 0) return;
    observer.disconnect();
    setTimeout(() => {
      report.style.display = '';
      done(box.querySelector('svg') !== null);
    }, 200);
  }).observe(box);
  report.style.display = 'none';
})`;

describe('a chart', () => {
  it('is read with the keyboard, one day after the other, and nothing below it moves', async () => {
    const { page, watch, close } = await open({ width: 390, height: 844 });
    await go(page, 'referrals');
    await row(page, /^ChatGPT OpenAI/).waitFor();
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    const chart = page.getByRole('slider', { name: 'Visits from AI engines per day' });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/so far: 5; ChatGPT 4; Perplexity 1$/);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBe(height);
    await page.keyboard.press('Home');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 0; ChatGPT 0; Perplexity 0$/);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBe(height);
    await page.getByRole('button', { name: /^ChatGPT/ }).click();
    await chart.focus();
    await page.keyboard.press('End');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/so far: 4; ChatGPT 4$/);
    await page.getByRole('button', { name: 'Show data' }).click();
    await row(page, / 4 1 5$/).waitFor();
    watch.expectClean();
    await close();
  });

  it('that was hidden for a moment is there when it is back', async () => {
    const { page, watch, close } = await open();
    await go(page, 'trust');
    await page.locator('.day-chart-box svg').waitFor();
    expect(await page.evaluate(HIDE_FOR_A_MOMENT)).toBe(true);
    watch.expectClean();
    await close();
  });
});

describe('untrusted text', () => {
  const VECTORS = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(2)>',
    'javascript:alert(3)//\'"><svg/onload=alert(4)>',
    '\u202egpj.exe',
    '💡😀',
    "=cmd|' /C calc'!A0",
    '+1-1@x',
  ] as const;
  /** As it is shown: marks that turn text are written out. */
  const shown = (text: string) => text.replace('\u202e', '⟨U+202E⟩');
  let hostile: Property;

  beforeAll(async () => {
    hostile = await service.property('<img src=x onerror=alert(6)>', 'shop.example');
    await service.hits(
      hostile.key,
      VECTORS.flatMap((text, index) => [
        workerHit({
          pathname: `/${text}`,
          host: text,
          user_agent: `GPTBot/1.2 ${text}`,
          referer: text,
          status: 404,
          country: text,
          worker_version: text,
          query_params: { utm_source: text },
          verified: index % 2 === 0,
        }),
        person({ pathname: `/${text}`, host: text, referer: `https://chatgpt.com/${text}`, status: 404 }),
      ]),
    );
    await arrived(hostile, VECTORS.length);
  });

  it('is text on every report', async () => {
    const { page, watch, context } = await open();
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
      console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`);
    const wholeText = [
      ...[
        'pages?kind=all',
        'pages?group=bot_page&kind=all',
        'failures',
        'failures?group=bot_page',
        'referrals',
        'collectors',
      ],
    ];
    const others = [
      ...[
        'overview',
        'bots',
        'bots?bot=GPTBot',
        'bots?group=vendor',
        'pages',
        'pages?group=folder&kind=all',
        'trust',
        'share',
      ],
      `pages?bot=${encodeURIComponent(VECTORS[1])}&path=${encodeURIComponent(`/${VECTORS[0]}`)}`,
    ];
    for (const path of [...wholeText, ...others]) {
      await go(page, `${path}${path.includes('?') ? '&' : '?'}include=spoofed`, hostile);
      expect(
        await page
          .locator(
            'img, iframe, object, embed, script:not([src]), [onerror], [onload], [href^="javascript:" i]',
          )
          .count(),
        path,
      ).toBe(0);
      if (!wholeText.includes(path)) continue;
      const text = (await page.locator('main').textContent()) ?? '';
      for (const vector of VECTORS) {
        const part = path === 'collectors' ? shown(vector.toLowerCase()) : shown(vector);
        expect(text, path).toContain(part);
      }
    }
    watch.expectClean();
    await context.close();
  });

  it('is found again by the link that is made of it', async () => {
    const { page, watch, close } = await open();
    await go(page, 'pages?kind=all&include=spoofed', hostile);
    for (const text of VECTORS) {
      const path = RegExp.escape(`/${shown(text)}`);
      await page.getByRole('link', { name: new RegExp(`^${path}$`, 'u') }).click();
      await page.getByRole('heading', { name: 'Visited by 1 bot' }).waitFor();
      await page.goBack();
    }
    watch.expectClean();
    await close();
  });

  it('is no formula in a file', async () => {
    const { page, watch, close } = await open();
    await go(page, 'failures?include=spoofed', hostile);
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    const cells = (await readFile(await download.path(), 'utf8')).trim().split(/\r\n/).slice(1);
    expect(cells).toHaveLength(VECTORS.length);
    expect(cells.some((line) => line.startsWith("'=cmd|' /c calc'!a0,"))).toBe(true);
    expect(cells.some((line) => line.startsWith("'+1-1@x,"))).toBe(true);
    expect(cells.filter((line) => /^"?[=+@\t-]/.test(line))).toEqual([]);
    watch.expectClean();
    await close();
  });
});
