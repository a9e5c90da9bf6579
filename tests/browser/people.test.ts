/** People of an organization, from the link of the first start to the audit log, in a real browser against the real service. */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestService } from '../harness/service.ts';
import { DESK_AND_PHONE, findFaultsIn } from './accessibility.ts';
import {
  chooseInRow,
  clipboard,
  follow,
  launchBrowser,
  type Opened,
  openDashboard,
  pagesOf,
} from './browser.ts';

/** No token is set, so that the start prints the link of the first account. */
const service = new TestService({ ADMIN_TOKEN: '' });
let browser: Browser;
let owner: Opened;
let viewer: Opened;
let propertyId = '';

const ADA = { name: 'Ada Lovelace', email: 'ada@shop.example', password: 'correct horse battery' };
const VIC = { name: 'Vic Viewer', email: 'vic@shop.example', password: 'looking at everything' };
let recoveryCodes: string[] = [];
let lastStep = 0;
let secret = '';

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
  owner = await stranger();
  viewer = await stranger();
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

const stranger = () => openDashboard(browser, service.address, { signedIn: false });

/** The code of a time step that was not used yet (RFC 6238, SHA-1, 30 s, 6 digits). The service takes the next one, too. */
function nextCode(): string {
  const now = Math.floor(Date.now() / 30_000);
  lastStep = Math.max(now, lastStep + 1);
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(lastStep));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

async function signInByPassword(page: Page, { email, password }: typeof ADA): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What the owner does besides, without a page. */
async function asOwner(method: string, path: string, data: unknown): Promise<void> {
  const answer = await owner.context.request.fetch(`/api/v1${path}`, {
    method,
    data,
    headers: { Origin: service.address },
  });
  expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true);
}

it('makes the owner by the link of the first start, whose secret leaves the address at once', async () => {
  const { page, watch } = owner;
  watch.expect(/status of (404|422)/);
  const [, address, token] = /First account +(\S+)\/welcome#token=([\w-]{43})$/m.exec(service.log) ?? [];
  const link = `${address}/welcome#token=${token}`;
  await page.goto(link);
  await page.getByLabel('Your name').fill(ADA.name);
  expect(page.url()).toBe(`${address}/welcome`);
  expect(await page.content()).not.toContain(token);
  await page.getByLabel('Email').fill(ADA.email);
  const create = page.getByRole('button', { name: 'Create my account' });
  await page.getByLabel('Password', { exact: true }).fill('too short');
  await page.getByText('3 more characters.').waitFor();
  expect(await create.isDisabled()).toBe(true);
  await page.getByLabel('Password', { exact: true }).fill(ADA.password);
  await create.click();

  await page.getByRole('heading', { name: 'Create your first property' }).waitFor();
  await page.getByLabel('Name').fill('Lamp shop');
  await page.getByLabel('Domain').fill('lamps.example');
  const sitemap = page.getByLabel('Sitemap');
  await sitemap.fill('https://elsewhere.example/map.xml');
  await page.getByRole('button', { name: 'Create property' }).click();
  await page.getByText('Enter an https URL at or below lamps.example.').waitFor();
  // The property is there by now, and the second try makes no other one.
  await sitemap.fill('https://lamps.example/map.xml');
  await page.getByRole('button', { name: 'Create property' }).click();
  await page.waitForURL(/\/p\/[0-9a-f-]{36}\/setup$/);
  propertyId = /\/p\/([0-9a-f-]{36})\//.exec(page.url())?.[1] ?? '';
  const read = async (path: string) => await (await owner.context.request.get(`/api/v1/${path}`)).json();
  expect((await read('properties')).items).toMatchObject([{ id: propertyId, domain: 'lamps.example' }]);
  expect(await read(`properties/${propertyId}/reports/sitemap`)).toMatchObject({
    configured_url: 'https://lamps.example/map.xml',
  });
  await page.getByRole('button', { name: /^Signed in as Ada Lovelace, Default/ }).waitFor();

  const { page: late, close } = await stranger();
  await late.goto(link);
  await late.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  await late.reload();
  await late.getByRole('heading', { name: 'Open the link again' }).waitFor();
  await close();
  watch.expectClean();
});

