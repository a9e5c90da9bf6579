/**
 * Pictures of every page, tab, drawer and dialog at four widths, light and dark, for people to look at:
 * `npm run shots -- --out FOLDER [--only bots,trust] [--widths 1440,390] [--full]`. Pages and tabs come from the rail and the pages
 * themselves, so a new one is in it by itself; what a click opens is in `shot-places.ts`. The data is the demo's; with ADDRESS and
 * ADMIN_TOKEN, a service that runs already. `--full`: the whole page, however long.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page, Request } from 'playwright-core';
import { TestService } from '../harness/service.ts';
import { launchBrowser, openDashboard, pagesOf, signIn } from './browser.ts';
import { asPerson, OPENED, OTHERS, type Shot } from './shot-places.ts';

const HEIGHT = 900;
const THEMES = ['light', 'dark'] as const;
/** A page that never rests, such as Live, is taken as it is then. */
const PATIENCE_MS = 15_000;
/** What waits for the first answers asks its own questions within this time. */
const QUIET_MS = 700;
/** On a machine that does other work. */
const SLOW_MS = 60_000;

/** When a call of the API was last under way, by page; epoch milliseconds. */
const busy = new WeakMap<Page, { calls: number; last: number }>();

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'shots' },
    only: { type: 'string' },
    widths: { type: 'string', default: '1440,1024,768,390' },
    full: { type: 'boolean', default: false },
  },
});
const { out, full: fullPage } = values;
const only = values.only?.split(',');
const widths = values.widths.split(',').map(Number);
const { ADDRESS: running, ADMIN_TOKEN: token } = process.env;

mkdirSync(out, { recursive: true });
const service = running === undefined ? await new TestService({}, 'demo').start() : null;
const address = running ?? service?.address ?? '';
const browser = await launchBrowser();
let taken = 0;
try {
  const { page, context } = await openDashboard(browser, address, { signedIn: running === undefined });
  context.setDefaultTimeout(SLOW_MS);
  if (running !== undefined) await signIn(context, token);
  await page.goto('/');
  const paths = await pagesOf(page);
  const property = /^\/p\/[^/]+/.exec(paths[0] ?? '')?.[0] ?? '';
  await page.goto('/organization');
  paths.push(...(await pagesOf(page)), ...OTHERS);
  const known = new Set(paths);
  for (const path of paths) {
    await take(page, { name: nameOf(path), path });
    // Its tabs, once each: a page of the list may be one of them.
    for (const tab of isWanted(nameOf(path)) ? await tabsOf(page) : []) {
      if (known.has(tab)) continue;
      known.add(tab);
      await take(page, { name: nameOf(tab), path: tab });
    }
  }
  for (const shot of OPENED) await take(page, { ...shot, path: `${property}${shot.path}` });
  // The admin token has no account.
  const person = await asPerson(browser, context, address, property);
  for (const shot of person.shots) await take(person.page, shot);
  console.log(`${taken} pictures in ${out}`);
} finally {
  await browser.close();
  await service?.dispose();
}

function isWanted(name: string): boolean {
  return only === undefined || only.some((part) => name.includes(part));
}

async function take(page: Page, { name, path, open, isPlaced }: Shot): Promise<void> {
  if (!isWanted(name)) return;
  try {
    await page.goto(path);
    if (open !== undefined) {
      await settled(page);
      await open(page);
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      if (isPlaced === true && width !== widths[0]) {
        await page.goto(path);
        await settled(page);
        await open?.(page);
      }
      await settled(page);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await drawn(page);
        await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`), fullPage });
        taken += 1;
      }
      const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (needed > width) console.log(`${name} scrolls sideways at ${width}: ${needed}`);
    }
  } catch (error) {
    // One that can't be taken, because the data has none of it, must not cost the others.
    console.log(`${name}: ${String(error).split('\n')[0]}`);
  } finally {
    await page.setViewportSize({ width: widths[0] ?? 1_440, height: HEIGHT });
  }
}

/** The other views of the open page: its tabs, and the topics of the settings. */
async function tabsOf(page: Page): Promise<string[]> {
  const links = page.locator('.tab, .view, .settings-topic');
  return (await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))).filter(
    (href) => href !== '',
  );
}

/** `/p/<id>/bots?view=x` or `?group=x` is `bots-x`, `/organization/members` is `organization-members`. */
function nameOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://dashboard.invalid');
  const plain = pathname.replace(/^\/p\/[^/]+\//, '').replace(/^\//, '');
  const view = searchParams.get('view') ?? searchParams.get('group');
  return `${plain.replaceAll('/', '-')}${view === null ? '' : `-${view}`}`;
}

async function settled(page: Page): Promise<void> {
  await page
    .locator('h1')
    .first()
    .waitFor({ timeout: PATIENCE_MS })
    .catch(() => {});
  const waiting = page.locator('.skeleton, .report-skeleton, [aria-busy="true"]').first();
  await waiting.waitFor({ state: 'detached', timeout: PATIENCE_MS }).catch(() => {});
  const undrawn = page.locator('.day-chart-box:not(:has(svg))').first();
  await undrawn.waitFor({ state: 'detached', timeout: PATIENCE_MS }).catch(() => {});
  await quiet(page);
  await page.evaluate('document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 120)))');
}

/** What comes after the first figures, such as the values of a filter, belongs in the picture. A stream never ends, and is not waited for. */
async function quiet(page: Page): Promise<void> {
  const state = busy.get(page) ?? watch(page);
  const end = Date.now() + PATIENCE_MS;
  while ((state.calls > 0 || Date.now() - state.last < QUIET_MS) && Date.now() < end) await pause(100);
}

function watch(page: Page): { calls: number; last: number } {
  const state = { calls: 0, last: Date.now() };
  busy.set(page, state);
  const isCall = (request: Request) =>
    request.url().includes('/api/') && !/stream/.test(request.headers()['accept'] ?? '');
  const ended = (request: Request): void => {
    if (!isCall(request)) return;
    state.calls = Math.max(0, state.calls - 1);
    state.last = Date.now();
  };
  page.on('request', (request) => {
    if (isCall(request)) state.calls += 1;
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  // A page that is left answers nothing any more.
  page.on('framenavigated', () => {
    state.calls = 0;
    state.last = Date.now();
  });
  return state;
}

/** The next frames are on the screen: on a busy machine parts of a picture taken before would be empty. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))',
  );
}
