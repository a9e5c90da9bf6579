/** Keys, properties, theme and the findings of the setup page, against the real service. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestService, workerHit } from '../harness/service.ts';
import { chooseInRow, launchBrowser, openDashboard } from './browser.ts';

const service = new TestService();
let browser: Browser;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

it('revokes a key only after its name was typed, and then the service answers 401', async () => {
  const { id, key } = await service.property('Revoked');
  expect((await service.hits(key, [workerHit()])).status).toBe(204);
  const { page, watch, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${id}/keys`);
  await chooseInRow(page, 'Revoked', 'Revoke');
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Revoke key' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel(/^Type/).fill('Revoke');
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel(/^Type/).fill('Revoked');
  await confirm.click();
  await page.getByRole('row', { name: /Revoked.*revoked/ }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await expect.poll(async () => (await service.hits(key, [workerHit()])).status).toBe(401);
  watch.expectClean();
  await close();
});

it('gives the focus back to what opened a dialog, however it is closed', async () => {
  const { id } = await service.property('Focus');
  const { page, watch, close } = await openDashboard(browser, service.address);
  const focused = () =>
    page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');
  const dialog = page.getByRole('dialog');
  const leave = {
    escape: () => page.keyboard.press('Escape'),
    cross: () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
    cancel: () => dialog.getByRole('button', { name: 'Cancel' }).click(),
  };
  for (const [path, opener, way] of [
    ['keys', 'New key', 'escape'],
    ['keys', 'Rotate Focus', 'cancel'],
    ['sharing', 'New share link', 'escape'],
    ['settings?view=lists', 'Add a bot', 'cross'],
  ] as const) {
    await page.goto(`/p/${id}/${path}`);
    await page.getByRole('button', { name: opener, exact: true }).first().click();
    await dialog.waitFor();
    await leave[way]();
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(), opener).toBe(opener);
  }
  // The entry of the menu is gone by then: its button has the focus.
  await page.goto(`/p/${id}/keys`);
  await chooseInRow(page, 'Focus', 'Revoke');
  await dialog.waitFor();
  await leave.escape();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('More for Focus');
  watch.expectClean();
  await close();
});

it('sets what the source of a key needs, and rotates the key: both work for a time', async () => {
  const { id } = await service.property('Settings');
  const make = async (name: string, provider: string) =>
    (await service.api('POST', '/api/v1/ingest-keys', { name, provider, attribution_id: id })).body as {
      id: string;
      key: string;
    };
  const fastly = await make('Edge logs', 'fastly');
  const vercel = await make('Drain', 'vercel');
  const settingsOf = async (keyId: string) => {
    const { body } = await service.api('GET', '/api/v1/ingest-keys');
    return (body as { items: { id: string; settings: unknown }[] }).items.find((key) => key.id === keyId)
      ?.settings;
  };
  const { page, watch, close } = await openDashboard(browser, service.address);
  watch.expect(/status of 422/);
  await page.goto(`/p/${id}/keys`);
  await page.getByRole('button', { name: 'More for Settings', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Revoke']);
  await page.keyboard.press('Escape');
  await chooseInRow(page, 'Edge logs', 'Settings');
  const dialog = page.getByRole('dialog');
  const ids = dialog.getByLabel('Service IDs');
  await ids.fill('not an ID');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => ids.getAttribute('aria-invalid')).toBe('true');
  await dialog.getByText('Enter Fastly service IDs: letters and digits.').waitFor();
  await ids.fill('SU1Z0isxPaozGVKXdv0eY\nAnother1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await settingsOf(fastly.id)).toEqual({ service_ids: ['SU1Z0isxPaozGVKXdv0eY', 'Another1'] });

  await chooseInRow(page, 'Drain', 'Settings');
  await dialog.getByLabel('Signature secret of the drain').fill('a secret of Vercel');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await settingsOf(vercel.id)).toEqual({ secret: true });
  await chooseInRow(page, 'Drain', 'Settings');
  expect(await dialog.getByLabel('Signature secret of the drain').inputValue()).toBe('');
  await dialog.getByLabel('Remove it').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await settingsOf(vercel.id)).toEqual({});

  await page.getByRole('button', { name: 'Rotate Edge logs' }).click();
  await dialog.getByLabel('Keep the old key working for').selectOption('One day');
  await dialog.getByRole('button', { name: 'Rotate key' }).click();
  const fresh = await dialog.getByLabel('Ingest key').inputValue();
  await dialog.getByText(/works until/).waitFor();
  await dialog.getByLabel('I have stored it').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText(/Replaced; works until/).waitFor();
  for (const key of [fastly.key, fresh]) expect((await service.hits(key, [workerHit()])).status).toBe(204);
  watch.expectClean();
  await close();
});

it('renames a property everywhere at once, says what is wrong with a domain, and deletes after its domain was typed', async () => {
  const { id } = await service.property('Old name', 'old.example');
  const { page, watch, close } = await openDashboard(browser, service.address);
  watch.expect(/status of 422/);
  await page.goto(`/p/${id}/settings`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('New name');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: /Property: New name/ }).waitFor();

  await page.getByLabel('Domain').fill('not a domain');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.getByLabel('Domain').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Domain').fill('new.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.switcher-domain', { hasText: 'new.example' }).waitFor();

  // Off by default. Setup follows the switch, and Live shows what is stored from then on.
  const crawlers = page.getByRole('switch', { name: 'Store visits of search crawlers' });
  expect(await crawlers.isChecked()).toBe(false);
  await crawlers.click();
  await expect.poll(() => crawlers.isChecked()).toBe(true);
  const stored = async () =>
    ((await service.api('GET', `/api/v1/properties/${id}`)).body as { search_engines: boolean })
      .search_engines;
  await expect.poll(stored).toBe(true);
  await page.getByRole('link', { name: 'Set that up' }).click();
  await page.getByRole('region', { name: 'CDN and edge' }).getByRole('button').first().click();
  await page.getByText('/v1/config/ai-bots?search_engines=1').first().waitFor();
  await page.goto(`/p/${id}/live`);
  await page.getByText('Search crawlers').first().waitFor();
  await page.goto(`/p/${id}/settings`);

  // What the page polls may be on its way while the property goes.
  watch.expect(new RegExp(`status of 404.*/properties/${id}/`));
  await page.getByRole('button', { name: 'Delete this property' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Type/).fill('new.example');
  await dialog.getByRole('button', { name: 'Delete property' }).click();
  await page.waitForURL((url) => !url.pathname.includes(id));
  expect((await service.api('GET', `/api/v1/properties/${id}`)).status).toBe(404);
  await page.goto(`/p/${id}/live`);
  await page.getByText('Page not found').waitFor();
  watch.expectClean();
  await close();
});

it('keeps the theme over a reload, before the first paint', async () => {
  const { id } = await service.property('Theme');
  const { page, watch, close } = await openDashboard(browser, service.address, { theme: 'light' });
  const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  await page.goto(`/p/${id}/settings?view=appearance`);
  const light = await ground();
  await page.getByLabel('Dark').check({ force: true });
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload({ waitUntil: 'commit' });
  await page.locator('#root').waitFor({ state: 'attached' });
  expect(await ground()).toBe(dark);
  await page.getByLabel('System').check({ force: true });
  expect(await ground()).toBe(light);
  watch.expectClean();
  await close();
});

it('shows the lists and the installation from the management API', async () => {
  const { id } = await service.property('Lists');
  const { page, watch, close } = await openDashboard(browser, service.address);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/p/${id}/settings?view=lists`);
  const { version, sources } = (await service.api('GET', '/api/v1/lists')).body as {
    version: number;
    sources: { source: string }[];
  };
  const lists = page.getByRole('region', { name: 'Published lists' });
  await lists.getByText(`AI bot list, version ${version}`).waitFor();
  // A sentence says how many are not current: nothing is read from the vendors here.
  const state = await lists.locator('.lists-state').textContent();
  expect(state).toMatch(
    new RegExp(`\\d+ of ${sources.length} lists aren’t loaded, so visits from their bots`),
  );
  await lists.getByText('Automatic updates are off').waitFor();
  // What has nothing yet is a group of its own, and the first of them stand for all.
  await lists.getByRole('button', { name: /^Show all \d+$/ }).click();
  expect(await lists.getByRole('listitem').count()).toBe(sources.length);
  const unread = lists.getByRole('list', { name: /^Not loaded/ });
  await unread.getByText('Signing keys').first().waitFor();
  expect(await unread.getByRole('listitem').count()).toBe(Number(/^\d+/.exec(state ?? '')?.[0]));
  const ofBots = lists.getByRole('list', { name: /^Addresses of AI bots/ });
  await ofBots.getByText('ClaudeBot, Claude-User, Claude-SearchBot').waitFor();
  await lists
    .getByRole('list', { name: /^Addresses of search crawlers/ })
    .getByText('Bingbot')
    .waitFor();
  let refreshed = 0;
  await page.route('**/api/v1/lists/refresh', async (route) => {
    refreshed += 1;
    await route.fulfill({ json: { version, refreshes: false, sources: [] } });
  });
  await lists.getByRole('button', { name: 'Load lists now' }).click();
  await expect.poll(() => refreshed).toBe(1);
  await page.getByRole('link', { name: 'Installation Health, version, addresses' }).click();
  await page.getByRole('region', { name: 'Details' }).getByText('400 days').waitFor();
  const health = page.getByRole('list', { name: 'Health' }).getByRole('listitem');
  for (const name of ['Receiving', 'Storing and reporting', 'Accounts and settings', 'Disk'])
    await health.filter({ hasText: name }).getByText('Working', { exact: false }).waitFor();
  expect(asked).not.toContain('/v1/config/ai-bots');
  watch.expectClean();
  await close();
});