it('lets the owner invite by a link, with which a new person joins', async () => {
  const { page } = owner;
  await page.goto('/organization/members');
  await page.getByText('The only owner can’t leave: make another member an owner first.').waitFor();
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('email');
  await dialog.getByLabel('Email').fill(VIC.email);
  await dialog.getByLabel(/^Viewer/).check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = await dialog.getByLabel('Invitation link').inputValue();
  await dialog.getByRole('button', { name: 'Copy the link' }).click();
  await expect.poll(() => clipboard(page)).toBe(link);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('table', { name: 'Pending invitations' }).getByText(VIC.email).waitFor();
  await chooseInRow(page, VIC.email, 'Replace link');
  expect(await dialog.getByLabel(/^Viewer/).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const next = await dialog.getByLabel('Invitation link').inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();

  viewer.watch.expect(/status of 404/);
  await viewer.page.goto(link);
  await viewer.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  await viewer.page.goto(next);
  await viewer.page.getByText('You are invited as a viewer').waitFor();
  expect(await viewer.page.getByLabel('Email').inputValue()).toBe(VIC.email);
  await viewer.page.getByLabel('Your name').fill(VIC.name);
  await viewer.page.getByLabel('Password', { exact: true }).fill(VIC.password);
  await viewer.page.getByRole('button', { name: 'Create my account and join' }).click();
  await viewer.page.getByRole('button', { name: /^Signed in as Vic Viewer/ }).waitFor();

  await page.reload();
  await page.getByRole('row', { name: /Vic Viewer.*vic@shop\.example.*Viewer.*Off/ }).waitFor();
  expect(await page.getByRole('table', { name: 'Pending invitations' }).count()).toBe(0);
  owner.watch.expectClean();
  viewer.watch.expectClean();
});

it('tells a viewer what they may, offers nothing that would be refused, and asks for nothing that is', async () => {
  await asOwner('POST', '/ingest-keys', { name: 'Collector', provider: 'edge_worker' });
  const { page, watch } = viewer;
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  const places: readonly (readonly [path: string, role: 'button' | 'textbox', name: string | RegExp])[] = [
    ['keys', 'button', 'New key'],
    ['keys', 'button', 'Rotate Collector'],
    ['keys', 'button', 'More for Collector'],
    ['settings', 'textbox', 'Name'],
    ['settings', 'button', 'Delete this property'],
    ['setup', 'button', 'Create key'],
    ['webhooks', 'button', 'Enable receiving'],
    ['webhooks?view=settings', 'textbox', 'Days after the click'],
    ['webhooks?view=settings', 'button', 'Add domain'],
    ['sdk', 'textbox', 'Also allow'],
    ['webmcp', 'button', 'Start with an empty tool'],
    ['destinations/new/meta', 'textbox', 'Name'],
  ];
  let at = '';
  for (const [path, role, name] of places) {
    if (path !== at) await follow(page, `/p/${propertyId}/${path}`);
    at = path;
    const control = page.getByRole(role, { name, exact: typeof name === 'string' });
    await control.waitFor();
    expect(await control.isDisabled(), `${path}: ${name}`).toBe(true);
    await page.getByText('Read-only. To make changes, ask an owner for the admin role.').first().waitFor();
  }
  await page.getByRole('button', { name: /^Property: / }).click();
  await page.getByRole('menuitem', { name: 'Lamp shop' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'New property' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.goto('/properties/new');
  await page.getByText('owners give access to them').waitFor();
  await page.goto('/organization/members');
  await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor();
  expect(await page.getByRole('button', { name: /Invite|More for/ }).count()).toBe(0);
  const rail = page.getByRole('navigation', { name: 'Account and organization', exact: true });
  expect(await rail.getByRole('link').allTextContents()).toEqual(['Organization', 'Members', 'Your account']);
  for (const path of ['/organization/tokens', '/organization/audit']) {
    await follow(page, path);
    await page.getByText(/for admins and owners\.$/).waitFor();
  }
  expect(refused).toEqual([]);
  watch.expectClean();
});

it('leaves nothing that changes something in a viewer’s reach on any page, with everything set up', async () => {
  const at = `/properties/${propertyId}`;
  await asOwner('PUT', `${at}/webhooks`, { enabled: true });
  await asOwner('POST', `${at}/webhook-keys`, { name: 'Shop' });
  await asOwner('POST', `${at}/domains`, { domain: 'track.lamps.example' });
  await asOwner('PUT', `${at}/webmcp`, {
    version: 0,
    hosts: ['lamps.example'],
    tools: [
      {
        name: 'search_products',
        description: 'Find lamps by words.',
        inputSchema: { type: 'object', properties: {} },
        page: 'https://lamps.example/search',
      },
    ],
  });
  const { page, watch } = viewer;
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`/p/${propertyId}/settings`);
  const pages = await pagesOf(page);
  expect(pages.length).toBeGreaterThan(15);
  const views = [
    'webhooks?view=settings',
    'webmcp?view=serving',
    'webmcp?view=activity',
    'pages?view=unread',
  ];
  for (const path of [...pages, ...views.map((view) => `/p/${propertyId}/${view}`)]) {
    await follow(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    const within = await page
      .locator('main :is(button, input, select, textarea):enabled')
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent ?? ''));
    expect(
      within.filter((name) =>
        /^(Save|Issue|New|Create|Revoke|Delete|Add|Remove|Enable|Disable|Publish|Unpublish|Rotate|Restore|Replay|Send(?! a test visit)|Verify|Allow|Try|Move|More for|Check|Rate limit|Read it)/.test(
          name,
        ),
      ),
      path,
    ).toEqual([]);
  }
  expect(refused).toEqual([]);
  watch.expectClean();
});

it('sets up a second factor: a code to scan or type, the first one wrong, then recovery codes to keep', async () => {
  const { page, watch } = owner;
  watch.expect(/status of 422/);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill('not my password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Wrong password.').waitFor();
  await dialog.getByLabel('Your password').fill(ADA.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const qr = dialog.getByRole('img', { name: /QR code/ });
  await qr.waitFor();
  expect(await qr.locator('path').getAttribute('d')).toMatch(/^M4 4h7v1h-7z/);
  secret = ((await dialog.locator('.factor-secret code').textContent()) ?? '').replaceAll(' ', '');
  await dialog.getByLabel('Current code').fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('Wrong code.').waitFor();
  await dialog.getByLabel('Current code').fill(nextCode());
  await dialog.getByRole('button', { name: 'Turn on' }).click();

  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  recoveryCodes = await codes.allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  await page.keyboard.press('Escape');
  expect(await codes.count()).toBe(10);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect((await readFile(await file.path(), 'utf8')).trim().split('\n')).toEqual(recoveryCodes);
  await dialog.getByLabel('I have stored them').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('10 recovery codes left').waitFor();
  watch.expectClean();
});

it('asks for the second factor after the password, and takes a code or a recovery code, each once', async () => {
  const { page, watch, close } = await stranger();
  watch.expect(/status of 401/);
  await page.goto(`/p/${propertyId}/keys`);
  await page.waitForURL(/\/sign-in\?next=/);
  await page.getByLabel('Email').fill(ADA.email);
  await page.getByLabel('Password').fill('not my password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The email address or the password is wrong.').first().waitFor();
  await page.getByLabel('Password').fill(ADA.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const code = page.getByLabel('Authenticator code');
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The code is wrong or has already been used; enter the next one.').first().waitFor();
  const good = nextCode();
  await code.fill(`${good.slice(0, 3)} ${good.slice(3)}`);
  await code.press('Enter');
  await page.waitForURL(`**/p/${propertyId}/keys`);
  watch.expectClean();
  await close();

  const [used = ''] = recoveryCodes;
  for (const attempt of ['first', 'second'] as const) {
    const lost = await stranger();
    lost.watch.expect(/status of 401/);
    await signInByPassword(lost.page, ADA);
    await lost.page.getByRole('button', { name: 'Use a recovery code' }).click();
    await lost.page.getByLabel('Recovery code', { exact: true }).fill(used);
    await lost.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    if (attempt === 'first') await lost.page.getByRole('button', { name: /^Signed in as Ada/ }).waitFor();
    else
      await lost.page
        .getByText('The code is wrong or has already been used; enter the next one.')
        .first()
        .waitFor();
    lost.watch.expectClean();
    await lost.close();
  }
  await owner.page.goto('/account');
  await owner.page.getByText('9 recovery codes left').waitFor();
});

it('lists where one is signed in, and ends all others at once', async () => {
  const { page, watch } = owner;
  const elsewhere = await stranger();
  elsewhere.watch.expect(/status of 401/);
  await signInByPassword(elsewhere.page, ADA);
  await elsewhere.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await elsewhere.page.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[1] ?? '');
  await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await elsewhere.page.getByRole('button', { name: /^Signed in as Ada/ }).waitFor();

  await page.goto('/account');
  // The only owner can't leave: it is said, and not offered.
  await page.getByText('To leave, make another member an owner first.').waitFor();
  expect(await page.getByRole('region', { name: 'Danger zone' }).count()).toBe(0);
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect.poll(() => sessions.count()).toBeGreaterThan(2);
  expect(await sessions.first().textContent()).toMatch(/^Chrome on Linux.*this session/);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect.poll(() => sessions.count()).toBe(1);
  await elsewhere.page.reload();
  await elsewhere.page.waitForURL(/\/sign-in/);
  await elsewhere.close();
  watch.expectClean();
});

it('issues an API token that can do what its role and property allow, until it is revoked', async () => {
  const { page, watch } = owner;
  await page.goto('/organization/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Weekly report');
  await dialog.getByLabel('One property').check();
  await dialog
    .getByRole('combobox', { name: 'Property' })
    .selectOption({ label: 'Lamp shop (lamps.example)' });
  await dialog.getByLabel('Expires').selectOption('On a date…');
  expect(await dialog.getByRole('button', { name: 'Create token' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Last day').fill('2099-12-31');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = await dialog.getByLabel('API token').inputValue();
  expect(token).toMatch(/^ght_[0-9A-Za-z]+$/);
  await dialog.getByLabel('I have stored it').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /Weekly report.*Viewer.*lamps\.example.*31 Dec 2099/ }).waitFor();

  const ask = (method: string) =>
    service.call(method, `/api/v1/properties/${propertyId}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  expect((await ask('GET')).status).toBe(200);
  expect((await ask('DELETE')).status).toBe(403);
  await page.reload();
  await page.getByRole('row', { name: /Weekly report/ }).waitFor();
  expect(await page.content()).not.toContain(token);
  await chooseInRow(page, 'Weekly report', 'Revoke');
  await dialog.getByLabel(/^Type/).fill('Weekly report');
  await dialog.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByRole('row', { name: /Weekly report.*revoked/ }).waitFor();
  expect((await ask('GET')).status).toBe(401);
  watch.expectClean();
});

it('shows all of it in the audit log, in sentences, filtered by the address', async () => {
  const { page, watch } = owner;
  await page.goto('/organization/audit');
  for (const sentence of [
    /Ada Lovelace revoked the API token Weekly report/,
    /Ada Lovelace issued the API token Weekly report/,
    /Ada Lovelace used a recovery code/,
    /Ada Lovelace turned on two-factor authentication/,
    /Vic Viewer joined/,
    /Ada Lovelace invited/,
    /Ada Lovelace created the property Lamp shop/,
    /Ada Lovelace joined/,
  ]) {
    await page.getByRole('row', { name: sentence }).first().waitFor();
  }
  await page.getByLabel('What').selectOption('Members');
  await page.waitForURL(/action=member\./);
  const rows = page.getByRole('table').getByRole('row');
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole('button', { name: 'Vic Viewer' }).click();
  await page.waitForURL(/actor=person/);
  await expect.poll(() => rows.count()).toBe(2);
  await page.reload();
  await page.getByRole('row', { name: /Vic Viewer joined/ }).waitFor();
  expect(await rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Any time' }).click();
  const days = page.getByRole('dialog', { name: 'Custom range' });
  await days.getByLabel('First day').fill('2020-01-01');
  await days.getByLabel('Last day').fill('2020-01-02');
  await days.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/from=2020-01-01&to=2020-01-02/);
  await page.getByText('No entries match these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(8);
  // The days of an address, of which it may have one alone, go without the other filters.
  await page.goto('/organization/audit?action=member.&from=2020-01-01');
  await page.getByRole('button', { name: 'From 1 Jan 2020' }).click();
  expect(await days.getByRole('button', { name: 'Apply' }).isEnabled()).toBe(true);
  await days.getByRole('button', { name: 'All days' }).click();
  await page.getByRole('button', { name: 'Any time' }).waitFor();
  await expect.poll(() => rows.count()).toBe(3);
  expect(page.url()).toContain('action=member.');
  watch.expectClean();
});

it('changes a role at once, and who is removed sees nothing any more', async () => {
  const { page, watch } = owner;
  await page.goto('/organization/members');
  await chooseInRow(page, 'Vic Viewer', 'Change access');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Admin/).check();
  await dialog.getByRole('button', { name: 'Change access' }).click();
  await page.getByRole('row', { name: /Vic Viewer.*Admin/ }).waitFor();
  await viewer.page.goto(`/p/${propertyId}/keys`);
  await viewer.page.getByRole('button', { name: 'New key' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: 'New key' }).isEnabled()).toBe(true);
  viewer.watch.expect(/status of 401/);
  await viewer.page.goto(`/p/${propertyId}/setup`);
  await viewer.page.getByRole('button', { name: 'Create key' }).waitFor();

  await chooseInRow(page, 'Vic Viewer', 'Remove');
  await dialog.getByLabel(/^Type/).fill(VIC.email);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => page.getByRole('row', { name: /Vic Viewer/ }).count()).toBe(0);
  // The page that they have open asks every few seconds, and is answered 401.
  await viewer.page.waitForURL(/\/sign-in\?next=/);
  watch.expectClean();
  viewer.watch.expectClean();
});

it('invites a viewer to one property in six steps, who sees nothing of another', async () => {
  await asOwner('POST', '/properties', { name: 'Hidden shop', domain: 'hidden.example' });
  const { page, watch } = owner;
  const listed = await owner.context.request.get(`${service.address}/api/v1/properties`);
  const { items } = (await listed.json()) as { items: { id: string; name: string }[] };
  const hidden = items.find(({ name }) => name === 'Hidden shop')?.id;
  await page.goto('/organization/members');
  const dialog = page.getByRole('dialog');
  for (const step of [
    () => page.getByRole('button', { name: 'Invite' }).click(),
    () => dialog.getByLabel('Email').fill('gus@client.example'),
    () => dialog.getByLabel(/^Selected properties/).check(),
    () => dialog.getByLabel(/^Lamp shop/).check(),
    () => dialog.getByRole('button', { name: 'Invite' }).click(),
    () => dialog.getByRole('button', { name: 'Copy the link' }).click(),
  ])
    await step();
  const guest = await stranger();
  // The spool is for those who run the installation, whose organization this is.
  guest.watch.expect(/status of 40[34]/);
  const link = await dialog.getByLabel('Invitation link').inputValue();
  await expect.poll(() => clipboard(page)).toBe(link);
  await guest.page.goto(link);
  await guest.page.getByLabel('Your name').fill('Gus Guest');
  await guest.page.getByLabel('Password', { exact: true }).fill('looking at one thing');
  await guest.page.getByRole('button', { name: 'Create my account and join' }).click();
  await guest.page.getByRole('button', { name: /^Signed in as Gus Guest/ }).waitFor();
  await guest.page.getByRole('button', { name: /^Property: Lamp shop/ }).click();
  await guest.page.getByRole('menuitem', { name: 'Lamp shop' }).waitFor();
  expect(await guest.page.getByRole('menuitem', { name: 'Hidden shop' }).count()).toBe(0);
  await guest.page.keyboard.press('Escape');
  await guest.page.goto(`/p/${hidden}/settings`);
  await guest.page.getByRole('heading', { name: 'Page not found' }).waitFor();

  await page.reload();
  await page.getByRole('row', { name: /Gus Guest.*Viewer.*Lamp shop can view/ }).waitFor();
  await chooseInRow(page, 'Gus Guest', 'Change access');
  await dialog.getByLabel('Access to Lamp shop').selectOption('editor');
  await dialog.getByRole('button', { name: 'Change access' }).click();
  await page.getByRole('row', { name: /Gus Guest.*Lamp shop can view and change/ }).waitFor();
  await guest.page.goto(`/p/${propertyId}/settings`);
  await expect.poll(() => guest.page.getByLabel('Name').first().isEnabled()).toBe(true);
  expect(await guest.page.getByRole('button', { name: 'Delete this property' }).isDisabled()).toBe(true);
  watch.expectClean();
  guest.watch.expectClean();
  await guest.close();
});

it('lets the admin token make another organization, which a person joins with an existing account', async () => {
  const root = await stranger();
  root.watch.expect(/status of 401/);
  await root.page.goto('/organization');
  await root.page.getByRole('button', { name: 'Use the admin token' }).click();
  const token = await readFile(join(service.dataDir, 'admin-token'), 'utf8');
  await root.page.getByLabel('Admin token').fill(token.trim());
  await root.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await root.page.getByRole('button', { name: /^Signed in as Admin token, all organizations/ }).waitFor();
  await root.page.getByRole('button', { name: 'New organization' }).click();
  await root.page.getByLabel('Name of the new organization').fill('Second shop');
  await root.page.getByRole('button', { name: 'Create organization' }).click();
  await root.page.getByText('No members yet').waitFor();
  await root.page.getByRole('button', { name: 'Invite' }).click();
  const dialog = root.page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(ADA.email);
  await dialog.getByLabel(/^Owner/).check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = await dialog.getByLabel('Invitation link').inputValue();
  root.watch.expectClean();
  await root.close();

  const { page, watch } = owner;
  watch.expect(/status of (401|409)/);
  await page.goto(link);
  await page.getByText('You already have an account here').waitFor();
  await page.getByLabel('Password').fill('not my password');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('Wrong password.').waitFor();
  await page.getByLabel('Password').fill(ADA.password);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[3] ?? '');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'Create your first property' }).waitFor();
  await page.goto('/account');
  await page.getByRole('button', { name: /^Signed in as Ada Lovelace, Second shop/ }).click();
  await page.getByRole('menuitem', { name: 'Default' }).click();
  await page.getByRole('button', { name: /^Property: Lamp shop/ }).waitFor();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Leave Second shop' }).click();
  await page.getByRole('dialog').getByLabel(/^Type/).fill('Second shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByText('This is the last owner; make another member an owner first.').waitFor();
  watch.expectClean();
});

it('is accessible: names, roles, contrast, width (light on a desk, dark on a phone)', async () => {
  const { page, context, close } = await stranger();
  const places: readonly (readonly [path: string, ready: string, press?: string])[] = [
    ['/sign-in', 'Forgot your password?'],
    ['/forgot-password', 'Email is not configured'],
    ['/welcome', 'Open the link again'],
    ['/account', 'recovery codes left'],
    ['/account', 'Turn off two-factor authentication?', 'Turn off'],
    ['/organization', 'Shown to members and in invitations.'],
    ['/organization/members', ADA.email],
    ['/organization/members', 'Invite a member', 'Invite'],
    ['/organization/tokens', 'Weekly report'],
    ['/organization/tokens', 'New API token', 'New token'],
    ['/organization/audit', 'created the property'],
  ];
  await context.addCookies(await owner.context.cookies());
  const found: unknown[] = [];
  for (const [path, ready, press] of places) {
    await follow(page, path);
    if (press !== undefined) await page.getByRole('button', { name: press, exact: true }).click();
    await page.getByText(ready).first().waitFor();
    found.push(...(await findFaultsIn(page, `${path} ${press ?? ''}`, DESK_AND_PHONE)));
  }
  expect(found).toEqual([]);
  await close();
});

it('says how a forgotten password is replaced where no mail is set up, and the link of that command does it', async () => {
  const { page, watch, close } = await stranger();
  watch.expect(/status of 401/);
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByText('npx ghostlight people reset YOUR-EMAIL').waitFor();

  const { stdout } = await service.run(['people', 'reset', ADA.email]);
  const link = /^http\S+\/reset-password#token=\S+$/m.exec(stdout)?.[0] ?? '';
  await page.goto(link);
  await page.getByLabel('New password').fill('a wholly new password');
  expect(page.url()).toBe(`${service.address}/reset-password`);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('heading', { name: 'Password changed' }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(ADA.email);
  await page.getByLabel('Password').fill('a wholly new password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  // The link opens no second factor.
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[2] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /^Signed in as Ada/ }).waitFor();
  watch.expectClean();
  await close();
});

it('mails a link where mail is set up, and says the same of every address', async () => {
  // No server listens there: whether a mail leaves is the service's to test.
  const mailing = new TestService({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'ghostlight@shop.example' });
  try {
    await mailing.start();
    const { page, watch, close } = await openDashboard(browser, mailing.address, { signedIn: false });
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill('nobody@shop.example');
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.getByText('If nobody@shop.example has an account here, we have sent a link.').waitFor();
    watch.expectClean();
    await close();
  } finally {
    await mailing.dispose();
  }
});
