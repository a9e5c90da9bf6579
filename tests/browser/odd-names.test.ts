/** Pages full of names as long and as odd as they may be: nothing moves while they load, lies over something else, scrolls sideways or hides. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestService } from '../harness/service.ts';
import { launchBrowser, openDashboard, REDRAWN } from './browser.ts';
import { type OddProperty, oddProperty } from './odd-names.ts';

const service = new TestService();
let browser: Browser;
let odd: OddProperty;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  odd = await oddProperty(service);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

/** Some forty pages in six widths, one after the other. */
const LONG_MS = 480_000;
const WIDTHS = [390, 768, 900, 1_024, 1_100, 1_440] as const;
/** `*` stands for the destination. A path of two slashes is of no property. */
const PATHS = [
  ...['/overview', '/live', '/visits', '/sharing', '/bots', '/bots?bot=GPTBot&include=spoofed'],
  ...['/pages', '/pages?group=folder', '/pages?group=unread'],
  ...['/failures', '/trust', '/share', '/referrals', '/collectors'],
  ...['/conversions', '/conversions?by=campaign', '/conversions?topic=purchase', '/deliveries'],
  ...['/deliveries?view=accuracy', '/destinations', '/destinations/*', '/destinations/*?view=events'],
  ...[
    '/webhooks',
    '/webhooks?view=activity',
    '/webhooks?view=settings',
    '/sdk',
    '/setup',
    '/setup?via=logpush',
  ],
  ...['/alerts', '/alerts?view=rules', '/alerts?view=channels', '/webmcp', '/keys', '/settings'],
  ...['//organization', '//organization/members', '//organization/tokens', '//organization/audit'],
];

/** Looked at from a desk while they load, too: there they have panels side by side. */
const WIDE = new Set([
  '/overview',
  '/visits',
  '/pages',
  '/trust',
  '/conversions',
  '/deliveries',
  '/sdk',
  '/settings',
]);

