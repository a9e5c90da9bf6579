/**
 * Pictures of every page at four widths, light and dark, for people to look at: `npm run shots -- --out FOLDER [--only bots,trust]`.
 * Pages come from the rail and its tabs, so a new page is in it by itself. The data is the demo's; with ADDRESS and ADMIN_TOKEN, a service
 * that runs already.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { TestService } from '../harness/service.ts';
import { launchBrowser, openDashboard, pagesOf, signIn } from './browser.ts';

const WIDTHS = [1_440, 1_024, 768, 390] as const;
const HEIGHT = 900;
const THEMES = ['light', 'dark'] as const;
/** What no rail leads to. */
const OTHERS = ['/docs', '/docs/reports', '/properties/new'];
/** A page that never rests, such as Live, is taken as it is then. */
const PATIENCE_MS = 15_000;

const { values } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string' } } });
const out = values.out ?? 'shots';
const only = values.only?.split(',');
const { ADDRESS: running, ADMIN_TOKEN: token } = process.env;

mkdirSync(out, { recursive: true });
const service = running === undefined ? await new TestService({}, 'demo').start() : null;
const address = running ?? service?.address ?? '';
const browser = await launchBrowser();
try {
  const { page, context } = await openDashboard(browser, address, { signedIn: running === undefined });
  if (running !== undefined) await signIn(context, token);
  await page.goto('/');
  const paths = [...(await pagesOf(page))];
  await page.goto('/organization');
  paths.push(...(await pagesOf(page)), ...OTHERS);
  let taken = 0;
  for (const path of paths) {
    const name = nameOf(path);
    if (only !== undefined && !only.some((part) => name.includes(part))) continue;
    await page.goto(path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await settled(page);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`) });
        taken += 1;
      }
    }
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (needed > (WIDTHS.at(-1) ?? 0)) console.log(`${path} scrolls sideways: ${needed}`);
  }
  console.log(`${taken} pictures of ${paths.length} pages in ${out}`);
} finally {
  await browser.close();
  await service?.dispose();
}

/** `/p/<id>/bots?x` is `bots`, `/organization/members` is `organization-members`. */
function nameOf(path: string): string {
  const plain = path
    .replace(/\?.*/, '')
    .replace(/^\/p\/[^/]+\//, '')
    .replace(/^\//, '');
  return plain.replaceAll('/', '-');
}

async function settled(page: Page): Promise<void> {
  await page
    .locator('h1')
    .first()
    .waitFor({ timeout: PATIENCE_MS })
    .catch(() => {});
  const waiting = page.locator('.skeleton, .report-skeleton, [aria-busy="true"]').first();
  await waiting.waitFor({ state: 'detached', timeout: PATIENCE_MS }).catch(() => {});
  await page.evaluate('document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 120)))');
}
