/** What `shots.ts` takes besides the pages of the rail and their tabs: what a click opens, and the pages of a person's own account. */
import assert from 'node:assert/strict';
import { DAY_MS } from '@ghostlight/core/time';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openDashboard } from './browser.ts';

export interface Shot {
  /** Of its files. */
  readonly name: string;
  readonly path: string;
  /** Opens what is pictured. */
  readonly open?: (page: Page) => Promise<void>;
  /** It is opened again at each width: its place is that of the button, or it has another form on a phone. */
  readonly isPlaced?: true;
}

/** What no rail leads to. */
export const OTHERS = ['/docs', '/docs/reports', '/properties/new'];

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const row = (page: Page) => page.locator('tbody tr').first().click();
const link = (page: Page) => page.locator('tbody .report-link').first().click();
const keys =
  (key: string, text = '') =>
  async (page: Page) => {
    await page.keyboard.press(key);
    if (text !== '') await page.getByRole('combobox').first().pressSequentially(text);
  };

/** A phone has its filters behind a button. */
const filter = async (page: Page) => {
  const folded = page.locator('.filters-button');
  if (await folded.isVisible()) await folded.click();
  await press(/^Vendor: /)(page);
};

/** Below the property. */
export const OPENED: readonly Shot[] = [
  { name: 'drawer-visit', path: '/visits', open: row },
  { name: 'drawer-live', path: '/live', open: row },
  {
    name: 'drawer-conversion',
    path: '/conversions',
    open: (page) => page.locator('.conversion-table tbody tr').first().click(),
  },
  { name: 'drawer-delivery', path: '/deliveries', open: row },
  { name: 'drawer-webhook-request', path: '/webhooks?view=activity', open: row },
  { name: 'view-bot', path: '/bots', open: link },
  { name: 'view-page', path: '/pages', open: link },
  { name: 'view-folders', path: '/pages?group=folder' },
  { name: 'view-unread', path: '/pages?group=unread' },
  { name: 'view-vendors', path: '/bots?group=vendor' },
  { name: 'view-failing-bots', path: '/failures?group=bot' },
  { name: 'view-day', path: '/overview?days=1' },
  { name: 'view-filtered', path: '/visits?verdict=spoofed' },
  { name: 'view-nothing', path: '/visits?path_contains=nothing-has-this-name' },
  {
    name: 'tip-chart',
    path: '/overview',
    open: (page) => page.locator('.day-chart-box .bar').nth(12).hover(),
    isPlaced: true,
  },
  { name: 'menu-period', path: '/overview', open: press(/^Period: /), isPlaced: true },
  { name: 'menu-export', path: '/bots', open: press('Export'), isPlaced: true },
  { name: 'menu-share', path: '/overview', open: press('Share'), isPlaced: true },
  { name: 'menu-property', path: '/overview', open: press(/^Property: /), isPlaced: true },
  { name: 'menu-filter', path: '/bots', open: filter, isPlaced: true },
  { name: 'dialog-period', path: '/overview', open: keys('c'), isPlaced: true },
  { name: 'dialog-palette', path: '/overview', open: keys('Control+k') },
  { name: 'dialog-palette-found', path: '/overview', open: keys('Control+k', 'set') },
  { name: 'dialog-shortcuts', path: '/overview', open: keys('?') },
  { name: 'dialog-key', path: '/keys', open: press('New key') },
  { name: 'dialog-key-rotate', path: '/keys', open: press(/^Rotate /) },
  { name: 'dialog-channel', path: '/alerts?view=channels#add' },
  { name: 'dialog-threshold', path: '/alerts?view=rules', open: press(/^Edit the threshold/) },
  { name: 'dialog-bot', path: '/settings?view=lists', open: press('Add a bot') },
  { name: 'dialog-delete-property', path: '/settings', open: press('Delete this property') },
  { name: 'dialog-share-link', path: '/sharing', open: press(/link/i) },
  { name: 'dialog-webhook-key', path: '/webhooks', open: press('New key') },
  { name: 'form-destination', path: '/destinations/new/meta' },
  {
    name: 'view-destination',
    path: '/destinations',
    open: (page) => page.locator('main a[href*="dst_"]').first().click(),
  },
];

/** An owner of the organization, who comes by an invitation. @param property its path, `/p/<id>` */
export async function asPerson(
  browser: Browser,
  { request }: BrowserContext,
  address: string,
  property: string,
): Promise<{ readonly page: Page; readonly shots: readonly Shot[] }> {
  const invited = await request.post('/api/v1/organization/invitations', {
    data: { email: `pictures-${Date.now()}@shop.example`, role: 'owner' },
    headers: { Origin: address },
  });
  assert.ok(invited.ok(), await invited.text());
  const [, token] = /#token=([\w-]+)/.exec(((await invited.json()) as { link: string }).link) ?? [];
  const { page, context } = await openDashboard(browser, address, { signedIn: false });
  const signIn = { name: 'sign-in', path: '/sign-in' };
  const answer = await context.request.post('/api/v1/invitations/accept', {
    data: { token, name: 'Ada Lovelace', password: 'correct horse battery' },
    headers: { Origin: address },
  });
  assert.ok(answer.ok(), await answer.text());
  for (const [path, data] of madeBefore(property)) {
    const made = await context.request.post(`/api/v1${path}`, { data, headers: { Origin: address } });
    // 409: earlier pictures of the same service have left as many as there may be.
    assert.ok(made.ok() || made.status() === 409, await made.text());
  }
  return {
    page,
    shots: [
      { name: 'account', path: '/account' },
      { name: 'dialog-second-factor', path: '/account', open: press('Set up') },
      { name: 'dialog-invite', path: '/organization/members#invite' },
      { name: 'dialog-token', path: '/organization/tokens', open: press('New token') },
      { name: 'organization-owner', path: '/organization' },
      { name: 'organization-members-some', path: '/organization/members' },
      { name: 'organization-tokens-some', path: '/organization/tokens' },
      { name: 'sharing-some', path: `${property}/sharing` },
      { name: 'alerts-channels-some', path: `${property}/alerts?view=channels` },
      signIn,
    ],
  };
}

/** What an installation in use has and the demo has not: calls with their bodies. */
function madeBefore(property: string): readonly (readonly [path: string, data: object])[] {
  const under = property.replace('/p/', '/properties/');
  const expires_at = new Date(Date.now() + 90 * DAY_MS).toISOString();
  return [
    ['/organization/invitations', { email: `grace-${Date.now()}@shop.example`, role: 'admin' }],
    ['/organization/invitations', { email: `mary-${Date.now()}@agency.example`, role: 'viewer' }],
    ['/organization/tokens', { name: 'Weekly report', role: 'viewer', expires_at }],
    ['/organization/tokens', { name: 'Deployment', role: 'admin', expires_at }],
    [`${under}/share-links`, { name: 'The board', expires_at }],
    [`${under}/share-links`, { name: 'Agency', password: 'lamp on a stage', expires_at }],
    [
      `${under}/alerts/channels`,
      { type: 'webhook', name: 'On call', target: 'https://hooks.shop.example/a' },
    ],
    [
      `${under}/alerts/channels`,
      {
        type: 'slack',
        name: '#site',
        target: 'https://hooks.slack.com/services/T0/B0/demo',
        kinds: ['spike'],
      },
    ],
  ];
}
