/** What must hold on every page: hostile text stays text, nothing breaks the policy, and it is accessible on every screen. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { ADMIN_TOKEN, TestService, workerHit } from '../harness/service.ts';
import { type Fault, findFaults } from './accessibility.ts';
import { follow, launchBrowser, openDashboard, pagesOf, redrawn } from './browser.ts';

const service = new TestService();
let browser: Browser;
let property: Awaited<ReturnType<TestService['property']>>;

const MARKUP = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  'javascript:alert(3)//\'"><svg/onload=alert(4)>',
  '{{constructor.constructor("alert(5)")()}}',
  '\u202egpj.exe \u0000\u0007',
] as const;
const LONG = 'x'.repeat(3_000);

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  property = await service.property('<img src=x onerror=alert(6)>', 'shop.example');
  const hits = [...MARKUP, LONG].map((text, index) =>
    workerHit({
      pathname: `/${index}/${text}`,
      host: index % 2 === 0 ? 'shop.example' : 'help.shop.example',
      user_agent: `GPTBot/1.2 ${text}`,
      referer: `https://chatgpt.com/${text}`,
      method: 'POST',
      country: 'US',
      status: 404,
    }),
  );
  const referrals = MARKUP.map((text) =>
    workerHit({
      pathname: `/${text}`,
      user_agent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
      referer: `https://chatgpt.com/${text}`,
      verified: null,
      verified_by: null,
    }),
  );
  await service.hits(property.key, referrals);
  await service.hits(property.key, hits);
  await service.hits(property.key, [
    workerHit({ pathname: '/fake', verified: false, verified_by: null }),
    workerHit({ pathname: `/rejected/${MARKUP[1]}`, timestamp: MARKUP[0] }),
    workerHit({ user_agent: `OddBot ${MARKUP[1]}`, verified: null, verified_by: null }),
  ]);
  // Reports ask once a minute.
  await expectConservation(service);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

const PHONE = 390;

interface Place {
  readonly name: string;
  readonly path: string;
  /** Until the page shows what it is for. */
  readonly ready: (page: Page) => Promise<unknown>;
  /** Shows what visitors wrote. */
  readonly hostile?: true;
}

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();
const PLACES: readonly Place[] = [
  {
    name: 'Overview',
    path: '/overview',
    ready: (page) => page.getByRole('heading', { name: 'Top bots' }).waitFor(),
  },
  {
    name: 'Bots',
    path: '/bots',
    ready: (page) => page.getByRole('row', { name: /^GPTBot/ }).waitFor(),
  },
  { name: 'A bot', path: '/bots?bot=GPTBot', ready: heading('GPTBot') },
  {
    name: 'Pages',
    path: '/pages?kind=all',
    ready: (page) => page.getByRole('row', { name: /\/0\b/ }).waitFor(),
    hostile: true,
  },
  {
    name: 'Folders',
    path: '/pages?group=folder&kind=all',
    ready: (page) => page.getByRole('row', { name: /\/0\b/ }).waitFor(),
  },
  {
    name: 'Unread',
    path: '/pages?group=unread',
    ready: (page) => page.getByRole('heading', { name: 'No sitemap yet' }).waitFor(),
  },
  {
    name: 'Failures',
    path: '/failures',
    ready: (page) => page.getByRole('table', { name: 'Failures' }).waitFor(),
    hostile: true,
  },
  {
    name: 'Trust',
    path: '/trust',
    ready: (page) => page.getByRole('table', { name: 'Networks' }).waitFor(),
  },
  { name: 'Sharing', path: '/sharing', ready: heading('Sharing') },
  { name: 'AI share', path: '/share', ready: (page) => page.getByText('Counted so far').waitFor() },
  {
    name: 'Referrals',
    path: '/referrals',
    ready: async (page) => {
      await page.getByRole('table', { name: 'Referrals' }).waitFor();
      await page.getByRole('table', { name: 'Engines, side by side' }).waitFor();
    },
    hostile: true,
  },
  {
    name: 'Collectors',
    path: '/collectors',
    ready: (page) => page.getByRole('table', { name: 'Hosts' }).waitFor(),
  },
  {
    name: 'Nothing in these days',
    path: '/bots?path=/nowhere',
    ready: (page) => page.getByText('No visits match these filters').waitFor(),
  },
  {
    name: 'Alerts',
    path: '/alerts',
    ready: heading('Alerts'),
  },
  {
    name: 'Visits',
    path: '/visits',
    ready: (page) => page.getByRole('table', { name: 'Visits, newest first' }).waitFor(),
    hostile: true,
  },
  {
    name: 'Live',
    path: '/live',
    hostile: true,
    ready: (page) => page.getByRole('row', { name: /\/0\b/ }).waitFor(),
  },
  {
    name: 'Live with details',
    path: '/live',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /onerror.*details/ })
        .first()
        .click();
      await page.getByRole('complementary', { name: 'Visit details' }).waitFor();
    },
  },
  {
    name: 'Conversions',
    path: '/conversions',
    ready: (page) => page.getByText('No conversions in these 30 days').waitFor(),
  },
  {
    name: 'Deliveries',
    path: '/deliveries',
    ready: (page) => page.getByText('No platform connected').waitFor(),
  },
  {
    name: 'Delivery rate',
    path: '/deliveries?view=accuracy',
    ready: (page) => page.getByText('No platform connected').waitFor(),
  },
  {
    name: 'Destinations',
    path: '/destinations',
    ready: (page) => page.getByText('Connect the first platform').waitFor(),
  },
  {
    name: 'Connect a platform',
    path: '/destinations/new/webhook',
    ready: (page) => page.getByLabel('Signing secret', { exact: true }).waitFor(),
  },
  { name: 'Setup', path: '/setup', ready: (page) => page.getByText('Recently rejected').waitFor() },
  {
    name: 'Cloudflare Logpush',
    path: '/setup?via=logpush',
    ready: (page) => page.getByText('Job (API body)').waitFor(),
  },
  {
    name: 'Try it',
    path: '/setup?via=curl',
    ready: (page) => page.getByRole('region', { name: 'Step 2: Send a test visit' }).waitFor(),
  },
  {
    name: 'SDK',
    path: '/sdk',
    ready: (page) => page.getByText('No events from the script yet').waitFor(),
  },
  {
    name: 'Webhooks',
    path: '/webhooks',
    ready: (page) => page.getByRole('button', { name: 'Enable receiving' }).waitFor(),
  },
  {
    name: 'Shops',
    path: '/webhooks?view=shops',
    ready: (page) => page.getByText('Receiving is not enabled').waitFor(),
  },
  {
    name: 'Settings of webhooks',
    path: '/webhooks?view=settings',
    ready: (page) => page.getByLabel('Add a domain').waitFor(),
  },
  {
    name: 'WebMCP',
    path: '/webmcp',
    ready: (page) => page.getByText('Declare tools for AI agents').waitFor(),
  },
  { name: 'Alerts', path: '/alerts', ready: (page) => page.getByText('Watched for').waitFor() },
  {
    name: 'Rules of alerts',
    path: '/alerts?view=rules',
    ready: (page) => page.getByLabel('Don’t repeat within').waitFor(),
  },
  {
    name: 'Channels of alerts',
    path: '/alerts?view=channels',
    ready: (page) => page.getByText('No channels yet').waitFor(),
  },
  { name: 'Keys', path: '/keys', ready: (page) => page.getByRole('table').waitFor() },
  {
    name: 'New key',
    path: '/keys',
    ready: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'Settings',
    path: '/settings',
    ready: (page) => page.getByText('Attribution ID').first().waitFor(),
  },
  {
    name: 'Bot lists',
    path: '/settings?view=lists',
    ready: (page) => page.getByText('AI bot list, version').waitFor(),
  },
  { name: 'Organization', path: '//organization', ready: heading(/./) },
  { name: 'Members', path: '//organization/members', ready: heading('Members') },
  { name: 'API tokens', path: '//organization/tokens', ready: heading('API tokens') },
  { name: 'Audit log', path: '//organization/audit', ready: heading('Audit log') },
  { name: 'New property', path: '//properties/new', ready: heading('New property') },
  { name: 'Nowhere', path: '/nowhere', ready: (page) => page.getByText('Page not found').waitFor() },
];

