/**
 * What axe finds on a page (https://github.com/dequelabs/axe-core): every rule of WCAG 2.2 A and AA and its best practices, of whatever
 * impact. It is handed to the page through the browser's own protocol: the content policy lets no script in.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { redrawn } from './browser.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** A dialog covers a page that can't be reached meanwhile. */
const run = (rules: 'all' | 'colours') => `axe
  .run(document.querySelector('dialog[open]') ?? document, {
    resultTypes: ['violations'],
    // A fault shows its element; a selector for each is a sixth of the work.
    selectors: false,
    ${rules === 'colours' ? "runOnly: ['color-contrast']," : ''}
  })
  .then(({ violations }) =>
    violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({ rule: id, impact, what: html.slice(0, 200) + ' ' + failureSummary }))))`;

export interface Fault {
  /** Of https://dequeuniversity.com/rules/axe/. */
  readonly rule: string;
  readonly impact: 'minor' | 'moderate' | 'serious' | 'critical';
  readonly what: string;
}

/** @param rules `colours`: contrast alone, for a page that was looked at whole in its other theme */
export async function findFaults(page: Page, rules: 'all' | 'colours' = 'all'): Promise<Fault[]> {
  // Colours in transition can't be checked.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  return await page.evaluate<Fault[]>(run(rules));
}

/** One way of looking at a page. Default rules: all. */
interface Look {
  readonly width: number;
  readonly theme: 'light' | 'dark';
  readonly rules?: 'all' | 'colours';
}

const DESK = 1_440;
const PHONE = 390;
/** Both themes on a desk and on a phone: every rule once in each document, colours also in the other theme. */
export const EVERY_LOOK: readonly Look[] = [DESK, PHONE].flatMap((width) => [
  { width, theme: 'light' },
  { width, theme: 'dark', rules: 'colours' },
]);
/** Each theme and each width once. */
export const DESK_AND_PHONE: readonly Look[] = [
  { width: DESK, theme: 'light' },
  { width: PHONE, theme: 'dark' },
];

/**
 * Looks at a loaded page in one way after the other, and leaves it as the first look had it: loading it again for each took twice the
 * time. @returns what axe finds, and where it scrolls sideways
 */
export async function findFaultsIn(page: Page, name: string, looks: readonly Look[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { width, theme, rules } of looks) {
    await show(page, width, theme);
    const faults = await findFaults(page, rules);
    if (faults.length > 0) found.push([name, theme, width, faults]);
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (needed > width) found.push(`${name} scrolls sideways at ${width}: ${needed}`);
  }
  const [first] = looks;
  if (first !== undefined) await show(page, first.width, first.theme);
  return found;
}

async function show(page: Page, width: number, colorScheme: Look['theme']): Promise<void> {
  await page.emulateMedia({ colorScheme });
  if (page.viewportSize()?.width === width) return;
  await page.setViewportSize({ width, height: 900 });
  await redrawn(page);
}
