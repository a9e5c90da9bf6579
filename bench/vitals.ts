/**
 * Web Vitals of the main pages in Chromium, on a store of fifty million hits (`report-store.ts`), its largest property: the largest
 * contentful paint and the layout shifts of a page that is opened by its address, and the slowest interaction of a few that its readers do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { choosePeriod, launchBrowser, openDashboard } from '../tests/browser/browser.ts';
import { type TestService, workerHit } from '../tests/harness/service.ts';
import type { Figure } from './harness.ts';
import { openReportStore, progress } from './report-store.ts';

const ROUNDS = 5;
const GOALS = { lcp: 1_000, cls: 0.05, inp: 200 } as const;
/** What Live and the first rows of Visits show. */
const RECENT_HITS = 120;
const SETTLED_MS = 60_000;

interface Vitals {
  /** Milliseconds from the navigation. */
  readonly lcp: number;
  readonly cls: number;
  /** Milliseconds from an interaction to the frame that shows what it did; 0: none took longer than a frame. */
  readonly inp: number;
}

/** Summed as browsers do: shifts within a second of each other, five seconds at most, the worst of those. */
const OBSERVE = `(() => {
  const vitals = (window.vitals = { lcp: 0, cls: 0, inp: 0 });
  const observe = (type, options, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe('largest-contentful-paint', {}, ({ startTime }) => { vitals.lcp = startTime; });
  let first = 0, last = 0, sum = 0;
  observe('layout-shift', {}, ({ startTime, value, hadRecentInput }) => {
    if (hadRecentInput) return;
    if (startTime - last > 1000 || startTime - first > 5000) { first = startTime; sum = 0; }
    last = startTime;
    sum += value;
    vitals.cls = Math.max(vitals.cls, sum);
  });
  observe('event', { durationThreshold: 16 }, ({ interactionId, duration }) => {
    if (interactionId > 0) vitals.inp = Math.max(vitals.inp, duration);
  });
})()`;

type Interaction = (page: Page) => Promise<void>;

const period: Interaction = async (page) => {
  await choosePeriod(page, 'Last 7 days');
};
const palette: Interaction = async (page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run a command' }).pressSequentially('page-12');
  await settled(page);
  await page.keyboard.press('Escape');
};
const filter: Interaction = async (page) => {
  await page.getByRole('button', { name: /^Vendor: / }).click();
  await page.getByRole('combobox', { name: 'Search vendors' }).pressSequentially('Open');
  await page.keyboard.press('Enter');
  await settled(page);
};
const search: Interaction = async (page) => {
  await page.getByLabel('Path begins with').pressSequentially('products');
  await settled(page);
};
const drawer: Interaction = async (page) => {
  await page.getByRole('table').locator('tbody tr').first().click();
  await page.getByRole('complementary', { name: 'Visit details' }).waitFor();
  await settled(page);
  await page.keyboard.press('Escape');
};
const sort =
  (name: string): Interaction =>
  async (page) => {
    await page.getByRole('button', { name, exact: true }).first().click();
    await settled(page);
  };

/** Path below the property → what its readers do there. */
const PAGES: Readonly<Record<string, readonly Interaction[]>> = {
  overview: [period, palette],
  pages: [search, period, palette],
  bots: [filter, sort('Pages'), period],
  visits: [drawer, period, palette],
  live: [drawer, palette],
  trust: [period, palette],
  referrals: [period, palette],
  failures: [filter, period, palette],
  share: [period, palette],
};

export async function vitals(): Promise<Figure[]> {
  const { service, properties } = await openReportStore();
  const browser = await launchBrowser();
  try {
    await service.start();
    const [, large = properties[0]] = properties;
    const id = large?.attributionId ?? '';
    await postRecent(service, id);
    const { context, page } = await openDashboard(browser, service.address);
    await page.close();
    context.setDefaultTimeout(SETTLED_MS);
    await context.addInitScript(OBSERVE);
    const figures: Figure[] = [];
    for (const [name, interactions] of Object.entries(PAGES)) {
      const rounds: Vitals[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push(await visit(context, `/p/${id}/${name}`, interactions).catch(of(name)));
      figures.push(...figuresOf(name, rounds));
      progress(`${name}: ${JSON.stringify(rounds)}`);
    }
    return figures;
  } finally {
    await browser.close();
    await service.dispose();
  }
}

const of = (name: string) => (error: unknown) => {
  throw new Error(`the page ${name}`, { cause: error });
};

async function visit(
  context: BrowserContext,
  address: string,
  interactions: readonly Interaction[],
): Promise<Vitals> {
  const page = await context.newPage();
  try {
    await page.goto(address);
    await settled(page);
    // Interactions end the reading of the largest paint, and what they move is no shift.
    const { lcp, cls } = await read(page);
    for (const interact of interactions) {
      await interact(page);
      await settled(page);
    }
    return { lcp, cls, inp: (await read(page)).inp };
  } finally {
    await page.close();
  }
}

/** The browser calls observers after the frame. */
const read = async (page: Page): Promise<Vitals> =>
  await page.evaluate<Vitals>(
    'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done({ ...window.vitals }), 50)))',
  );

async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const waiting = page.locator('.skeleton, .report-skeleton, [aria-busy="true"], [data-stale="true"]');
  const deadline = Date.now() + SETTLED_MS;
  while ((await waiting.count()) > 0) {
    if (Date.now() > deadline) throw new Error(`${page.url()} still waits for an answer`);
    await sleep(25);
  }
}

function figuresOf(name: string, rounds: readonly Vitals[]): Figure[] {
  const of = (vital: keyof Vitals, unit: string, digits: number): Figure => {
    const values = rounds.map((round) => round[vital]).sort((a, b) => a - b);
    const most = values[Math.ceil(values.length * 0.75) - 1] ?? Number.NaN;
    return {
      what: `${name}: ${vital.toUpperCase()}, of ${ROUNDS} visits the 75th percentile (the worst)`,
      measured: `${most.toFixed(digits)}${unit} (${values.at(-1)?.toFixed(digits)}${unit})`,
      target: `< ${GOALS[vital]}${unit}`,
      holds: most < GOALS[vital],
    };
  };
  return [of('lcp', ' ms', 0), of('inp', ' ms', 0), of('cls', '', 3)];
}

async function postRecent(service: TestService, id: string): Promise<void> {
  const { body } = await service.api('POST', '/api/v1/ingest-keys', {
    name: 'vitals',
    provider: 'edge_worker',
    attribution_id: id,
  });
  const { key } = body as { key: string };
  const now = Date.now();
  const hits = Array.from({ length: RECENT_HITS }, (_, index) =>
    workerHit({ timestamp: now - index * 1_000, pathname: `/products/page-${index % 30}` }),
  );
  const { status } = await service.hits(key, hits);
  if (status !== 204) throw new Error(`hits: ${status}`);
}
