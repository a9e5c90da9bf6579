/** How quickly one gets to what one wants to see: keys, periods, searches, bars that open their day, tabs that say which one they are. */
import { DAY_MS } from '@ghostlight/core/time';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { nowWithinADay } from '../harness/day.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { findFaults } from './accessibility.ts';
import { choosePeriod, follow, launchBrowser, type OpenOptions, openDashboard } from './browser.ts';

const service = new TestService();
let browser: Browser;
type Property = Awaited<ReturnType<TestService['property']>>;
let shop: Property;
let help: Property;

/** More than a list that is seen whole. */
const BOTS = [
  'GPTBot',
  'ClaudeBot',
  'ChatGPT-User',
  'CCBot',
  'PerplexityBot',
  'Bytespider',
  'Amazonbot',
  'OAI-SearchBot',
  'meta-externalagent',
  'Applebot',
  'Claude-User',
] as const;
const now = await nowWithinADay();
/** UTC day so many days before today. */
const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString().slice(0, 10);
const today = daysAgo(0);
const VISITS = [
  ...BOTS.flatMap((name) =>
    [0, 1, 3].map((days) =>
      workerHit({
        user_agent: `Mozilla/5.0 (compatible; ${name}/1.0)`,
        timestamp: now - days * DAY_MS,
        verified: null,
        verified_by: null,
      }),
    ),
  ),
  ...Array.from({ length: 60 }, (_, index) => workerHit({ pathname: `/many/${index}` })),
];

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  shop = await service.property('Lamp shop', 'shop.example');
  help = await service.property('Help pages', 'help.example');
  await service.hits(shop.key, VISITS);
  await service.hits(help.key, [workerHit({ host: 'help.example' })]);
  // Whether it is stored costs next to nothing to ask, and the report a tenth of a second of processor time.
  await expectConservation(service);
  await vi.waitFor(
    async () => {
      const { body } = await service.api('GET', `/api/v1/properties/${shop.id}/reports/overview`);
      expect(body).toMatchObject({ ai_bots: { hits: VISITS.length } });
    },
    { timeout: 15_000, interval: 100 },
  );
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

const open = (options: OpenOptions = {}) => openDashboard(browser, service.address, options);
const go = async (page: Page, path: string, { id } = shop) => {
  await page.goto(`/p/${id}/${path}`);
  await page.getByText(/^Days in UTC/).waitFor();
};
/** Of a list that is searched; the browser's own selects have options, too. */
const option = (page: Page, name?: string | RegExp) =>
  page.getByRole('listbox').getByRole('option', name === undefined ? {} : { name });
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""');

