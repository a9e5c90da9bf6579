/** Retention, takeout and deletion of a property, as an owner does them, and what an editor sees of them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestService, workerHit } from '../harness/service.ts';
import { findFaults } from './accessibility.ts';
import { launchBrowser, type Opened, openDashboard } from './browser.ts';

const DAY_MS = 86_400_000;
const service = new TestService();
let browser: Browser;
let owner: Opened;
let editor: Opened;
let property: Awaited<ReturnType<TestService['property']>>;

/** A person with a session, by an invitation. */
async function person(name: string, access: object): Promise<Opened> {
  const email = `${name.toLowerCase()}@shop.example`;
  const invited = await service.api('POST', '/api/v1/organization/invitations', { email, ...access });
  const [, token] = /#token=([\w-]+)/.exec((invited.body as { link: string }).link) ?? [];
  const opened = await openDashboard(browser, service.address, { signedIn: false });
  const answer = await opened.context.request.post('/api/v1/invitations/accept', {
    data: { token, name, password: 'correct horse battery' },
    headers: { Origin: service.address },
  });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
  return opened;
}

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  property = await service.property('Shop', 'shop.example');
  const at = (days: number) => Date.now() - days * DAY_MS;
  const hits = [20, 20, 3].map((days, hit) => workerHit({ pathname: `/${hit}`, timestamp: at(days) }));
  expect((await service.hits(property.key, hits)).status).toBe(204);
  owner = await person('Ada', { role: 'owner' });
  editor = await person('Eve', {
    role: 'viewer',
    properties: [{ attribution_id: property.id, role: 'editor' }],
  });
  // The spool and other properties are for those who run the installation.
  editor.watch.expect(/status of 40[34]/);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

/** What every-page.test.ts looks at without content, with it: a whole look in one theme, the colours in the other. */
async function expectAccessible(page: Page): Promise<void> {
  expect(await findFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findFaults(page, 'colours')).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}
const stored = async (path: string) => (await service.api('GET', `/api/v1${path}`)).body;
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

it('says what a shorter retention deletes before it is saved, and deletes nothing without the word', async () => {
  const { page, watch } = owner;
  const path = `/properties/${property.id}/retention`;
  const days = async () =>
    ((await stored(path)) as { items: { class: string; days: number; own: boolean }[] }).items.find(
      (one) => one.class === 'ai_visits',
    );
  await expect
    .poll(async () => JSON.stringify(await stored(`/properties/${property.id}/reports/overview`)), {
      timeout: 60_000,
    })
    .toContain('"ai_bot_hits":3');
  await page.goto(`/p/${property.id}/settings?view=data`);
  const field = section(page, 'Retention').getByLabel(/^Visits of AI bots/);
  await field.fill('7');
  await section(page, 'Retention').getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/2 rows of visits of AI bots/).waitFor();
  await expectAccessible(page);
  expect(await dialog.getByRole('button', { name: 'Save and delete' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await days()).toMatchObject({ own: false });

  await section(page, 'Retention').getByRole('button', { name: 'Save' }).click();
  await dialog.getByLabel(/^Type/).fill('delete');
  await dialog.getByRole('button', { name: 'Save and delete' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await days()).toMatchObject({ own: true, days: 7 });
  await page.reload();
  expect(await field.inputValue()).toBe('7');
  // What lies within the days needs no word.
  await field.fill('');
  await section(page, 'Retention').getByRole('button', { name: 'Save' }).click();
  await expect.poll(days).toMatchObject({ own: false });
  watch.expectClean();
});

it('makes a takeout, which is downloaded as one archive and deleted', async () => {
  const { page, watch } = owner;
  await page.goto('/organization');
  const takeouts = section(page, 'Export');
  await takeouts.getByRole('button', { name: 'Export everything' }).click();
  const download = takeouts.getByRole('button', { name: 'Download' });
  await download.waitFor({ timeout: 120_000 });
  await expectAccessible(page);
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  expect(file.suggestedFilename()).toMatch(/\.tar$/);
  const pieces: Buffer[] = [];
  for await (const piece of await file.createReadStream()) pieces.push(piece as Buffer);
  // The README is the last entry: it counts what the others hold.
  expect(Buffer.concat(pieces).toString('latin1')).toMatch(/hits\/00001\.ndjson\.gz[\s\S]*README\.md/);
  await takeouts.getByRole('button', { name: 'Delete' }).click();
  await download.waitFor({ state: 'detached' });
  expect(await stored('/takeouts')).toEqual({ items: [] });
  watch.expectClean();
});

it('shows an editor the retention, and neither changes, takeouts nor deletions', async () => {
  const { page, watch } = editor;
  await page.goto(`/p/${property.id}/settings`);
  expect(await page.getByRole('button', { name: 'Delete this property' }).isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Data Retention and quota' }).click();
  const field = section(page, 'Retention').getByLabel(/^Visits of AI bots/);
  await field.waitFor();
  expect(await field.isDisabled()).toBe(true);
  expect(await section(page, 'Retention').getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.goto('/organization');
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const name of ['Export everything', 'Delete this organization'])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0);
  const answers = await Promise.all(
    [`/api/v1/takeouts`, `/api/v1/deletions`].map((path) => editor.context.request.get(path)),
  );
  expect(answers.map((answer) => answer.status())).toEqual([403, 403]);
  watch.expectClean();
});

it('deletes a property by its domain, and shows the record of it', async () => {
  const { page, watch } = owner;
  // What the page polls may be on its way while the property goes.
  watch.expect(new RegExp(`status of 404.*/properties/${property.id}/`));
  await page.goto(`/p/${property.id}/settings`);
  await page.getByRole('button', { name: 'Delete this property' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Type/).fill('another.example');
  const confirm = dialog.getByRole('button', { name: 'Delete property' });
  expect(await confirm.isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByLabel(/^Type/).fill('shop.example');
  await confirm.click();
  await page.waitForURL((url) => !url.pathname.includes(property.id));
  // At once, before the job has begun.
  expect((await service.hits(property.key, [workerHit()])).status).toBe(401);

  await page.goto('/organization');
  const record = page.getByRole('list', { name: 'Deletions' }).getByRole('listitem');
  await record.getByText('Shop', { exact: true }).waitFor();
  await record.getByText(/^(begins within a minute|is being deleted|done)$/).waitFor();
  // The first organization runs the installation: its deletion is not offered.
  expect(await section(page, 'Danger zone').count()).toBe(0);
  await expectAccessible(page);
  // The others have lost the page, and not the dashboard.
  await editor.page.goto(`/p/${property.id}/settings`);
  await editor.page.getByRole('heading', { name: /Page not found|No properties/ }).waitFor();
  watch.expectClean();
});