it('lets the admin token add a bot to the list and remove it after its token was typed', async () => {
  const { id } = await service.property('Own bots');
  const { page, watch, close } = await openDashboard(browser, service.address);
  watch.expect(/status of 422/);
  await page.goto(`/p/${id}/settings?view=lists`);
  const section = page.getByRole('region', { name: 'Custom bots' });
  await section.getByText('No bots yet').waitFor();
  await section.getByRole('button', { name: 'Add a bot' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Add bot' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Name').fill('Intranet Bot');
  await dialog.getByLabel('User agent contains').fill('gptbot');
  await dialog.getByLabel('Vendor').fill('Us & Co');
  await dialog.getByLabel('Intent').selectOption('search');
  await dialog.getByRole('button', { name: 'Add bot' }).click();
  await dialog.getByText('The list already has this token, for GPTBot.').waitFor();
  await dialog.getByLabel('User agent contains').fill('Intranet/Bot');
  await dialog.getByRole('button', { name: 'Add bot' }).click();
  const row = section.getByRole('listitem').filter({ hasText: 'intranet/bot · Us & Co · Search' });
  await row.waitFor();
  const tokens = async () => {
    const { body } = await service.api('GET', '/api/v1/lists/custom-bots');
    return (body as { items: { token: string }[] }).items.map(({ token }) => token);
  };
  expect(await tokens()).toEqual(['intranet/bot']);
  await page.reload();
  await row.waitFor();
  await chooseInRow(page, 'Intranet Bot', 'Remove');
  const remove = dialog.getByRole('button', { name: 'Remove bot' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel(/^Type/).fill('intranet/bot');
  await remove.click();
  await section.getByText('No bots yet').waitFor();
  expect(await tokens()).toEqual([]);
  // The log has its name still, which is nowhere else by now.
  const log = await service.api('GET', '/api/v1/organization/audit?action=custom_bot');
  expect(
    (log.body as { items: { action: string; subject_name: string }[] }).items.map((entry) => [
      entry.action,
      entry.subject_name,
    ]),
  ).toEqual([
    ['custom_bot.removed', 'Intranet Bot'],
    ['custom_bot.added', 'Intranet Bot'],
  ]);
  await page.goto('/organization/audit');
  await page.getByText('removed the custom bot Intranet Bot').waitFor();
  watch.expectClean();
  await close();
});

it('says on the setup page what went wrong with a sender, and what to do', async () => {
  const { id, key } = await service.property('Findings');
  const { page, watch, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${id}/setup`);
  const checker = page.getByRole('complementary', { name: 'Setup checker' });
  await checker.getByText('No request with a valid key has arrived yet.').waitFor();
  const body = JSON.stringify([workerHit()]);
  const post = (path: string, apiKey: string) =>
    service.call('POST', path, { headers: { 'X-API-Key': apiKey }, body });
  expect((await post('/v1/logs/edge_worker', `Bearer ${key}`)).status).toBe(401);
  expect((await post('/v1/logs/edge_worker/', key)).status).toBe(404);
  expect(
    (
      await service.hits(key, [
        workerHit({ user_agent: 'CuriousBot/0.1', verified: null, verified_by: null }),
      ])
    ).status,
  ).toBe(204);
  expect(
    (await service.hits(key, [workerHit({ timestamp: 'yesterday', pathname: '/<b>odd</b>' })])).status,
  ).toBe(422);
  await checker.getByText('The key is sent with “Bearer” in front.').waitFor();
  await checker.getByText(/Remove “Bearer ”/).waitFor();
  await checker.getByText('A sender’s address ends with a trailing slash.').waitFor();
  await checker.getByText(/CuriousBot\/0\.1/).waitFor();
  await checker.getByText(/<b>odd<\/b>/).waitFor();
  expect(await checker.textContent()).not.toContain(key);
  watch.expectClean();
  await close();
});
