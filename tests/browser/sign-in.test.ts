/** From nothing to the first visit, as a customer goes: token, property, key, command, lamp. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_TOKEN, TestService, workerHit } from '../harness/service.ts';
import { clipboard, launchBrowser, openDashboard } from './browser.ts';

const run = promisify(execFile);
const service = new TestService();
let browser: Browser;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

it('refuses a wrong token in words, takes the right one, and leads back to the page that was asked for', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address, { signedIn: false });
  watch.expect(/status of 401/);
  await page.goto('/properties/new');
  await page.waitForURL(/\/sign-in\?next=/);
  const token = page.getByLabel('Admin token');
  await expect.poll(() => page.evaluate('document.activeElement.autocomplete')).toBe('current-password');
  await token.fill('not-the-token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong admin token.').waitFor();
  expect(await token.getAttribute('aria-invalid')).toBe('true');
  await token.fill(ADMIN_TOKEN);
  await token.press('Enter');
  await page.waitForURL('**/properties/new');
  expect(await page.evaluate<string>('document.cookie')).toBe('');
  watch.expectClean();
  await close();
});

it('says how long to wait after too many guesses, and does not call the next one wrong', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address, { signedIn: false });
  watch.expect(/status of 4(01|29)/);
  await page.goto('/sign-in');
  const token = page.getByLabel('Admin token');
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  // One address may guess sixty times at once, then once a second: an attacker there keeps guessing.
  let guessing = true;
  const guess = () =>
    service.call('POST', '/api/v1/session', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: 'a guess' }),
    });
  await Promise.all(Array.from({ length: 60 }, guess));
  const guesser = (async () => {
    while (guessing) await guess();
  })();
  await token.fill('not-the-token');
  const told = page
    .getByRole('main')
    .getByText(/^Too many wrong tokens from this address; try again in \d+ s\. .*was not checked\.$/);
  await expect
    .poll(async () => {
      await signIn.click();
      await page
        .getByText(/Wrong admin token|was not checked/)
        .last()
        .waitFor();
      return await told.isVisible();
    })
    .toBe(true);
  expect(await token.getAttribute('aria-invalid')).toBe('false');
  expect(await token.inputValue()).toBe('not-the-token');
  guessing = false;
  await guesser;
  await token.fill(ADMIN_TOKEN);
  await expect
    .poll(async () => {
      if (page.url().includes('/sign-in')) await signIn.click({ timeout: 1_000 }).catch(() => {});
      return page.url();
    })
    .not.toContain('/sign-in');
  watch.expectClean();
  await close();
});

it('blames itself when the service is down, keeps what was typed, and says what to do next', async () => {
  const { page, watch, context, close } = await openDashboard(browser, service.address, { signedIn: false });
  watch.expect(/status of (401|503)|ERR_FAILED/);
  let answer: 'unavailable' | 'unreachable' | 'real' = 'unavailable';
  await context.route('**/api/v1/session', async (route) => {
    if (route.request().method() !== 'POST' || answer === 'real') await route.continue();
    else if (answer === 'unreachable') await route.abort();
    else
      await route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          status: 503,
          title: 'Temporarily unable to accept this',
          detail: 'The database does not answer.',
        }),
      });
  });
  await page.goto('/sign-in');
  // Beside what is said to a screen reader.
  const main = page.getByRole('main');
  const token = page.getByLabel('Admin token');
  await token.fill(ADMIN_TOKEN);
  await token.press('Enter');
  await main.getByText(/^The database does not answer\. Your password was not checked: try again/).waitFor();
  expect(await token.getAttribute('aria-invalid')).toBe('false');
  answer = 'unreachable';
  await token.press('Enter');
  await main.getByText('The service could not be reached. It may be restarting: sign in again').waitFor();
  expect(await token.inputValue()).toBe(ADMIN_TOKEN);
  answer = 'real';
  await token.press('Enter');
  await page.waitForURL('**/properties/new');
  watch.expectClean();
  await close();
});