describe('a period', () => {
  it('is chosen by one key, which is no other key of the page, and is in the help', async () => {
    const { page, watch, close } = await open();
    await go(page, 'bots');
    for (const [key, period, name] of [
      ['d', 'today', 'Today'],
      ['w', 'last_7_days', 'Last 7 days'],
      ['q', 'last_90_days', 'Last 90 days'],
      ['y', 'last_365_days', 'Last 365 days'],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForURL(new RegExp(`period=${period}$`));
      await page.getByRole('button', { name: `Period: ${name}` }).waitFor();
    }
    await page.keyboard.press('m');
    await page.waitForURL(/\/bots$/);
    // After "g" the same letter is the name of a page, and no period of the page that it leads to.
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Browser script', level: 1 }).waitFor();
    await go(page, 'bots');
    await page.getByRole('button', { name: 'Path: all' }).click();
    await page.getByLabel('Path begins with').pressSequentially('dwm');
    await page.waitForURL(/path=%2Fdwm/);
    expect(page.url()).not.toContain('period=');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Last 365 days').waitFor();
    await page.keyboard.press('d');
    expect(page.url()).not.toContain('period=');
    watch.expectClean();
    await close();
  });

  it('is stepped through with arrows, pressed or typed, and never beyond today', async () => {
    const { page, watch, close } = await open();
    await go(page, 'overview?period=today');
    const [back, forth] = [
      page.getByRole('button', { name: 'Previous day' }),
      page.getByRole('button', { name: 'Next day' }),
    ];
    expect(await forth.isDisabled()).toBe(true);
    await back.click();
    await page.waitForURL(/period=yesterday$/);
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(new RegExp(`from=${daysAgo(2)}`));
    await forth.click();
    await page.waitForURL(/period=yesterday$/);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/period=today$/);
    await page.keyboard.press('ArrowRight');
    expect(page.url()).toMatch(/period=today$/);
    await page.keyboard.press('c');
    await page.getByLabel('First day').fill(daysAgo(6));
    await page.getByLabel('Last day').fill(daysAgo(3));
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(new RegExp(`from=${daysAgo(6)}&to=${daysAgo(3)}`));
    await page.getByRole('button', { name: 'Previous 4 days' }).waitFor();
    watch.expectClean();
    await close();
  });

  it('is narrowed to a day by its bar, with the mouse and with Enter, and a finger only reads', async () => {
    const { page, watch, close } = await open();
    // Addresses of earlier versions had a number of days.
    await go(page, 'bots?days=7');
    const chart = page.getByRole('slider', { name: 'AI bot visits per day' });
    const bars = chart.locator('.bar');
    expect(await bars.count()).toBe(7);
    // What a finger leaves behind: the browser makes a click of a touch.
    await page.evaluate(`{
      const svg = document.querySelector('[role="slider"] svg');
      const { left, top } = svg.getBoundingClientRect();
      const touch = { bubbles: true, pointerType: 'touch', clientX: left + 600, clientY: top + 80 };
      svg.dispatchEvent(new PointerEvent('click', touch));
    }`);
    await chart.focus();
    // From the last day, which is the first that is read, to the fourth from the end.
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowLeft');
    expect(page.url()).toMatch(/period=last_7_days$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`from=${daysAgo(3)}&to=${daysAgo(3)}`));
    await page.getByRole('heading', { name: '11 bots from 8 vendors' }).waitFor();
    // A day alone is no row of bars.
    await expect.poll(() => chart.count()).toBe(0);
    await page.goBack();
    await chart.locator('.bar').last().locator('rect').first().click();
    await page.waitForURL(new RegExp(`from=${today}&to=${today}`));
    watch.expectClean();
    await close();
  });

  it('that began before the property did is compared with nothing, and says why', async () => {
    const { page, watch, close } = await open();
    await go(page, 'overview');
    const visits = page.locator('.report-body .stat', { hasText: 'AI bot visits' });
    await visits.getByText('no earlier data', { exact: true }).waitFor();
    expect(await visits.locator('[title^="No comparison with "]').count()).toBe(1);
    // Today is not over; yesterday is, and so is the day before it, as the property is three days old.
    await page.keyboard.press('d');
    await visits.getByText('Compared once it ends', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await visits.getByText(/11/).waitFor();
    await expect.poll(() => visits.locator('.delta-gap').count()).toBe(0);
    watch.expectClean();
    await close();
  });
});

