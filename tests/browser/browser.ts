/**
 * A real Chromium for tests of the dashboard. Every page is watched: a policy violation, a console error, a script error or a request to
 * another origin fails the test that caused it (`Watch.expectClean`).
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core';
import { ADMIN_TOKEN } from '../harness/service.ts';

/** Ends what hangs. */
const ACTION_TIMEOUT_MS = 20_000;

const LOCK = join(tmpdir(), 'ghostlight-chromium.lock');
const LOCK_STALE_MS = 600_000;

/**
 * The package unpacks Chromium at its first use and takes any file that is there for a whole one: test files that start together must
 * not run what another is still writing.
 */
async function chromiumPath(): Promise<string> {
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch {
      const made = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - made > LOCK_STALE_MS) rmSync(LOCK, { recursive: true, force: true });
      await sleep(100);
    }
  }
  try {
    return await chromium.executablePath();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

/**
 * Flags of the package that tests can't live with: a single process dies with the first context that closes, and without web security
 * the browser would let pass what a user's refuses; graphics in software cost half of the time.
 */
const UNWANTED = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--ignore-gpu-blocklist',
]);

/**
 * The machine's own Chromium when CHROMIUM_PATH names one, else the one that npm brought.
 * @param flags more of them, such as names for addresses
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return await driver.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? (await chromiumPath()),
    args: [...chromium.args.filter((flag) => !UNWANTED.has(flag)), '--no-sandbox', '--disable-gpu', ...flags],
    headless: true,
  });
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** Starts signed in. Default true. */
  readonly signedIn?: boolean;
  /** Nothing is in its cache. Default false. */
  readonly isFresh?: boolean;
}

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;
  /**
   * Gives the profile back for the next test of the file, with nothing of this one in it. A test that did what can't be undone (an init
   * script), or needs the document that it leaves to be gone, closes the context instead.
   */
  readonly close: () => Promise<void>;
}

/** Profiles that tests gave back: a process that has loaded the dashboard before does so with half of the work. */
const idle = new WeakMap<Browser, Opened[]>();
/** Of the dashboard's origin, and a document with its headers: the page stays in its process. */
const REST = '/favicon.svg';
const LISTENED_TO = ['console', 'pageerror', 'dialog', 'request', 'response'] as const;

/** A profile without a trace of other tests: nothing is shared with them but the service. */
export async function openDashboard(
  browser: Browser,
  address: string,
  { width = 1440, height = 900, theme = 'light', signedIn = true, isFresh = false }: OpenOptions = {},
): Promise<Opened> {
  const rested = idle.get(browser) ?? [];
  idle.set(browser, rested);
  const at = isFresh ? -1 : rested.findIndex(({ page }) => new URL(page.url()).origin === address);
  const [used] = at === -1 ? [] : rested.splice(at, 1);
  const context = used?.context ?? (await newProfile(browser, address));
  const page = used?.page ?? (await context.newPage());
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme, media: null, reducedMotion: 'reduce' });
  if (signedIn) await signIn(context);
  const opened = { context, page, watch: new Watch(page, address), close: () => giveBack(opened, rested) };
  return opened;
}

async function newProfile(browser: Browser, address: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: address,
    // What moves for ever (a skeleton, the mark of a live connection) is drawn sixty times a second, in software.
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return context;
}

async function giveBack(opened: Opened, rested: Opened[]): Promise<void> {
  const { context, page } = opened;
  for (const event of LISTENED_TO) page.removeAllListeners(event);
  await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())));
  await Promise.all([page, context].map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
  await Promise.all([context.setOffline(false), context.setExtraHTTPHeaders({})]);
  await page.goto(REST);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
  // Nothing to go back to.
  const devtools = await context.newCDPSession(page);
  await devtools.send('Page.resetNavigationHistory');
  await devtools.detach();
  rested.push(opened);
}

