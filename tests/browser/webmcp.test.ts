/** The WebMCP page against the real service: from the empty state to a published document, and back. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_TOKEN, TestService, workerHit } from '../harness/service.ts';
import { findFaults } from './accessibility.ts';
import { clipboard, launchBrowser, openDashboard } from './browser.ts';

const service = new TestService();
let browser: Browser;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), service.start()]);
});
afterAll(async () => {
  await browser?.close();
  await service.dispose();
});

interface Manifest {
  state: string;
  hosts: string[];
  tools: { name: string; description: string; inputSchema: { properties: Record<string, unknown> } }[];
  draft: { tools: { name: string; inputSchema: unknown }[] } | null;
  published: { version: number; kid: string } | null;
}

const manifestOf = async (id: string) =>
  (await service.api('GET', `/api/v1/properties/${id}/webmcp`)).body as Manifest;
const publish = (id: string, tools: unknown[], version?: number) =>
  service.api('PUT', `/api/v1/properties/${id}/webmcp`, { hosts: ['shop.example'], tools, version });
const tool = (name: string) => ({
  name,
  description: 'Does it.',
  page: 'https://shop.example/',
  inputSchema: { sku: 'string' },
});
const bar = (page: Page) => page.getByRole('region', { name: 'Publish' });
const saved = (page: Page) => bar(page).getByText('Draft saved').waitFor();
const input = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
/** As long as any other action may take: checks and saves wait for a pause in typing, on a machine that may be busy. */
const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read);
const toolNames = (page: Page) => page.locator('.tool-open-name').allTextContents();