it('leads an empty installation from its first property to its first hit, with the command shown on the page', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address, { signedIn: false });
  watch.expect(/status of 401/);
  await page.goto('/');
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByRole('heading', { name: 'Create your first property' }).waitFor();
  // From here to the first row in Live: six clicks at most.
  let clicks = 0;
  const click = async (target: ReturnType<typeof page.locator>) => {
    clicks += 1;
    await target.click();
  };
  await page.getByLabel('Name').fill('Lamp shop');
  await page.getByLabel('Domain').fill('https://lamps.example/start?x=1');
  await click(page.getByRole('button', { name: 'Create property' }));
  await page.waitForURL(/\/p\/[0-9a-f-]{36}\/setup$/);
  const propertyId = /\/p\/([0-9a-f-]{36})\//.exec(page.url())?.[1] ?? '';
  const checker = page.getByRole('complementary', { name: 'Setup checker' });
  await checker.getByRole('heading', { name: 'Waiting for the first visit' }).waitFor();
  await checker.getByText('There is no ingest key.').waitFor();

  await click(page.getByText('Send a test visit'));
  await page.waitForURL(/via=curl/);
  const command = page.locator('.code pre');
  expect(await command.textContent()).toContain('<INGEST_KEY>');
  await page.getByText('Only this machine can reach').waitFor();
  await click(page.getByRole('button', { name: 'Create key' }));
  const secret = page.getByRole('textbox', { name: 'Ingest key' });
  await secret.waitFor();
  const key = await secret.inputValue();
  expect(key).toMatch(/^svc_cf_[0-9A-Za-z]+$/);
  await click(page.getByRole('button', { name: 'Copy the curl command' }));
  await expect.poll(() => clipboard(page)).toContain(key);
  const { stdout } = await run('sh', ['-c', await clipboard(page)]);
  expect(stdout).toMatch(/^HTTP\/1\.1 204/);

  // A test is no visit: the page still waits for the first one, and no report counts it.
  await checker.getByText('A test visit has arrived.').waitFor();
  await checker.getByRole('heading', { name: 'Waiting for the first visit' }).waitFor();
  await click(checker.getByRole('link', { name: 'Open Live' }));
  await page.getByRole('row', { name: /Test visit.*GPTBot.*\/hello-ghostlight/ }).waitFor();
  expect(clicks).toBeLessThanOrEqual(6);
  // It is asked for, too, and not only heard of.
  await page.reload();
  await page.getByRole('row', { name: /Test visit.*GPTBot.*\/hello-ghostlight/ }).waitFor();
  const { body: overview } = await service.api('GET', `/api/v1/properties/${propertyId}/reports/overview`);
  expect(overview).toMatchObject({ headline: { ai_bot_hits: 0, spoofed: 0 }, data_since: null });

  await service.hits(key, [workerHit({ host: 'lamps.example' })]);
  await page.getByRole('row', { name: /AI bot.*GPTBot/ }).waitFor();
  await page.goBack();
  await checker.getByRole('heading', { name: 'Receiving data' }).waitFor();

  // A reload forgets the key; nothing in the page or the API gives it back.
  await page.reload();
  await page.getByText('<INGEST_KEY>').first().waitFor();
  expect(await page.content()).not.toContain(key);
  await page.goto(`/p/${propertyId}/keys`);
  await page.getByRole('row', { name: /^Test visit/ }).waitFor();
  expect(await page.content()).not.toContain(key);
  expect(JSON.stringify((await service.api('GET', '/api/v1/ingest-keys')).body)).not.toContain(key);
  watch.expectClean();
  await close();
});

it('signs out permanently', async () => {
  const { page, watch, close } = await openDashboard(browser, service.address);
  watch.expect(/status of 401/);
  await page.goto('/');
  await page.getByRole('button', { name: /^Signed in as Admin token/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  // The form is there without a reload.
  await page.getByLabel('Admin token').waitFor();
  await page.goto('/');
  await page.waitForURL('**/sign-in');
  watch.expectClean();
  await close();
});