/** Exchanges the admin token for the session cookie, without the sign-in page (which has tests of its own). */
export async function signIn(context: BrowserContext, token: string = ADMIN_TOKEN): Promise<void> {
  const answer = await context.request.post('/api/v1/session', { data: { token } });
  assert.equal(answer.status(), 200, `sign-in: ${await answer.text()}`);
}

/**
 * Opens another page as a link of the dashboard does, which takes a third of the work of a load. The page's document is loaded where none of
 * the dashboard is open, and where only filters differ: the old rows would be taken for the new ones. Tests of loading use `goto`.
 */
export async function follow(page: Page, path: string): Promise<void> {
  if (await page.evaluate<boolean>(leaveFor(path)))
    await page.locator('h1[data-left]').waitFor({ state: 'detached' });
  else await page.goto(path);
}

/** False: the page has to be loaded. */
const leaveFor = (path: string) => `(() => {
  const heading = document.querySelector('.shell h1');
  const path = ${JSON.stringify(path)};
  if (heading === null || path.replace(/\\?.*/, '') === location.pathname) return false;
  heading.dataset.left = '';
  history.pushState({}, '', path);
  return true;
})()`;

/** The addresses of all pages that the rail leads to, also over the tabs of its sections. @param page shows a page with a rail */
export async function pagesOf(page: Page): Promise<string[]> {
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  await page.locator('.rail-nav .rail-link').first().waitFor();
  const all = new Set<string>();
  for (const way of await hrefs('.rail-nav .rail-link[href]')) {
    all.add(way);
    const link = page.locator(`.rail-nav .rail-link[href="${way}"]`);
    const isOpen = await link.evaluate<boolean, { className: string }>(({ className }) =>
      className.includes('active'),
    );
    // Its tabs are part of the page, whose code may have to be loaded.
    if (!isOpen) await page.evaluate(`document.querySelector('.shell h1')?.setAttribute('data-left', '')`);
    await link.click();
    await page.locator('h1[data-left]').waitFor({ state: 'detached' });
    await page.locator('.shell h1').first().waitFor();
    for (const tab of await hrefs('nav[aria-label^="Pages of "] a, .settings-topic:not([href*="?"])'))
      all.add(tab);
  }
  return [...all];
}

/** What a page complained of. */
export class Watch {
  readonly complaints: string[] = [];
  readonly #expected: RegExp[] = [];

  constructor(page: Page, address: string) {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.#complain(`${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
    page.on('pageerror', (error) => this.#complain(`script error: ${error.message}`));
    page.on('dialog', (dialog) => {
      this.#complain(`a script opened a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== address && !/^(data|blob):$/.test(url.protocol)) {
        this.#complain(`request to another origin: ${request.url()}`);
      }
    });
  }

  /** A complaint that the test causes on purpose, such as the browser's line about a 401. */
  expect(pattern: RegExp): this {
    this.#expected.push(pattern);
    return this;
  }

  expectClean(): void {
    assert.deepEqual(this.complaints, []);
  }

  #complain(sentence: string): void {
    if (!this.#expected.some((pattern) => pattern.test(sentence))) this.complaints.push(sentence);
  }
}

/** What a press of a copy button has put there. The browser writes it a moment after the press: poll for it. */
export const clipboard = (page: Page): Promise<string> =>
  page.evaluate<string>('navigator.clipboard.readText()');

/**
 * Until a page is drawn as wide as its window was just made. A chart learns its new width with the next frame and is drawn with the one
 * after, and on a busy machine frames are rare.
 */
export async function redrawn(page: Page): Promise<void> {
  await page.evaluate(REDRAWN);
}
export const REDRAWN = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done)))))`;

/** Chooses an action of a row, which is in the menu at its end. @param name of what the row is about */
export async function chooseInRow(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Chooses a period, or what it is compared with, by its name in the list. */
export async function choosePeriod(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Period: / }).click();
  await page.getByRole('button', { name, exact: true }).click();
}
