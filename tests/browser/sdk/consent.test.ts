/** Before analytics consent nothing is stored and nothing is sent; after a withdrawal nothing is left. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, GRANTED, ready, Site, stored, UUID } from './site.ts';

const site = new Site();
beforeAll(() => site.start());
afterEach(() => site.reset());
afterAll(() => site.dispose());

const eventually = (names: string[]) => expect.poll(() => site.names).toEqual(names);
/** All requests that a page could have made by now have been made. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 500));
const DENIED = { analytics: false, advertising: false };

describe.each<[string, Record<string, unknown>, unknown]>([
  ['consent has not been asked', {}, null],
  ['it was refused', { consent: DENIED }, DENIED],
  [
    'only advertising was granted',
    { consent: { advertising: true } },
    { analytics: false, advertising: true },
  ],
  ['the value is "granted" instead of true', { consent: { analytics: 'granted' } }, DENIED],
])('while %s', (_, init, told) => {
  it('nothing is stored and nothing is sent, not even on leaving', async () => {
    site.page = { init };
    const page = await site.visit('/?gclid=abc');
    expect(await ask(page, 'getConsent()')).toEqual(told);
    expect(await ask(page, 'getVisitorId()')).toMatch(UUID);
    expect(await ask(page, 'getSessionId()')).toBe('');
    await page.evaluate(`ghostlight.identify({ email: 'jane@mail.example' });
      ghostlight.track('purchase', { conversion_id: 'o1', value: 1, currency: 'EUR' });
      ghostlight.reset()`);
    await quiet();
    expect(await stored(page)).toEqual({});
    await page.goto(site.url('/next'));
    await quiet();
    expect(await stored(page)).toEqual({});
    expect(site.received).toEqual([]);
  });
});

describe('consent that is given on a page', () => {
  it('covers what happened on it, and makes one visitor of it', async () => {
    site.page = { init: { consent: DENIED } };
    const page = await site.visit('/?gclid=abc');
    const id = await ask(page, 'getVisitorId()');
    await page.evaluate(`ghostlight.track('early')`);
    await page.evaluate(`ghostlight.setConsent({ analytics: true })`);
    await page.evaluate(`ghostlight.track('late')`);
    await eventually(['page_view', 'early', 'late']);
    for (const event of site.events) {
      expect(event).toMatchObject({
        visitor_id: id,
        session_id: site.events[0]?.session_id,
        consent: { analytics: true, advertising: false },
        click_ids: { gclid: 'abc' },
      });
    }
    expect(site.events.map((event) => event['session_start'])).toEqual([true, false, false]);
    expect((await stored(page))['cookie _ghl_vid']).toContain(id);
  });

  it('is remembered by all hosts of the site, which need not ask again', async () => {
    site.page = { init: {} };
    const page = await site.visit('/');
    await page.evaluate(`ghostlight.setConsent({ analytics: true, sale_of_data: false })`);
    const id = await ask(page, 'getVisitorId()');
    await page.goto(site.url('/', 'www.shop.test'));
    await ready(page);
    expect(await ask(page, 'getVisitorId()')).toBe(id);
    expect(await ask(page, 'getConsent()')).toEqual({
      analytics: true,
      advertising: false,
      sale_of_data: false,
    });
    await eventually(['page_view', 'page_view']);
  });

  it('finds the visitor of an earlier consent again', async () => {
    const page = await site.visit('/');
    const id = await ask(page, 'getVisitorId()');
    await page.goto('about:blank');
    await page.context().clearCookies({ name: '_ghl_consent' });
    site.page = { init: {} };
    await page.goto(site.url('/'));
    await ready(page);
    expect(await ask(page, 'getVisitorId()')).not.toBe(id);
    await page.evaluate('ghostlight.setConsent({ analytics: true })');
    expect(await ask(page, 'getVisitorId()')).toBe(id);
  });

  it('finds the visitor again where the site refuses by default until its consent manager has loaded', async () => {
    const page = await site.visit('/');
    const id = await ask(page, 'getVisitorId()');
    site.page = { init: { consent: DENIED } };
    await page.goto(site.url('/next'));
    await ready(page);
    expect(await ask(page, 'getVisitorId()')).not.toBe(id);
    await page.evaluate('ghostlight.setConsent({ analytics: true })');
    expect(await ask(page, 'getVisitorId()')).toBe(id);
    await eventually(['page_view', 'page_view']);
    expect(site.events[1]).toMatchObject({ visitor_id: id, session_id: site.events[0]?.session_id });
  });

  it('is asked for more than analytics before personal data and other platforms’ ids leave', async () => {
    const context = await site.visitor();
    await context.addCookies([{ name: '_fbp', value: 'fb.1.1.1', domain: 'shop.test', path: '/' }]);
    site.page = { init: { consent: { analytics: true } } };
    const page = await context.newPage();
    await page.goto(site.url());
    await ready(page);
    await page.evaluate(`ghostlight.identify({ user_id: 'u42', email: 'jane@mail.example' });
      ghostlight.track('sign_up', { user_data: { phone: '+4930901820' } })`);
    await eventually(['page_view', 'sign_up']);
    expect(site.events[1]).toMatchObject({ user_id: 'u42' });
    expect(JSON.stringify(site.received)).not.toMatch(/jane|901820|fb\.1/);
    await page.evaluate(`ghostlight.setConsent({ advertising: true }); ghostlight.track('later')`);
    await eventually(['page_view', 'sign_up', 'later']);
    expect(site.events[2]).toMatchObject({
      consent: GRANTED,
      user_data: { email: 'jane@mail.example' },
      browser_ids: { _fbp: 'fb.1.1.1' },
    });
  });
});

describe('consent that is withdrawn', () => {
  it('leaves nothing behind, and the next visitor is another', async () => {
    const page = await site.visit('/?gclid=abc', 'www.shop.test');
    await eventually(['page_view']);
    const id = await ask(page, 'getVisitorId()');
    expect(Object.keys(await stored(page)).sort()).toEqual([
      'cookie _ghl_consent',
      'cookie _ghl_sid',
      'cookie _ghl_vid',
      'local _ghl_landing',
      'local _ghl_sid',
      'local _ghl_vid',
    ]);
    await page.evaluate(`ghostlight.setConsent({ analytics: false })`);
    expect(await stored(page)).toEqual({});
    expect(await page.context().cookies()).toEqual([]);
    expect(await ask(page, 'getAttribution()')).toBeNull();
    await page.evaluate(`ghostlight.track('silent')`);
    await quiet();
    expect(site.names).toEqual(['page_view']);
    await page.evaluate(`ghostlight.setConsent({ analytics: true })`);
    await eventually(['page_view', 'silent']);
    expect(site.events[1]?.visitor_id).not.toBe(id);
    // So that the service forgets its own cookie's id too.
    expect(site.events[1]).toMatchObject({ visitor_reset: true });
  });

  it('takes along what was waiting to be sent', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    site.answer = { status: 503 };
    await page.evaluate(`ghostlight.track('waiting')`);
    await expect.poll(async () => (await stored(page))['session _ghl_queue']).toMatch(/waiting/);
    await page.evaluate(`ghostlight.setConsent({ analytics: false })`);
    site.answer = {};
    await page.goto(site.url('/next'));
    await ready(page);
    await eventually(['page_view', 'page_view']);
  });

  it('counts in every other tab and on every host, from its next event on', async () => {
    const page = await site.visit('/');
    const other = await page.context().newPage();
    await other.goto(site.url('/', 'www.shop.test'));
    await ready(other);
    await eventually(['page_view', 'page_view']);
    await page.evaluate(`ghostlight.setConsent({ analytics: false })`);
    await other.evaluate(`ghostlight.track('unheard')`);
    await quiet();
    expect(site.names).toEqual(['page_view', 'page_view']);
    expect(await stored(other)).toEqual({});
    expect(await ask(other, 'getConsent()')).toBeNull();
  });

  it('on one host is not forgotten by another that had kept the id', async () => {
    site.page = { init: {} };
    const page = await site.visit('/', 'www.shop.test');
    await page.evaluate(`ghostlight.setConsent({ analytics: true })`);
    await page.goto(site.url('/', 'shop.test'));
    await ready(page);
    await eventually(['page_view', 'page_view']);
    await page.evaluate(`ghostlight.setConsent({ analytics: false })`);
    await page.goto(site.url('/', 'www.shop.test'));
    await ready(page);
    await quiet();
    expect(await ask(page, 'getConsent()')).toBeNull();
    expect(site.names).toEqual(['page_view', 'page_view']);
  });
});
