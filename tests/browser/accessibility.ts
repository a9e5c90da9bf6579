/**
 * What axe finds on a page (https://github.com/dequelabs/axe-core): every rule of WCAG 2.2 A and AA and its best practices, of whatever
 * impact. It is handed to the page through the browser's own protocol: the content policy lets no script in.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** A dialog covers a page that can't be reached meanwhile. */
const run = (rules: 'all' | 'colours') => `axe
  .run(document.querySelector('dialog[open]') ?? document, {
    resultTypes: ['violations'],
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
