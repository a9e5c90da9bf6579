/** Signing in at a company's provider as a person does it, in a real browser, with a real provider: the group gives a role, and one property. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestProvider, type TestProvider } from '../../packages/server/src/accounts/oidc/testing.ts';
import { TestService } from '../harness/service.ts';
import { launchBrowser, openDashboard } from './browser.ts';

let provider: TestProvider;
let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [browser, provider] = await Promise.all([launchBrowser(), startTestProvider()]);
  const { issuer, settings } = provider;
  service = new TestService({
    ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: settings.clientId, OIDC_NAME: 'Lamp Works' },
    ...{ OIDC_CLIENT_SECRET: settings.clientSecret ?? '', OIDC_SCOPES: settings.scopes },
    OIDC_GROUPS: JSON.stringify([{ group: 'staff', role: 'viewer' }]),
  });
  await service.start();
  provider.serve(new URL(service.address).origin);
  await service.api('POST', '/api/v1/properties', { name: 'Lamp shop', domain: 'lamps.example' });
});
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
  await provider?.close();
});

it('leads from the button to the page that was asked for, and says why where it does not', async () => {
  const { page, watch, context } = await openDashboard(browser, service.address, { signedIn: false });
  watch.expect(/status of 40[14]|request to another origin: http:\/\/127\.0\.0\.1:\d+\//);
  await page.goto('/organization/members');
  const button = page.getByRole('link', { name: 'Continue with Lamp Works' });
  await button.waitFor();

  provider.signsInAs('eve', { email: 'eve@lamps.example', email_verified: true, name: 'Eve', groups: [] });
  await button.click();
  await page.getByText('none of your groups has access here').waitFor();

  // They are signed in at the provider, which asks again because this account has no access.
  provider.signsInAs('bob', {
    email: 'bob@lamps.example',
    email_verified: true,
    name: 'Bob',
    groups: ['staff'],
  });
  await button.click();
  await page.waitForURL('**/organization/members');
  const row = page.getByRole('row', { name: /Bob.*you.*Viewer.*by groups.*All properties/ });
  await row.waitFor();
  expect(await page.evaluate<string>('document.cookie')).toBe('');
  // No code stays in the address or in the history of the browser.
  expect(page.url()).not.toMatch(/code=|state=/);

  await page.getByRole('button', { name: /Bob/ }).first().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await button.waitFor();
  watch.expectClean();
  await context.close();
});