/** What moved without anything having been pressed, as browsers measure it: shares of the window that moved, times how far. */
const SHIFT = `window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** Texts that lie over each other by more than the edges of their lines; what is fixed lies above the page on purpose. */
const OVERLAPS = `(() => {
  const boxes = [];
  // What an element leaves of its text: the room of its parents, cut where it hides what flows over; null: nothing is shown, or it lies above.
  const rooms = new Map([[null, { left: 0, top: -1e6, right: innerWidth, bottom: 1e6 }]]);
  const roomOf = (at) => {
    if (rooms.has(at)) return rooms.get(at);
    let room = roomOf(at.parentElement);
    const style = getComputedStyle(at);
    if (['fixed', 'sticky'].includes(style.position) || style.clipPath !== 'none' || style.maskImage !== 'none') room = null;
    if (room !== null && (style.overflowX !== 'visible' || style.overflowY !== 'visible')) {
      const box = at.getBoundingClientRect();
      room = { left: Math.max(room.left, box.left), top: Math.max(room.top, box.top), right: Math.min(room.right, box.right), bottom: Math.min(room.bottom, box.bottom) };
    }
    rooms.set(at, room);
    return room;
  };
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.data.trim() === '') continue;
    const room = roomOf(node.parentElement);
    if (room === null || !node.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, right, bottom } of range.getClientRects()) {
      const box = { left: Math.max(left, room.left), top: Math.max(top, room.top), right: Math.min(right, room.right), bottom: Math.min(bottom, room.bottom) };
      if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push({ ...box, node, text: node.data.trim().slice(0, 30) });
    }
  }
  const found = [];
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1)) {
      if (one.node === other.node) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 4 && high > 6) found.push(one.text + ' / ' + other.text);
    }
  return found.slice(0, 5);
})()`;

/** Beside a row of actions a title must not become a column of letters. One that fits in a line has the room that it needs. */
const TITLE_WIDTH = `(() => {
  const title = document.querySelector('.page-head h1');
  const text = document.createRange();
  if (title !== null) text.selectNodeContents(title);
  const lines = new Set([...text.getClientRects()].map(({ top }) => Math.round(top)));
  return lines.size > 1 ? title.getBoundingClientRect().width : 1e6;
})()`;

/** In how many ways the rows of a list are laid out: where the cells of one column begin. 1: all alike. */
const SHAPES = `(() => {
  const cells = [...document.querySelectorAll('.live-table :is(.cell-to, .cell-what, .cell-topic, .cell-page)')];
  const left = (one) => Math.round(one.getBoundingClientRect().left - one.parentElement.getBoundingClientRect().left);
  const columns = Map.groupBy(cells, ({ className }) => className).values();
  return Math.max(1, ...columns.map((column) => new Set(column.map(left)).size));
})()`;

interface Measured {
  readonly needed: number;
  readonly title: number;
  readonly shapes: number;
  readonly overlaps: readonly string[];
}
/** In one question. */
const MEASURED = `${REDRAWN}.then(() => ({
  needed: document.documentElement.scrollWidth,
  title: ${TITLE_WIDTH},
  shapes: ${SHAPES},
  overlaps: ${OVERLAPS},
}))`;

async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const waiting = page.locator('.skeleton, .report-skeleton, [aria-busy="true"]');
  await expect.poll(() => waiting.count(), { timeout: 20_000 }).toBe(0);
  await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))');
}

it(
  'stand still while they come, and fit every width',
  async () => {
    const { page, watch, context } = await openDashboard(browser, service.address);
    await page.addInitScript(SHIFT);
    // Answers come one after the other, as on a slow line: panels that wait for different ones don't fill in one frame. By the browser's own
    // protocol: `page.route` would let every file pass through here, and take the browser's cache away.
    const devtools = await context.newCDPSession(page);
    let turn = Promise.resolve();
    devtools.on('Fetch.requestPaused', async ({ requestId, request }) => {
      const go = () => devtools.send('Fetch.continueRequest', { requestId }).catch(() => {});
      if (request.url.includes('stream')) return void go();
      const before = turn;
      const { promise, resolve } = Promise.withResolvers<void>();
      turn = promise;
      await before;
      await page
        .evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        .catch(() => {});
      await go();
      resolve();
    });
    await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/v1/*' }] });
    const faults: string[] = [];
    for (const path of PATHS) {
      const address = path.startsWith('//')
        ? path.slice(1)
        : `/p/${odd.id}${path.replace('*', odd.destinationId)}`;
      for (const width of WIDE.has(path) ? [1_440, 390] : [390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(address);
        await settled(page);
        const shift = await page.evaluate<number>('window.shift');
        if (shift >= 0.05) faults.push(`${path} moves at ${width}: ${shift.toFixed(3)}`);
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const { needed, title, shapes, overlaps } = await page.evaluate<Measured>(MEASURED);
        if (needed > width) faults.push(`${path} scrolls sideways at ${width}: ${needed}`);
        if (title < 200) faults.push(`${path} at ${width}: ${title} pixels for its title`);
        // Rows that are cards have one shape: each part is in the same place as in the others.
        if (shapes > 1) faults.push(`${path} at ${width}: rows of ${shapes} shapes`);
        for (const pair of overlaps) faults.push(`${path} at ${width}: ${pair}`);
        if (path === '/live') {
          const column = await page.locator('.cell-page').first().boundingBox();
          if ((column?.width ?? 0) < 120) faults.push(`the page column at ${width}: ${column?.width}`);
        }
      }
      const text = await page.evaluate<string>('document.body.innerText');
      const unseen = /[\u202a-\u202e\u2066-\u2069\u200b\u200c\u00ad\ufeff]/.exec(text);
      if (unseen !== null)
        faults.push(`${path} hides ${escape(text.slice(unseen.index - 20, unseen.index + 9))}`);
    }
    expect(faults).toEqual([]);
    watch.expectClean();
    await context.close();
  },
  LONG_MS,
);
