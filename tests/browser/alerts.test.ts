/** The Alerts page against the real service: rules, channels, alerts. */

import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOUR_MS } from '@ghostlight/core/time';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestSmtp, type TestSmtp } from '../../packages/server/src/outbound/testing-smtp.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { EVERY_LOOK, findFaults, findFaultsIn } from './accessibility.ts';
import { chooseInRow, launchBrowser, type Opened, openDashboard } from './browser.ts';

const SHOTS = process.env['SCREENSHOTS'];

let smtp: TestSmtp;
let receiver: Server;
const received: { headers: Record<string, string>; body: string }[] = [];
let answer = 200;
let service: TestService;
let browser: Browser;
const inUse: Opened[] = [];

beforeAll(async () => {
  smtp = await startTestSmtp();
  receiver = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  service = new TestService({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Ghostlight <alerts@ghostlight.example>',
    DESTINATION_HOSTS: JSON.stringify({ 'ops.example': base, 'hooks.slack.com': base }),
  });
  [browser] = await Promise.all([launchBrowser(), service.start()]);
});
afterEach(async () => {
  answer = 200;
  received.length = 0;
  await Promise.all(inUse.splice(0).map((opened) => opened.close()));
});
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
  receiver?.close();
  await smtp?.close();
});

async function dashboard(options: Parameters<typeof openDashboard>[2] = {}): Promise<Opened> {
  const opened = await openDashboard(browser, service.address, options);
  inUse.push(opened);
  return opened;
}
const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 });
/** It does nothing while the service does it by itself, as every five minutes. */
const look = () =>
  eventually(async () => (await service.api('POST', '/api/v1/alerts/look')).body).toEqual({ ran: true });

/** A property with fifteen days behind it, which has been looked at once. */
async function shop(name: string): Promise<{ id: string; key: string }> {
  const made = await service.property(name, 'shop.example');
  const now = Date.now();
  await service.hits(
    made.key,
    Array.from({ length: 16 * 24 }, (_, hour) => workerHit({ timestamp: now - (hour + 1) * HOUR_MS })),
  );
  await stored(made.id, 16 * 24);
  await look();
  return made;
}
async function stored(id: string, hits: number): Promise<void> {
  await eventually(async () => {
    const { status, body } = await service.api('GET', `/api/v1/properties/${id}/reports/bots`);
    // Away or busy for a moment: it is asked again.
    return status === 200 ? (body as { totals: { hits: number } }).totals.hits : 0;
  }).toBeGreaterThanOrEqual(hits);
}
/** A bot that never came, and answers that are errors. */
async function trouble({ id, key }: { id: string; key: string }): Promise<void> {
  await service.hits(key, [
    workerHit({ user_agent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)' }),
    ...Array.from({ length: 60 }, () => workerHit({ status: 503, pathname: '/checkout' })),
  ]);
  await stored(id, 16 * 24 + 61);
  await look();
}
interface ChannelList {
  items: { name: string; enabled: boolean }[];
}
const shot = async (page: Page, name: string) =>
  SHOTS === undefined ? undefined : await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });

it('says before the first alert which rules there are, and that there is no channel', async () => {
  const { id } = await service.property('Fresh', 'fresh.example');
  const { page, watch } = await dashboard();
  await page.goto(`/p/${id}/keys`);
  await page.getByRole('heading', { name: 'Ingest keys' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'No alerts yet' }).waitFor();
  for (const watched of ['New bot', 'Spike', 'No data received', 'Forwarding failures'])
    await page.getByText(watched, { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Add channel' }).click();
  await page.getByRole('dialog', { name: 'Add channel' }).getByLabel('Email address').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'No channels yet' }).waitFor();
  watch.expectClean();
});