describe('a long filter', () => {
  it('is searched with the keyboard alone, and Escape gives the focus back', async () => {
    const { page, watch, close } = await open();
    await go(page, 'pages');
    const trigger = page.getByRole('button', { name: 'Bot: all' });
    await trigger.focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('combobox', { name: 'Search bots' });
    await expect.poll(() => focused(page)).toBe('Search bots');
    await expect.poll(() => option(page).count()).toBe(BOTS.length + 1);
    await field.pressSequentially('user');
    await expect
      .poll(() => option(page).locator('.option-text').allTextContents())
      .toEqual(['ChatGPT-User', 'Claude-User']);
    const active = () => page.locator('[role="option"][data-active="true"] .option-text').textContent();
    await expect.poll(active).toBe('ChatGPT-User');
    await page.keyboard.press('ArrowDown');
    await expect.poll(active).toBe('Claude-User');
    expect(await field.getAttribute('aria-activedescendant')).toBe(
      await page.locator('[role="option"][data-active="true"]').getAttribute('id'),
    );
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/bot=ChatGPT-User/);
    await page.getByRole('button', { name: 'Bot: ChatGPT-User' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Bot: ChatGPT-User');
    await page.keyboard.press('Enter');
    await field.fill('no such bot');
    await page.getByText('No matches.').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => field.count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('Bot: ChatGPT-User');
    expect(page.url()).toContain('bot=ChatGPT-User');
    await page.keyboard.press('Enter');
    await option(page, 'All').click();
    await page.waitForURL(/\/pages$/);
    watch.expectClean();
    await close();
  });

  it('is a sheet over a phone', async () => {
    const { page, watch, close } = await open({ width: 390, height: 844, theme: 'dark' });
    await go(page, 'pages');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('button', { name: 'Bot: all' }).click();
    const sheet = page.getByRole('dialog', { name: 'Bot' });
    await option(page, 'CCBot').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await findFaults(page)).toEqual([]);
    await option(page, 'CCBot').click();
    await page.waitForURL(/bot=CCBot/);
    await expect.poll(() => sheet.count()).toBe(0);
    watch.expectClean();
    await close();
  });
});

it('shows the figures of a report first on a phone: its explanation and its other filters are behind buttons', async () => {
  const { page, watch, close } = await open({ width: 390, height: 844 });
  await go(page, 'bots?vendor=OpenAI');
  const about = page.locator('.page-about');
  const intent = page.getByRole('combobox', { name: 'Intent' });
  await page.getByRole('combobox', { name: 'Vendor' }).waitFor();
  expect([await about.isVisible(), await intent.isVisible()]).toEqual([false, false]);
  await page.getByRole('button', { name: 'About this report' }).press('Enter');
  await about.waitFor();
  await page.getByRole('button', { name: 'Filters (1)' }).press('Enter');
  await intent.waitFor();
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  watch.expectClean();
  await close();
});

it('opens a menu by keyboard at its first entry, and gives the focus back, also when its code is loaded by that press', async () => {
  const { page, watch, close } = await open();
  await go(page, 'overview');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  for (const key of ['Enter', 'ArrowDown']) {
    await page.getByRole('button', { name: 'Share', exact: true }).press(key);
    await expect.poll(focused).toBe('Copy link Only members of Default can open it');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Share');
  }
  watch.expectClean();
  await close();
});

it('opens the pages of a section by its tabs, with the same period, and by their old addresses', async () => {
  const { page, watch, close } = await open();
  await go(page, 'overview?period=last_7_days');
  const tabs = page.getByRole('navigation', { name: 'Pages of Overview' });
  await tabs.getByRole('link', { name: 'AI share' }).click();
  await page.getByRole('heading', { name: 'AI share', level: 1 }).waitFor();
  expect(page.url()).toMatch(/share\?period=last_7_days$/);
  expect(await tabs.locator('[aria-current="page"]').allTextContents()).toEqual(['AI share']);
  for (const [path, section] of [
    ['failures', 'Pages'],
    ['destinations', 'Conversions'],
    ['collectors', 'Data sources'],
    ['sdk', 'Data sources'],
  ]) {
    await follow(page, `/p/${shop.id}/${path}`);
    await page.getByRole('navigation', { name: `Pages of ${section}` }).waitFor();
    await page.locator('.rail-nav .active', { hasText: section as string }).waitFor();
  }
  await follow(page, `/p/${shop.id}/live`);
  await page.getByRole('heading', { name: 'Live', level: 1 }).waitFor();
  expect(await page.getByRole('navigation', { name: /^Pages of/ }).count()).toBe(0);
  watch.expectClean();
  await close();
});