async function visit(page: Page, { path, ready }: Place): Promise<void> {
  await follow(page, path.startsWith('//') ? path.slice(1) : `/p/${property.id}${path}`);
  await ready(page);
}

/** The name of what has the focus, and whether the focus can be seen. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const seen = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  return (at.ariaLabel ?? at.textContent ?? '').trim().replace(/G ?.$/, '') + (seen ? '' : ' (unseen)');
})()`;
const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');

/** No pages of their own: there is nothing that explains them. */
const UNEXPLAINED = new Set(['New property', 'Nowhere']);

/** What one walk over all pages has found wrong, each with the page's name. Every test below has its own list. */
interface Findings {
  readonly markup: string[];
  readonly faults: [string, Fault[]][];
  readonly wide: string[];
  readonly small: string[];
  /** Without a link to the documentation that explains them. */
  readonly unexplained: string[];
  readonly complaints: readonly string[];
}
let found: Findings;

beforeAll(async () => {
  found = await walk();
});

/** Opens each page once, as a desk shows it, and then makes the window a phone's: opening it again for each question took three times as long. */
async function walk(): Promise<Findings> {
  const { page, watch, context } = await openDashboard(browser, service.address);
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`);
  const findings: Findings = {
    ...{ markup: [], faults: [], wide: [], small: [], unexplained: [] },
    complaints: watch.complaints,
  };
  for (const place of PLACES) {
    const { name } = place;
    await visit(page, place);
    const elements = await page.locator('img, iframe, object, embed, svg[onload], [onerror]').count();
    if (!UNEXPLAINED.has(name) && (await page.locator('.page-head .docs-link:visible').count()) !== 1)
      findings.unexplained.push(name);
    if (elements > 0) findings.markup.push(`${name}: ${elements} elements of untrusted text`);
    if (place.hostile !== undefined) {
      const text = (await page.locator('body').textContent()) ?? '';
      for (const markup of [MARKUP[0], MARKUP[1]])
        if (!text.includes(markup)) findings.markup.push(`${name}: without ${markup}`);
    }
    for (const [colorScheme, rules] of [
      ['light', 'all'],
      // The document is the same one; only its colours differ.
      ['dark', 'colours'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const faults = await findFaults(page, rules);
      if (faults.length > 0) findings.faults.push([`${name} (${colorScheme})`, faults]);
    }
    await page.setViewportSize({ width: PHONE, height: 844 });
    await redrawn(page);
    const needed = await widthOf(page);
    if (needed > PHONE) findings.wide.push(`${name}: ${needed}`);
    // WCAG 2.2, 2.5.8: 24 pixels. Of a row of Live, the whole row can be pressed.
    const small = await page
      .locator(
        'button:not(.row-open):visible, select:visible, summary:visible, .rail-link:visible, .tab:visible, .view:visible, .settings-topic:visible',
      )
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.outerHTML),
      );
    findings.small.push(...small.map((html) => `${name}: ${html}`));
    await page.setViewportSize({ width: 1_440, height: 900 });
  }
  await context.close();
  return findings;
}

it('shows hostile agents, paths and referrers as text, without a violation or an error', () => {
  expect(found.markup).toEqual([]);
  expect(found.complaints).toEqual([]);
});

it('has nothing that axe finds fault with, light and dark', () => {
  expect(found.faults).toEqual([]);
});

it('leads from every page to the documentation that explains it', () => {
  expect(found.unexplained).toEqual([]);
});

// What is between a phone and a desk, and names of any length, are odd-names.test.ts's.
it('fits a phone: nothing scrolls sideways', () => {
  expect(found.wide).toEqual([]);
});

it('can be pressed on a phone: what is pressed is large enough', () => {
  expect(found.small).toEqual([]);
});

it('finds what it looks for', async () => {
  const { page, close } = await openDashboard(browser, service.address, { signedIn: false });
  await page.goto('/v1/config/ai-bots');
  await page.setContent(
    '<html lang="en"><main><button></button><svg role="img"></svg><p style="color:#999">grey</p></main></html>',
  );
  const rules = new Set((await findFaults(page)).map(({ rule }) => rule));
  for (const rule of [
    'button-name',
    'color-contrast',
    'document-title',
    'page-has-heading-one',
    'svg-img-alt',
  ])
    expect(rules).toContain(rule);
  await close();
});

it('looks at every page that there is a way to', async () => {
  const { page, close } = await openDashboard(browser, service.address);
  const looked = PLACES.map(({ path }) =>
    (path.startsWith('//') ? path.slice(1) : `/p/${property.id}${path}`).replace(/\?.*/, ''),
  );
  for (const path of [`/p/${property.id}/keys`, '/organization']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const ways = await pagesOf(page);
    expect(ways.length).toBeGreaterThan(3);
    for (const way of ways) expect(looked).toContain(way.replace(/\?.*/, ''));
  }
  await close();
});

it('fits a phone from the first page on', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address, {
    ...{ width: PHONE, height: 844 },
    signedIn: false,
  });
  watch.expect(/status of 401/);
  await page.goto('/sign-in');
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  expect(await widthOf(page)).toBeLessThanOrEqual(PHONE);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await widthOf(page)).toBeLessThanOrEqual(PHONE);
  await close();
});

it('is walked by Tab in reading order, with the focus always seen, beginning with a way past the rail', async () => {
  const { page, close } = await openDashboard(browser, service.address);
  await visit(page, { name: 'Keys', path: '/keys', ready: (it) => it.getByRole('table').waitFor() });
  const stops: string[] = [];
  for (let step = 0; step < 26; step += 1) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate<string>(FOCUSED));
  }
  expect(stops.map((stop) => stop.split('.')[0])).toEqual([
    'Skip to content',
    expect.stringMatching(/^Property: /),
    ...['Overview', 'Live', 'Visits', 'Bots', 'Pages', 'Trust'],
    ...['Referrals', 'Conversions'],
    ...['Data sources', 'WebMCP', 'Alerts', 'Settings'],
    expect.stringMatching(/^Search/),
    'Shortcuts',
    expect.stringMatching(/^Signed in as /),
    ...['webhook keys', 'API tokens'],
    ...['Docs', 'New key'],
    ...['Setup', 'Collectors', 'Ingest keys', 'Browser script', 'Webhooks'],
  ]);
  expect(stops.filter((stop) => stop.includes('(unseen)'))).toEqual([]);
  await close();
});

it('shows every section in the rail of a desk, without scrolling, and marks the one that is open', async () => {
  const { page, close } = await openDashboard(browser, service.address);
  await visit(page, { name: 'Keys', path: '/keys', ready: (it) => it.getByRole('table').waitFor() });
  const rail = page.locator('.rail-nav');
  expect(await rail.locator('.rail-group').count()).toBe(3);
  expect(await rail.locator('.rail-link').count()).toBeLessThanOrEqual(12);
  expect(await rail.locator('[aria-current="page"]').allTextContents()).toEqual([
    expect.stringMatching(/^Data sources/),
  ]);
  const tabs = page.getByRole('navigation', { name: 'Pages of Data sources' });
  expect(await tabs.locator('[aria-current="page"]').allTextContents()).toEqual(['Ingest keys']);
  // A small laptop, too.
  for (const height of [900, 720]) {
    await page.setViewportSize({ width: 1_440, height });
    const cut = await rail.evaluate((nav) => nav.scrollHeight - nav.clientHeight);
    expect(cut, `at ${height}`).toBeLessThanOrEqual(0);
  }
  await close();
});

it('sends less than 250 kB for the first view', async () => {
  const { page, context } = await openDashboard(browser, service.address, { isFresh: true });
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  let bytes = 0;
  cdp.on('Network.loadingFinished', (event) => {
    bytes += event.encodedDataLength;
  });
  await visit(page, PLACES[0] as Place);
  await page.evaluate('document.fonts.ready.then(() => true)');
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
  await context.close();
});
