/**
 * The part of an accessibility audit that a script can judge: every control and picture has a name, ids are unique, headings begin with
 * one h1, tables have headers, and text holds 4.5:1 (3:1 when large) on what is painted behind it.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AUDIT = readFileSync(new URL('./accessibility.page.js', import.meta.url), 'utf8');

export interface Fault {
  readonly rule: string;
  readonly what: string;
}

export async function findFaults(page: Page): Promise<Fault[]> {
  // Colours on their way from one to another cannot be judged.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return await page.evaluate<Fault[]>(AUDIT);
}