it('adds channels, tries them, and tells over them what it finds', async () => {
  const at = await shop('Lamps');
  const { page, watch } = await dashboard();
  watch.expect(/status of 422/);
  await page.goto(`/p/${at.id}/alerts?view=channels`);

  // Mail: refused where it is no address, then taken.
  // The tile of a kind opens the form on it.
  await page.getByRole('button', { name: 'Email' }).click();
  await page.getByLabel('Email address').fill('ops@localhost');
  await page.getByRole('button', { name: 'Add channel' }).click();
  await page.getByText('Must be one email address').waitFor();
  await page.getByLabel('Email address').fill('ops@shop.example');
  await page.getByRole('button', { name: 'Add channel' }).click();
  await page.getByText('No alert sent yet').waitFor();
  await page.getByRole('button', { name: 'Send a test over Email' }).click();
  await page.locator('.channel-result', { hasText: 'The channel accepted the test' }).waitFor();
  expect((await smtp.mail(0)).text).toContain('Test: GPTBot visits far more often than usual');

  // A webhook shows its secret once.
  await page.getByRole('link', { name: 'Add channel' }).click();
  await page.getByText('Webhook', { exact: true }).click();
  await page.getByLabel('URL').fill('https://ops.example/alerts?key=hidden');
  await page.getByLabel('Name').fill('On-call');
  await page.getByRole('button', { name: 'Add channel' }).click();
  const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.locator('body').textContent()).not.toContain('hidden');
  answer = 410;
  await page.getByRole('button', { name: 'Send a test over On-call' }).click();
  await page
    .locator('.channel-result', { hasText: 'It answered 410: the address no longer exists' })
    .waitFor();
  answer = 200;
  await shot(page, 'channels');
  // Turned off and on again by its switch.
  const onCall = page.getByRole('switch', { name: 'On-call' });
  for (const isOn of [false, true]) {
    await onCall.click();
    const channels = async () =>
      ((await service.api('GET', `/api/v1/properties/${at.id}/alerts/channels`)).body as ChannelList).items;
    await eventually(async () => (await channels()).find(({ name }) => name === 'On-call')?.enabled).toBe(
      isOn,
    );
    await eventually(() => onCall.isChecked()).toBe(isOn);
  }
  received.length = 0;

  await trouble(at);
  const [posted] = received.filter(({ body }) => body.includes('new_bot'));
  expect(JSON.parse(posted?.body ?? '')).toMatchObject({
    type: 'alert.opened',
    data: { subject: 'ClaudeBot' },
  });
  const {
    'webhook-id': messageId,
    'webhook-timestamp': signedAt,
    'webhook-signature': signature,
  } = posted?.headers ?? {};
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${messageId}.${signedAt}.${posted?.body}`)
    .digest('base64');
  expect(signature).toBe(`v1,${expected}`);
  await page.getByRole('navigation', { name: 'Alerts' }).getByRole('link', { name: 'Alerts' }).click();
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'New bot: ClaudeBot' }) });
  await card.getByText('On-call').waitFor();
  const errors = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Many errors for AI bots' }) });
  await errors.getByText('Usually 0%').waitFor();
  await shot(page, 'alerts');
  expect(await findFaults(page)).toEqual([]);
  await errors.getByRole('link', { name: /^View failures/ }).click();
  await page.getByRole('heading', { name: 'Failures', level: 1 }).waitFor();
  await page.goBack();
  await card.getByRole('link', { name: /^View ClaudeBot/ }).click();
  // At the days that it is about, not at those that happen to be chosen.
  await page.waitForURL(/\/bots\?(?=.*bot=ClaudeBot)(?=.*from=[\d-]+)(?=.*to=[\d-]+)/);

  // Each channel says what became of its last alert.
  await page.goto(`/p/${at.id}/alerts?view=channels`);
  await eventually(() => page.getByText('Last alert sent').count()).toBe(2);
  // Removed by its name; its messages stay.
  await chooseInRow(page, 'On-call', 'Remove');
  await page.getByLabel('Type On-call to confirm').fill('On-call');
  await page.getByRole('button', { name: 'Remove channel' }).click();
  await eventually(() => page.getByRole('switch', { name: 'On-call' }).count()).toBe(0);
  await page.goto(`/p/${at.id}/alerts`);
  await card.getByText('On-call').waitFor();
  watch.expectClean();
});

it('turns rules off and moves their thresholds, in words', async () => {
  const { id } = await service.property('Rules', 'rules.example');
  const { page, watch } = await dashboard();
  await page.goto(`/p/${id}/alerts?view=rules`);
  // The switch shows what the service says, which takes its moment.
  await page.getByRole('switch', { name: 'New bot' }).click();
  // The last 30 days are drawn, said in a sentence, and listed.
  await page.getByRole('button', { name: 'Edit the threshold of New bot' }).click();
  // Without a visit nothing is known of any day.
  await page.getByText('too little data to choose a threshold').waitFor();
  await page.getByText('Show data').click();
  const figures = page.getByRole('table', { name: 'New bot, by day' });
  await figures.waitFor();
  expect(await figures.getByRole('row').count()).toBe(31);
  await page.getByRole('button', { name: 'Download New bot, last 30 days' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(lines[0]).toBe('Day,visits,Threshold reached,Counts,Time zone');
  expect(lines).toHaveLength(32);
  expect(await findFaults(page)).toEqual([]);
  await shot(page, 'threshold');
  // There is nothing to save until it is another number.
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit the threshold of Spike' }).click();
  const field = page.getByLabel('Alert at', { exact: true });
  await field.fill('1');
  await page.getByText('Between 1.5 and 100.', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await page.getByText('too little data to choose a threshold').waitFor();
  await field.fill('4');
  await field.press('Enter');
  await page.getByText('A bot visits 4 times').waitFor();
  await chooseInRow(page, 'Spike', 'Mute for a day');
  await page.getByText('Muted until').waitFor();
  await chooseInRow(page, 'Spike', 'Unmute');
  await page.getByText('Muted until').waitFor({ state: 'detached' });
  await page.getByLabel('Don’t repeat within').selectOption({ label: '3 days' });
  const rules = async () =>
    (await service.api('GET', `/api/v1/properties/${id}/alerts/rules`)).body as {
      repeat_hours: number;
      rules: { kind: string; enabled: boolean; threshold: number }[];
    };
  await eventually(async () => (await rules()).repeat_hours).toBe(72);
  expect((await rules()).rules.slice(0, 2)).toMatchObject([
    { kind: 'new_bot', enabled: false },
    { kind: 'spike', threshold: 4 },
  ]);
  await page.reload();
  await page.getByText('A bot visits 4 times').waitFor();
  expect(await page.getByRole('switch', { name: 'New bot' }).isChecked()).toBe(false);
  await shot(page, 'rules');
  watch.expectClean();
});

it('is accessible on a phone and a desk, light and dark', async () => {
  const at = await shop('Readable');
  await service.api('POST', `/api/v1/properties/${at.id}/alerts/channels`, {
    ...{ type: 'slack', name: 'Shop channel', target: 'https://hooks.slack.com/services/T0/B0/x' },
  });
  answer = 503;
  await trouble(at);
  const { id: empty } = await service.property('Empty', 'empty.example');
  const { page, watch } = await dashboard();
  const found: unknown[] = [];
  for (const [name, path, ready] of [
    ['list', `/p/${at.id}/alerts`, 'Many errors for AI bots'],
    ['rules', `/p/${at.id}/alerts?view=rules`, 'Don’t repeat within'],
    ['channels', `/p/${at.id}/alerts?view=channels`, 'Shop channel'],
    ['empty', `/p/${empty}/alerts`, 'Watched for'],
  ] as const) {
    await page.goto(path);
    await page.getByText(ready).first().waitFor();
    await shot(page, name);
    found.push(...(await findFaultsIn(page, name, EVERY_LOOK)));
    if (name === 'channels') {
      await page.getByRole('link', { name: 'Add channel' }).click();
      await page.getByText('Webhook', { exact: true }).click();
      await shot(page, 'add');
      found.push(...(await findFaultsIn(page, 'add', EVERY_LOOK)));
    }
  }
  expect(found).toEqual([]);
  watch.expectClean();
});
