/** The first steps of a property in a real browser: from nothing to a list that goes when it is dismissed. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestService, workerHit } from '../harness/service.ts';
import { findFaults } from './accessibility.ts';
import { launchBrowser, openDashboard } from './browser.ts';

const service = new TestService();
let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

it('lists the first steps until they are dismissed, and ticks what has arrived', async () => {
  const { id, key } = await service.property('Beginner', 'shop.example');
  const { page, watch, context } = await openDashboard(browser, service.address);
  await page.goto(`/p/${id}/setup`);
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByText('0 of 7 done').waitFor();
  expect(await findFaults(page)).toEqual([]);
  await service.hits(key, [workerHit()]);
  await page.goto(`/p/${id}/overview`);
  // The use of a key is written down every five seconds, and the list is read every ten.
  await steps.getByText('3 of 7 done').waitFor({ timeout: 40_000 });
  // Before figures it is one line with the next step.
  await steps.getByRole('link', { name: 'Install the browser script' }).waitFor();
  expect(await steps.getByRole('listitem').count()).toBe(0);
  await steps.getByRole('button', { name: 'Show steps' }).click();
  await steps.getByText('3 of 7 done').click();
  await steps.getByRole('listitem').filter({ hasText: 'First real visit (done)' }).waitFor();
  await steps.getByRole('link', { name: 'Add an alert channel' }).click();
  await page.waitForURL(/\/alerts\?view=channels/);
  await page.goBack();
  await steps.getByRole('button', { name: 'Dismiss' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Top bots' }).waitFor();
  expect(await steps.count()).toBe(0);
  watch.expectClean();
  await context.close();
});
