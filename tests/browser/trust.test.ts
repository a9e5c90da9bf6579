/** Impersonators and unlisted crawlers in a real browser: found, blocked and added, with the steps counted. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { nowWithinADay } from '../harness/day.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { readVendors, startVendors } from '../harness/vendors.ts';
import { findFaults } from './accessibility.ts';
import { clipboard, launchBrowser, openDashboard } from './browser.ts';

const vendors = await startVendors();
const service = new TestService({ DESTINATION_HOSTS: JSON.stringify(vendors.hosts) });
let browser: Browser;
let property: Awaited<ReturnType<TestService['property']>>;
const now = await nowWithinADay();
const CRAWLER = 'Mozilla/5.0 (compatible; AcmeCrawler/2.1; +https://acme.example/crawler)';
const unproven = { verified: null, verified_by: null } as const;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  await readVendors(service);
  property = await service.property('Trusted', 'shop.example');
  const sent = await service.hits(property.key, [
    ...Array.from({ length: 5 }, (_, index) => workerHit({ timestamp: now - index * 1_000 })),
    ...Array.from({ length: 3 }, (_, index) =>
      workerHit({
        ...{ timestamp: now - index * 1_000, verified: false, verified_by: null, asn: 24_940, country: 'DE' },
      }),
    ),
    ...Array.from({ length: 6 }, (_, index) =>
      workerHit({ user_agent: CRAWLER, sample_rate: 0.02, timestamp: now - index * 1_000, ...unproven }),
    ),
  ]);
  expect(sent.status).toBe(204);
  // Reports ask once a minute.
  await expectConservation(service);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
  await vendors.close();
});

it('shows who impersonates and gives the rule that blocks them, in three steps from the overview', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${property.id}/overview`);
  let steps = 0;
  const click = async (target: ReturnType<typeof page.locator>) => {
    steps += 1;
    await target.click();
  };
  await click(page.getByRole('link', { name: 'Trust', exact: true }).first());
  const networks = page.getByRole('table', { name: 'Networks' });
  await networks.getByText('AS24940 Hetzner').waitFor();
  const panel = page.getByRole('region', { name: 'Block impersonators' });
  await click(panel.getByText('nginx', { exact: true }));
  const effect = panel.locator('dl');
  await expect
    .poll(() => effect.locator('dd').allTextContents())
    .toEqual([
      expect.stringMatching(/^3of 3 spoofed visits. It covers GPTBot.$/),
      expect.stringMatching(/^0published/),
      expect.stringMatching(/^0address could/),
    ]);
  await click(panel.getByRole('button', { name: 'Copy the rule: In the http block' }));
  expect(steps).toBe(3);
  await expect.poll(() => clipboard(page)).toMatch(/^geo \$ghostlight_published \{$/m);
  await panel.getByText('robots.txt', { exact: true }).click();
  await panel.getByText('robots.txt can’t block an impersonator:', { exact: false }).waitFor();
  expect(await findFaults(page)).toEqual([]);
  // The visits behind a network.
  await networks.getByRole('link', { name: '3', exact: true }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^3 of [\d,]+ visits/ })
    .waitFor();
  // The address quotes what looks like a number: %22 has digits of its own.
  expect(new URL(page.url()).searchParams.get('asn')).toMatch(/^"?24940"?$/);
  watch.expectClean();
  await close();
});

it('adds an unlisted crawler to the list with one click, and takes it back with another', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${property.id}/trust`);
  await page.getByText('Unlisted crawlers', { exact: true }).click();
  const panel = page.getByRole('region', { name: 'Unlisted crawlers' });
  const row = panel.getByRole('row').filter({ hasText: 'AcmeCrawler' });
  await row.getByText('Likely a crawler · acme.example', { exact: false }).waitFor();
  expect(await row.textContent()).toMatch(/about 300.* from 6 samples/);
  const tokens = async () => {
    const { body } = await service.api('GET', '/api/v1/lists/custom-bots');
    return (body as { items: { token: string }[] }).items.map(({ token }) => token);
  };
  await row.getByRole('button', { name: 'Add to bot list: AcmeCrawler' }).click();
  await row.getByText('✓ In the list').waitFor();
  expect(await tokens()).toEqual(['acmecrawler']);
  // From now on it is a bot.
  await service.hits(property.key, [workerHit({ user_agent: CRAWLER, ...unproven })]);
  await expectConservation(service);
  await page.goto(`/p/${property.id}/bots`);
  await page.getByRole('row', { name: /^AcmeCrawler/ }).waitFor();
  await page.goto(`/p/${property.id}/trust?group=unlisted`);
  await row.getByRole('button', { name: 'Undo: remove AcmeCrawler from the list' }).click();
  await row.getByRole('button', { name: 'Add to bot list: AcmeCrawler' }).waitFor();
  expect(await tokens()).toEqual([]);
  watch.expectClean();
  await close();
});
