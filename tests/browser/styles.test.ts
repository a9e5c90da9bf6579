/** Styles of other pages are loaded some seconds after a page was opened, when the browser rests: they must change nothing on it. */
import { readdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestService, workerHit } from '../harness/service.ts';
import { launchBrowser, openDashboard } from './browser.ts';

/** Of the dashboard; the documentation is read in documents of its own. */
const SHEETS = readdirSync(new URL('../../packages/dashboard/dist/assets/', import.meta.url)).filter(
  (name) => name.endsWith('.css') && !name.startsWith('docs-'),
);
const TOOL = {
  ...{ name: 'search', title: 'Search', description: 'Finds lamps.', page: 'https://shop.example/' },
  inputSchema: { type: 'object', properties: { query: { type: 'string' }, count: { type: 'integer' } } },
};

const service = new TestService();
let browser: Browser;
let property: string;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  const { id, key } = await service.property('Styled', 'shop.example');
  property = id;
  await service.hits(key, [workerHit()]);
  await service.api('PUT', `/api/v1/properties/${id}/webmcp`, { hosts: ['shop.example'], tools: [TOOL] });
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

/** Place and colours of every element of the page, without its texts: times in them go on. */
const looks = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.page *')].map((element) => {
    const { x, y, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return [element.tagName, element.getAttribute('class'), Math.round(x), Math.round(y), Math.round(height), style.display,
      style.padding, style.margin, style.fontSize, style.color, style.backgroundColor, style.borderColor].join(' ');
  })`);

const loadAll = (page: Page): Promise<unknown> =>
  page.evaluate(`Promise.all(${JSON.stringify(SHEETS)}.filter((name) => document.querySelector('link[href$="' + name + '"]') === null).map((name) => new Promise((done) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/assets/' + name, onload: done });
    document.head.append(link);
  })))`);

const VIEWS: readonly (readonly [view: string, ready: string])[] = [
  ['webmcp', '.tool-item'],
  ['webmcp?view=serving', '.records'],
  ['webmcp?view=activity', '.history-row'],
  ['sdk', '.step .code'],
  ['collectors', '.hosts-table'],
  ['setup', '.ways'],
];

it.each(VIEWS)('%s looks as before when the styles of all pages are loaded', async (view, ready) => {
  for (const width of [1440, 390]) {
    const { page, close } = await openDashboard(browser, service.address, { width });
    await page.goto(`/p/${property}/${view}`);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    const before = await looks(page);
    await loadAll(page);
    const after = await looks(page);
    // The first that differs tells most: what follows has moved with it.
    const changed = after.flatMap((one, index) => (one === before[index] ? [] : [[before[index], one]]));
    expect(changed.slice(0, 5)).toEqual([]);
    await close();
  }
});