it('leads from a template to a signed document: problems at their place, a try-out, a preview', async () => {
  const { id } = await service.property('Templates', 'shop.example');
  const { page, watch, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${id}/webmcp`);
  await page.getByText('Declare tools for AI agents').waitFor();
  await page.getByRole('button', { name: /^Search Find/ }).click();
  await eventually(() => page.evaluate('document.activeElement.value')).toBe('search_products');
  await page.getByLabel('Description', { exact: true }).fill('Finds lamps by words and returns up to 20.');
  await saved(page);

  const query = input(page, 'query');
  await query.getByText('Limits').click();
  await query.getByLabel('Pattern').fill('([a-z]+)+$');
  await eventually(() => query.getByLabel('Pattern').getAttribute('aria-invalid')).toBe('true');
  await query.locator('.problem', { hasText: /backtrack/ }).waitFor();
  await bar(page)
    .getByRole('button', { name: /1 problem/ })
    .waitFor();
  expect(await bar(page).getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);

  await page.getByText('JSON Schema', { exact: true }).click();
  const schema = page.getByLabel('Input, JSON Schema');
  const text = await schema.inputValue();
  const line = text.split('\n').findIndex((one) => one.includes('"pattern"')) + 1;
  await page.getByText(new RegExp(`Line ${line}: .*backtrack`)).waitFor();
  await schema.fill(text.replace(/,\n\s*"pattern": ".*"/, ''));
  await eventually(() => schema.getAttribute('aria-invalid')).toBe('false');
  await page.getByText('Fields', { exact: true }).click();
  expect(await query.getByLabel('Description of query').inputValue()).toContain('What to look for');

  await page.getByRole('button', { name: 'Try it' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Validate' }).click();
  await dialog.getByText('The schema rejects these arguments').waitFor();
  expect(await dialog.getByLabel('query').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('query').fill('desk lamp');
  await dialog.getByLabel('max_price').fill('40');
  await dialog.getByRole('button', { name: 'Validate' }).click();
  await dialog.getByText('The schema accepts these arguments.').waitFor();
  expect(JSON.parse((await dialog.locator('pre').textContent()) ?? '')).toEqual({
    name: 'search_products',
    arguments: { query: 'desk lamp', max_price: 40 },
  });
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  await bar(page).getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('Exact', { exact: true }).click();
  const document = (await dialog.locator('pre').textContent()) ?? '';
  expect(document).toMatch(/^\{"attribution_id":/);
  await dialog.getByRole('button', { name: 'Copy the document' }).click();
  await eventually(() => clipboard(page)).toBe(document);
  await page.keyboard.press('Escape');

  await bar(page).getByRole('button', { name: 'Publish' }).click();
  await dialog.getByRole('listitem').filter({ hasText: 'search_products' }).getByText('new').waitFor();
  await dialog.getByRole('button', { name: 'Sign and publish' }).click();
  await page.getByText('Published, version 1').waitFor();
  await page.locator('.publish-bar').waitFor({ state: 'detached' });
  await eventually(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Publish');
  const manifest = await manifestOf(id);
  expect(manifest).toMatchObject({ state: 'published', hosts: ['shop.example'], draft: null });
  expect(manifest.tools[0]?.description).toBe('Finds lamps by words and returns up to 20.');
  const { signature: _, ...body } = (await service.call('GET', `/api/v1/webmcp/${id}/manifest/`))
    .body as Record<string, unknown>;
  const times = { issued_at: '', expires_at: '' };
  expect({ ...body, ...times }).toEqual({ ...JSON.parse(document), ...times });
  watch.expectClean();
  await close();
});

it('rotates keys after a plain warning, restores an earlier version, and unpublishes', async () => {
  const { id } = await service.property('Rotated', 'shop.example');
  await publish(id, [tool('first')]);
  await publish(id, [tool('second'), tool('third')]);
  const before = await manifestOf(id);
  const { page, watch, close } = await openDashboard(browser, service.address);
  watch.expect(/status of 429/);
  await page.goto(`/p/${id}/webmcp?view=serving`);
  await page.getByRole('region', { name: 'Hosts' }).getByRole('listitem').first().waitFor();

  expect(await page.locator('.tabs [aria-current="page"]').allTextContents()).toEqual(['Hosting']);
  await page.getByRole('button', { name: 'Rotate keys' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Every cached copy becomes invalid at once').waitFor();
  await dialog.getByLabel(/^Type/).fill('rotate');
  await dialog.getByRole('button', { name: 'Rotate keys' }).click();
  await dialog.waitFor({ state: 'detached' });
  const rotated = await manifestOf(id);
  expect(rotated.published?.kid).not.toBe(before.published?.kid);
  await page.getByText(`${rotated.published?.kid.slice(0, 12)}…`).waitFor();

  await page.getByRole('link', { name: 'Activity' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Keys rotated').waitFor();
  await history.getByText('What changed in version 2').click();
  await eventually(() =>
    history.getByRole('list', { name: 'Changes' }).getByRole('listitem').allTextContents(),
  ).toEqual(['+secondnew', '+thirdnew', '−firstremoved']);
  await history.getByRole('button', { name: 'Restore version 1' }).click();
  await dialog.getByRole('button', { name: 'Restore into the editor' }).click();
  await eventually(() => toolNames(page)).toEqual(['first']);
  await bar(page).getByText('1 added, 2 removed').waitFor();
  await saved(page);
  expect((await manifestOf(id)).tools.map(({ name }) => name)).toEqual(['second', 'third']);
  await bar(page).getByRole('button', { name: 'Discard draft' }).click();
  await dialog.getByRole('button', { name: 'Discard draft' }).click();
  await eventually(() => toolNames(page)).toEqual(['second', 'third']);
  expect((await manifestOf(id)).draft).toBeNull();

  await page.getByRole('link', { name: 'Hosting' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await dialog.getByLabel(/^Type/).fill('shop.example');
  await dialog.getByRole('button', { name: 'Unpublish' }).click();
  await page.getByText('Nothing published yet').waitFor();
  expect((await manifestOf(id)).state).toBe('unpublished');
  watch.expectClean();
  await close();
});

it('orders tools by keyboard and by dragging, and brings back a removed one', async () => {
  const { id } = await service.property('Ordered', 'shop.example');
  await publish(id, [tool('one'), tool('two'), tool('three')]);
  const { page, watch, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${id}/webmcp`);
  await page.getByRole('button', { name: 'Move three' }).focus();
  await page.keyboard.press('ArrowUp');
  await eventually(() => toolNames(page)).toEqual(['one', 'three', 'two']);
  await eventually(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move three');
  await page.getByRole('status').getByText('three is now 2 of 3').waitFor();
  await page.getByRole('button', { name: 'Move two' }).dragTo(page.getByRole('button', { name: 'Move one' }));
  await eventually(() => toolNames(page)).toEqual(['two', 'one', 'three']);

  await page.getByRole('button', { name: 'More for one' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await eventually(() => toolNames(page)).toEqual(['two', 'three']);
  await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Undo');
  await page.keyboard.press('Enter');
  await eventually(() => toolNames(page)).toEqual(['two', 'one', 'three']);
  await bar(page).getByText('reordered').waitFor();
  watch.expectClean();
  await close();
});

it('leads to what a warning is about; on a phone the hosts are folded above the tool', async () => {
  const { id } = await service.property('Warned', 'shop.example');
  const empty = { type: 'object', properties: {} };
  const second = { ...tool('second'), description: '', inputSchema: empty };
  const published = await publish(id, [{ ...tool('first'), inputSchema: empty }, second]);
  expect(published.status).toBe(200);
  const { page, watch, close } = await openDashboard(browser, service.address, { width: 390, height: 844 });
  await page.goto(`/p/${id}/webmcp`);
  await page.getByRole('button', { name: /^second .*1 warning$/ }).click();
  await page.getByRole('button', { name: 'Review 1 warning' }).click();
  await eventually(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  await page.getByRole('article', { name: 'Tool second' }).waitFor();
  // A tool is a screen of its own; the list and the hosts are the one before it.
  const hosts = page.getByRole('region', { name: /^Hosts/ });
  expect(await hosts.count()).toBe(0);
  await page.getByRole('button', { name: 'All tools' }).click();
  expect(await hosts.getByRole('textbox').count()).toBe(0);
  await hosts.getByRole('heading').click();
  await hosts.getByRole('textbox', { name: 'Add a host' }).waitFor();
  watch.expectClean();
  await close();
});

it('keeps unfinished text over leaving, and shows what fields can’t', async () => {
  const { id } = await service.property('Drafts', 'shop.example');
  const { page, watch, close } = await openDashboard(browser, service.address);
  await page.goto(`/p/${id}/webmcp`);
  await page.getByRole('button', { name: 'Start with an empty tool' }).click();
  await page.getByText('JSON Schema', { exact: true }).click();
  const schema = page.getByLabel('Input, JSON Schema');
  await schema.fill('{\n  "type": "object",\n  "properties": {,}\n}');
  await page.getByText('Line 3: A member’s name in double quotes is expected.').waitFor();
  await page.getByText('Fields', { exact: true }).click();
  await page.getByText('It can’t be shown as Fields:').waitFor();
  // At once, before the draft had its pause to be saved in.
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'General', level: 1 }).waitFor();
  await eventually(async () => (await manifestOf(id)).draft?.tools[0]?.inputSchema).toContain('{,}');
  await page.getByRole('link', { name: 'WebMCP' }).click();
  expect(await schema.inputValue()).toContain('{,}');
  await page.reload();
  expect(await schema.inputValue()).toContain('{,}');

  await schema.fill(
    '{"type": "object", "properties": {"sku": {"type": "string"}, "size": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "minProperties": 1}',
  );
  await page.getByText('Fields', { exact: true }).click();
  await page.getByText(/Kept, though fields can’t show it: minProperties; all of size/).waitFor();
  await page.getByRole('button', { name: 'Add input' }).click();
  await eventually(() => page.evaluate('document.activeElement.value')).toBe('input');
  await page.getByText('Simple', { exact: true }).click();
  await page.getByText('“sku” is optional', { exact: true }).waitFor();
  await saved(page);
  const draft = (await manifestOf(id)).draft?.tools[0]?.inputSchema;
  expect(draft).toMatchObject({
    properties: { size: { anyOf: [{ type: 'string' }, { type: 'null' }] }, input: { type: 'string' } },
    required: ['input'],
    minProperties: 1,
  });
  watch.expectClean();
  await close();
});

it('says that a draft could not be saved, and saves it when asked again', async () => {
  const { id } = await service.property('Offline', 'shop.example');
  const { page, watch, close } = await openDashboard(browser, service.address);
  watch.expect(/ERR_FAILED/);
  await page.goto(`/p/${id}/webmcp`);
  await page.route('**/webmcp/draft', (route) => route.abort());
  await page.getByRole('button', { name: /^Contact/ }).click();
  await page.getByRole('alert').getByText('Draft not saved.').waitFor();
  await page.unroute('**/webmcp/draft');
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await saved(page);
  expect((await manifestOf(id)).draft?.tools.map(({ name }) => name)).toEqual(['send_message']);
  watch.expectClean();
  await close();
});

it('says why nothing can be published under an issuer that no agent would trust', async () => {
  const plain = new TestService({ APP_BASE_URL: 'http://app.example' });
  await plain.start();
  try {
    const { id } = await plain.property('Plain', 'shop.example');
    const { page, context } = await openDashboard(browser, plain.address, { signedIn: false });
    // Sessions of this service belong to another origin; the page's own calls are answered as a signed-in person's.
    await context.setExtraHTTPHeaders({ Authorization: `Bearer ${ADMIN_TOKEN}` });
    await page.goto(`/p/${id}/webmcp`);
    const { body } = await plain.api('GET', `/api/v1/properties/${id}/webmcp`);
    await page.getByText((body as { issuer_problem: string }).issuer_problem).waitFor();
    await page.getByRole('button', { name: /^Contact/ }).click();
    await saved(page);
    expect(await bar(page).getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await context.close();
  } finally {
    await plain.dispose();
  }
});

it('does not publish over another person’s work unasked', async () => {
  const { id } = await service.property('Two people', 'shop.example');
  await publish(id, [tool('mine')]);
  const { page, watch, close } = await openDashboard(browser, service.address);
  watch.expect(/status of 409/);
  await page.goto(`/p/${id}/webmcp`);
  await page.getByLabel('Name', { exact: true }).fill('renamed');
  await saved(page);
  await publish(id, [tool('mine'), tool('theirs')]);
  await bar(page).getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sign and publish' }).click();
  await dialog.getByText(/Version 2 was published while you were editing/).waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'theirs' }).getByText('removed').waitFor();
  expect((await manifestOf(id)).tools.map(({ name }) => name)).toEqual(['mine', 'theirs']);
  await dialog.getByRole('button', { name: 'Go on from version 2' }).click();
  await dialog.getByRole('button', { name: 'Sign and publish' }).click();
  await page.getByText('Published, version 3').waitFor();
  expect((await manifestOf(id)).tools.map(({ name }) => name)).toEqual(['renamed']);
  watch.expectClean();
  await close();
});

it('counts fetches of the manifest by agent', async () => {
  const { id, key } = await service.property('Fetched', 'shop.example');
  const fetched = { pathname: '/.well-known/webmcp.json' };
  await service.hits(key, [workerHit(fetched), workerHit(fetched), workerHit({ pathname: '/other' })]);
  const { page, watch, close } = await openDashboard(browser, service.address);
  await eventually(async () => {
    await page.goto(`/p/${id}/webmcp?view=activity`);
    await page.getByRole('region', { name: 'Fetches per day' }).locator('p').first().waitFor();
    return await page.getByRole('row', { name: /GPTBot/ }).count();
  }).toBe(1);
  expect(await page.getByRole('row', { name: /GPTBot/ }).textContent()).toMatch(/Verified2/);
  // All are of one class, which needs no column.
  expect(await page.getByRole('columnheader', { name: 'Class' }).count()).toBe(0);
  watch.expectClean();
  await close();
});

it.each([
  ['light', 1440],
  ['dark', 390],
] as const)('is accessible (%s, %i pixels)', async (theme, width) => {
  const { id } = await service.property('Everybody', 'shop.example');
  await publish(id, [tool('one'), tool('two')]);
  await service.api('PUT', `/api/v1/properties/${id}/webmcp/draft`, {
    hosts: ['shop.example', 'elsewhere.example'],
    tools: [
      {
        ...tool('<b>bold</b>'),
        inputSchema: { type: 'object', properties: { q: { type: 'string', pattern: '(' } } },
      },
      tool('two'),
    ],
  });
  const { page, watch, close } = await openDashboard(browser, service.address, { theme, width });
  watch.expect(/status of 429/);
  const faults: [string, unknown][] = [];
  const audit = async (name: string) => {
    const found = await findFaults(page);
    if (found.length > 0) faults.push([name, found]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(
      width,
    );
    const small = await page
      .locator('main button:visible, main select:visible, main summary:visible, main .tab:visible')
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.outerHTML),
      );
    expect(small, name).toEqual([]);
  };
  await page.goto(`/p/${id}/webmcp`);
  await bar(page)
    .getByRole('button', { name: /problems/ })
    .waitFor();
  await audit('tools');
  await bar(page)
    .getByRole('button', { name: /problems/ })
    .click();
  await eventually(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Remove elsewhere.example');
  await page.locator('.tool-open').first().click();
  await page.getByText('JSON Schema', { exact: true }).click();
  await page.getByText(/^Line \d+: This is not a regular expression/).waitFor();
  await audit('schema');
  await page.getByRole('button', { name: 'Try it' }).click();
  await audit('try-out');
  await page.keyboard.press('Escape');
  await page.goto(`/p/${id}/webmcp?view=serving`);
  await page.getByRole('region', { name: 'Hosts' }).getByRole('listitem').first().waitFor();
  await audit('hosts');
  await page.getByRole('button', { name: 'Rotate keys' }).click();
  await audit('rotate');
  await page.goto(`/p/${id}/webmcp?view=activity`);
  await page.getByRole('region', { name: 'History' }).getByRole('listitem').first().waitFor();
  await audit('activity');
  expect(faults).toEqual([]);
  watch.expectClean();
  await close();
});