describe('the jump', () => {
  it('finds pages, properties and bots, from the keyboard and from its button', async () => {
    const { page, watch, close } = await open();
    await go(page, 'bots');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search', exact: true });
    await field.fill('trust');
    await option(page, /^Trust/).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Trust', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('common crawl');
    await option(page, /^CCBot/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'CCBot', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await field.fill('help.example');
    await page.keyboard.press('Enter');
    // Who compares properties stays on the page.
    await page.waitForURL(new RegExp(`/p/${help.id}/bots`));
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await expect.poll(() => field.count()).toBe(0);
    await page.goto('/organization/members');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('lamp shop');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/p/${shop.id}/overview`));
    watch.expectClean();
    await close();
  });
});

/** Letters into a field, one after the other, with no time between them that a busy machine could stretch. */
const TYPED = (field: unknown, text: string): void => {
  const { focus, ownerDocument } = field as Typed;
  focus.call(field);
  for (const letter of text) ownerDocument.execCommand('insertText', false, letter);
};
interface Typed {
  focus(): void;
  readonly ownerDocument: { execCommand(command: 'insertText', ui: false, text: string): void };
}

describe('the command palette', () => {
  const field = (page: Page) => page.getByRole('combobox', { name: 'Search', exact: true });
  const active = (page: Page) => page.locator('[role="option"][data-active="true"]');

  it('finds paths, orders and the docs, and remembers where it led', async () => {
    const at = `/api/v1/properties/${shop.id}`;
    await service.api('PUT', `${at}/webhooks`, { enabled: true });
    const { key } = (await service.api('POST', `${at}/webhook-keys`, { name: 'Shop' })).body as {
      key: string;
    };
    const answer = await fetch(`${service.address}/webhooks/custom/${shop.id}/purchase`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ conversion_id: 'LAMP-2001', value: '19.90', currency: 'EUR' }),
    });
    expect(answer.status, await answer.text()).toBe(200);
    const { page, watch, context, close } = await open();
    await go(page, 'bots');
    await page.keyboard.press('Control+k');
    await field(page).fill('many/59');
    await option(page, /^\/many\/59/).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '/many/59', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('lamp-2001');
    await option(page, /^LAMP-2001.*Order/).waitFor({ state: 'detached' });
    // The letters of an id count as they are.
    await field(page).fill('LAMP-2001');
    await option(page, /^LAMP-2001.*Order/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').getByText('LAMP-2001').first().waitFor();
    await page.keyboard.press('Control+k');
    await expect.poll(() => active(page).textContent()).toMatch(/^LAMP-2001/);
    await field(page).fill('spoofed');
    const entry = option(page, /^Glossary › Spoofed.*Docs/);
    await entry.waitFor();
    const [docs] = await Promise.all([context.waitForEvent('page'), entry.click()]);
    await docs.waitForURL(/\/docs\/glossary#spoofed$/);
    watch.expectClean();
    await close();
  });

  it('has what is typed before its field is there, and puts commands before the docs', async () => {
    const { page, watch, close } = await openDashboard(browser, service.address, { isFresh: true });
    // As slow as a network can be: its code comes a second after it was asked for.
    await page.route(/JumpDialog.*\.js/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue();
    });
    await page.goto(`/p/${shop.id}/bots`);
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('last mont');
    await expect.poll(() => field(page).inputValue()).toBe('last mont');
    await page.keyboard.type('h');
    await expect.poll(() => active(page).textContent()).toMatch(/^Period: last month/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/bots\?period=last_month/);
    for (const [text, first] of [
      ['rotate', /^Rotate the key/],
      ['dark', /^Switch to the dark theme/],
      ['nginx', /^Set up nginx/],
    ] as const) {
      await page.keyboard.press('Control+k');
      await field(page).fill(text);
      await page.getByRole('group', { name: 'Docs' }).waitFor();
      await expect.poll(() => page.locator('.jump [role="option"]').first().textContent()).toMatch(first);
      expect(await page.locator('.jump [role="option"]').first().getAttribute('aria-selected')).toBe('true');
      if (text === 'nginx') await option(page, /^Block impersonators/).waitFor();
      await page.keyboard.press('Escape');
    }
    watch.expectClean();
    await close();
  });

  it('runs actions: a theme, an export, an invitation, the rotation of a key', async () => {
    const { page, watch, close } = await open();
    await go(page, 'bots?days=7&vendor=OpenAI');
    const run = async (text: string, name: RegExp) => {
      await page.keyboard.press('Control+k');
      await field(page).fill(text);
      await option(page, name).waitFor();
      await expect.poll(() => active(page).textContent()).toMatch(name);
      await page.keyboard.press('Enter');
      await expect.poll(() => field(page).count()).toBe(0);
    };
    await run('dark', /^Switch to the dark theme/);
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    await run('theme system', /^Use the system’s theme/);
    const downloading = page.waitForEvent('download');
    await run('csv', /^Export bots as CSV/);
    const url = new URL((await downloading).url());
    expect([url.pathname, url.searchParams.get('vendor'), url.searchParams.get('format')]).toEqual([
      `/api/v1/properties/${shop.id}/reports/bots`,
      'OpenAI',
      'csv',
    ]);
    await run('rotate lamp', /^Rotate the key “Lamp shop/);
    await page.getByRole('dialog', { name: /^Rotate/ }).waitFor();
    await page.keyboard.press('Escape');
    await run('invite', /^Invite a person/);
    await page.getByRole('dialog', { name: /^Invite/ }).waitFor();
    await expect.poll(() => page.url()).toMatch(/\/organization\/members$/);
    watch.expectClean();
    await close();
  });

  it('cancels a question that a further letter has replaced, and goes on when the service can’t search', async () => {
    const { page, watch, close } = await open();
    await go(page, 'bots');
    watch.expect(/Failed to load resource/);
    const asked: string[] = [];
    await page.route(/\/search\?q=/, async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('q') ?? '');
      await route.abort();
    });
    await page.keyboard.press('Control+k');
    await field(page).evaluate(TYPED, 'deliv');
    await page.getByText('Some results are missing').waitFor();
    expect(asked).toEqual(['deliv']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
    await close();
  });
});

describe('the documentation', () => {
  it('opens from the page that it explains', async () => {
    const { page, watch, context, close } = await open();
    await go(page, 'trust');
    const [docs] = await Promise.all([
      context.waitForEvent('page'),
      page.locator('.page-head').getByRole('link', { name: 'Docs' }).click(),
    ]);
    await docs.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
    expect(docs.url()).toBe(`${service.address}/docs/reports#trust`);
    watch.expectClean();
    await close();
  });

  it('is read without an account on any screen, with headings, anchors and the version', async () => {
    const reader = await open({ signedIn: false });
    await reader.page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
      console.error('policy: ' + event.violatedDirective))`);
    for (const path of ['/docs', '/docs/reports']) {
      await reader.page.goto(path);
      await reader.page.getByRole('heading', { level: 1 }).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await reader.page.emulateMedia({ colorScheme });
        expect(await findFaults(reader.page), `${path}, ${colorScheme}`).toEqual([]);
      }
      for (const width of [390, 768, 1_024, 1_440]) {
        await reader.page.setViewportSize({ width, height: 900 });
        const needed = await reader.page.evaluate<number>('document.documentElement.scrollWidth');
        expect(needed, `${path} at ${width}`).toBeLessThanOrEqual(width);
      }
    }
    await reader.page.goto('/docs/reports');
    const { version } = (await service.api('GET', '/healthz')).body as { version: string };
    await reader.page.locator('.docs-version', { hasText: version }).waitFor();
    const headings = reader.page.getByRole('navigation', { name: 'On this page' });
    // What is below a section is listed once that is read.
    expect(await headings.getByRole('link', { name: 'AI share' }).isVisible()).toBe(false);
    await headings.getByRole('link', { name: 'The reports' }).click();
    await headings.getByRole('link', { name: 'AI share' }).click();
    await reader.page.waitForURL(/#ai-share$/);
    await reader.page.emulateMedia({ media: 'print' });
    expect(await headings.isVisible()).toBe(false);
    reader.watch.expectClean();
    reader.watch.expect(/status of 404/);
    await reader.page.goto('/docs/nothing');
    await reader.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await reader.context.close();
  });

  it('explains a term of a page where it stands, on hover and on focus', async () => {
    const { page, watch, close } = await open();
    await go(page, 'trust');
    const tip = page.getByRole('tooltip');
    const term = page.locator('.page-about').getByRole('button', { name: 'spoofed' });
    await term.hover();
    await tip.getByText('outside the vendor').waitFor();
    const box = await tip.boundingBox();
    expect(box?.y).toBeGreaterThan((await term.boundingBox())?.y ?? 0);
    await page.mouse.move(600, 5);
    await expect.poll(() => tip.count()).toBe(0);
    await page.locator('.page-about').getByRole('button', { name: 'unknown' }).focus();
    await tip.getByText('Neither proven nor refuted').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => tip.count()).toBe(0);
    watch.expectClean();
    await close();
  });

  it('is searched with the keyboard, and says when there is nothing', async () => {
    const { page, watch, close } = await open({ signedIn: false });
    await page.goto('/docs');
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'Search the docs' });
    await field.pressSequentially('spoofed');
    const results = page.getByRole('list', { name: 'Results' });
    await results.getByRole('link', { name: /^Spoofed Glossary/ }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/glossary#spoofed$/);
    await page.keyboard.press('Control+k');
    await field.fill('zzzz no such thing');
    await page.getByRole('status').filter({ hasText: 'No results' }).waitFor();
    await field.fill('');
    await expect.poll(() => results.count()).toBe(0);
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    watch.expectClean();
    await close();
  });
});

it('names page and property in the tab, and counts what is live', async () => {
  const { page, watch, context, close } = await open();
  await go(page, 'bots');
  await expect.poll(() => page.title()).toBe('Bots · shop.example · Ghostlight');
  await page.getByRole('button', { name: /^Property: Lamp shop/ }).click();
  await page.getByRole('menuitem', { name: /Help pages/ }).click();
  await expect.poll(() => page.title()).toBe('Bots · help.example · Ghostlight');
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect.poll(() => page.title()).toBe('Live: 1 AI bot visit · help.example · Ghostlight');
  await page.goto('/organization/members');
  await expect.poll(() => page.title()).toMatch(/^Members · (.+ · )?Ghostlight$/);
  // An open alert is seen from any tab.
  await context.route(/alerts\?state=open/, (route) => route.fulfill({ json: { items: [], open: 2 } }));
  await go(page, 'trust');
  await expect.poll(() => page.title()).toBe('(2) Trust · shop.example · Ghostlight');
  watch.expectClean();
  await close();
});

it('keeps the head of a long list in sight, below the filters', async () => {
  const { page, watch, close } = await open();
  await go(page, 'pages');
  await page.mouse.wheel(0, 1_200);
  const head = page.getByRole('columnheader', { name: 'Visits' });
  const filters = page.getByRole('toolbar', { name: 'Filters' });
  await expect
    .poll(async () => {
      const [one, other] = [await head.boundingBox(), await filters.boundingBox()];
      return [other?.y, Math.round((one?.y ?? -1) - ((other?.y ?? 0) + (other?.height ?? 0)))];
    })
    .toEqual([0, 0]);
  // Nothing is cut off where the room is small: columns went before.
  for (const width of [800, 1_000, 1_200]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  watch.expectClean();
  await close();
});

it('leads from one visit to all of its bot, and to everyone who read its page', async () => {
  const { page, watch, close } = await open();
  await page.goto(`/p/${shop.id}/live`);
  await page.getByRole('button', { name: 'GPTBot, /many/7: details' }).click();
  await page.getByRole('link', { name: 'All visits by GPTBot' }).click();
  await page.getByRole('heading', { name: 'Visits', level: 1 }).waitFor();
  expect(page.url()).toMatch(/class=ai_bot&bot=GPTBot|bot=GPTBot&class=ai_bot/);
  await page.goBack();
  await page.getByRole('button', { name: 'GPTBot, /many/7: details' }).click();
  await page.getByRole('link', { name: 'Bot report' }).click();
  await page.getByRole('heading', { name: 'GPTBot', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'GPTBot, /many/7: details' }).click();
  await page.getByRole('link', { name: 'Page report' }).click();
  await page.getByRole('heading', { name: 'Visited by 1 bot' }).waitFor();
  watch.expectClean();
  await close();
});

it('takes period and filters along from page to page, also over pages that have none and pages that load slowly', async () => {
  const { page, watch, context, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${shop.id}/trust?period=last_90_days&vendor=OpenAI&host=shop.example&include=spoofed`);
  const rail = page.getByRole('navigation', { name: 'Pages' });
  const follow = async (name: string, title = name) => {
    await rail.getByRole('link', { name, exact: false }).first().click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  };
  const filters = () => Object.fromEntries(new URL(page.url()).searchParams);
  const all = { period: 'last_90_days', vendor: 'OpenAI', host: 'shop.example', include: 'spoofed' };
  // Their code comes when the test lets it: until then the address is the new page's and the old page stands.
  const held = Promise.withResolvers<void>();
  await context.route(/\/assets\/(Live|Conversions)Page-/, async (route) => {
    await held.promise;
    await route.continue();
  });
  for (const name of ['Live', 'Conversions', 'Live', 'Bots']) {
    await rail.getByRole('link', { name, exact: false }).first().click();
    await page.waitForURL(new RegExp(`/${name.toLowerCase()}\\b`));
  }
  await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
  expect(filters()).toEqual(all);
  held.resolve();
  await follow('Live');
  expect(filters()).toEqual({});
  await follow('Trust');
  expect(filters()).toEqual(all);
  await follow('Conversions');
  // Conversions has a period, but no vendors; it keeps them for the pages that have.
  expect(filters()).toEqual({ period: 'last_90_days' });
  await choosePeriod(page, 'Last 7 days');
  await page.waitForURL(/period=last_7_days/);
  await follow('Settings', 'General');
  await follow('Bots');
  expect(filters()).toEqual({ ...all, period: 'last_7_days' });
  await page.goBack();
  await page.goBack();
  await page.getByRole('heading', { name: 'Conversions', level: 1 }).waitFor();
  // By the keyboard, and over a page of the account, too.
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'Referrals', level: 1 }).waitFor();
  expect(filters()).toEqual({ ...all, period: 'last_7_days' });
  await page.goto('/organization/members');
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill('lamp shop');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/p/${shop.id}/overview`));
  expect(filters()).toEqual({ ...all, period: 'last_7_days' });
  // Another property is looked at for the same days; who visits it is its own.
  await page.getByRole('button', { name: /^Property: / }).click();
  await page.getByRole('menuitem', { name: /Help pages/ }).click();
  await page.waitForURL(new RegExp(`/p/${help.id}/overview`));
  expect(filters()).toEqual({ period: 'last_7_days' });
  watch.expectClean();
  await close();
});

describe('while the service is unreachable', () => {
  // What the browser's cache holds is no code that was loaded ahead.
  const banner = (page: Page) => page.locator('.away');
  /** All that pages need is there: their code is loaded after the first view, then the sources. */
  const isLoadedAhead = (page: Page) =>
    expect
      .poll(
        () =>
          page.evaluate<boolean>(
            `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/v1/sources'))`,
          ),
        {
          timeout: 45_000,
        },
      )
      .toBe(true);
  const renames = async () => {
    const { body } = await service.api('GET', '/api/v1/organization/audit?limit=200');
    return (body as { items: { action: string }[] }).items.filter(
      ({ action }) => action === 'property.updated',
    ).length;
  };

  it('keeps what was loaded and its name, opens every page, says so once, and goes on without a reload', async () => {
    const { page, watch, context, close } = await openDashboard(browser, service.address, { isFresh: true });
    watch.expect(/Failed to (load|fetch)|ERR_INTERNET_DISCONNECTED|net::/);
    await page.goto(`/p/${shop.id}/overview`);
    await page.getByRole('heading', { name: 'Top bots' }).waitFor();
    await isLoadedAhead(page);
    await page.evaluate('window.isSameDocument = true');
    await context.setOffline(true);
    await page.keyboard.press('q');
    // The figures of 30 days are not called those of 90.
    await page.locator('main').getByText('Not loaded yet.').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Top bots' }).count()).toBe(0);
    await banner(page).getByText('You’re offline.').waitFor();
    // Of a page that was not loaded there is no time of loading.
    expect(await banner(page).textContent()).not.toContain('The data shown');
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Top bots' }).waitFor();
    await banner(page)
      .getByText(/The data shown was loaded at \d\d:\d\d \(UTC\) or earlier\./)
      .waitFor();
    const rail = page.getByRole('navigation', { name: 'Pages' });
    for (const [name, title] of [
      ['Live', 'Live'],
      ['Visits', 'Visits'],
      ['WebMCP', 'WebMCP'],
      ['Settings', 'General'],
      ['Bots', 'Bots'],
      ['Trust', 'Trust'],
    ]) {
      await rail.getByRole('link', { name: name as string }).click();
      await page.getByRole('heading', { name: title as string, level: 1 }).waitFor();
      expect(await page.locator('main').count(), name).toBe(1);
    }
    expect(await banner(page).count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(1);
    await context.setOffline(false);
    await expect.poll(() => banner(page).count()).toBe(0);
    await page.locator('.report-body').waitFor({ timeout: 20_000 });
    expect(await page.evaluate('window.isSameDocument')).toBe(true);
    await close();
  });

  it('keeps a change and sends it once when it is back, or gives it back', async () => {
    const { page, watch, context, close } = await openDashboard(browser, service.address, { isFresh: true });
    watch.expect(/Failed to (load|fetch)|ERR_INTERNET_DISCONNECTED|ERR_FAILED|net::/);
    await page.goto(`/p/${help.id}/settings`);
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    const before = await renames();
    await context.setOffline(true);
    await name.fill('Help, renamed offline');
    await page.getByRole('button', { name: 'Save' }).click();
    await banner(page).getByText('1 change is waiting and will be sent when the service is back.').waitFor();
    await context.setOffline(false);
    await page.locator('.switcher-name', { hasText: 'Help, renamed offline' }).waitFor();
    expect(await renames()).toBe(before + 1);

    await context.setOffline(true);
    await name.fill('Help, given back');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await page.getByText('Nothing you typed is lost').waitFor();
    expect(await name.inputValue()).toBe('Help, given back');
    await context.setOffline(false);
    await expect.poll(() => banner(page).count()).toBe(0);
    expect(await renames()).toBe(before + 1);

    // The change arrives and its answer doesn't: it is sent again, and made once.
    let attempts = 0;
    await page.route(/\/api\/v1\/properties\/[^/]+$/, async (route) => {
      if (route.request().method() !== 'PATCH') return await route.continue();
      attempts += 1;
      if (attempts > 1) return await route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.switcher-name', { hasText: 'Help, given back' }).waitFor();
    expect(attempts).toBe(2);
    expect(await renames()).toBe(before + 2);
    await close();
  });
});
