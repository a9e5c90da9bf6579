/** The visitor's id where browsers take cookies and storage away: Safari after seven days, private windows, sandboxed frames. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ATTRIBUTION_ID, ask, GRANTED, ready, Site, stored, UUID } from './site.ts';

const site = new Site();
beforeAll(() => site.start());
afterEach(() => site.reset());
afterAll(() => site.dispose());

const eventually = (names: string[]) => expect.poll(() => site.names).toEqual(names);

describe('an id of which one copy was purged', () => {
  it('comes back from storage when the cookies are gone', async () => {
    const page = await site.visit('/');
    const id = await ask(page, 'getVisitorId()');
    // Between two visits: on an open page it would be a withdrawal.
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto(site.url('/next'));
    await ready(page);
    expect(await ask(page, 'getVisitorId()')).toBe(id);
    expect((await stored(page))['cookie _ghl_vid']).toContain(id);
  });

  it('comes back from the cookie when the storage is gone', async () => {
    const page = await site.visit('/');
    const id = await ask(page, 'getVisitorId()');
    await page.evaluate('localStorage.clear()');
    await page.goto(site.url('/next'));
    await ready(page);
    expect(await ask(page, 'getVisitorId()')).toBe(id);
    expect((await stored(page))['local _ghl_vid']).toContain(id);
  });

  it.each([
    'v2.something',
    'v1..5',
    'v1.<script>.5',
    '%7B%7D',
    // A host beside this one may set what it likes.
    'v1.not-an-id-of-ours.5',
    `v1.${'a'.repeat(500)}.5`,
  ])('is not taken from %s', async (junk) => {
    const page = await site.visit('/');
    const id = await ask(page, 'getVisitorId()');
    await page.evaluate(`document.cookie = '_ghl_vid=${junk};domain=shop.test;path=/'`);
    await page.goto(site.url('/next'));
    await ready(page);
    expect(await ask(page, 'getVisitorId()')).toBe(id);
  });
});

describe('on the site’s own tracking domain', () => {
  const KNOWN = '5b0c1f5e-93f1-4d3c-8f1e-0a4f2a6f7c11';

  it('the service gives back the id of a browser that lost both copies, and it is kept', async () => {
    site.page = { init: { consent: GRANTED, credentials: 'include' }, endpoint: 'track.shop.test' };
    site.answer = { visitor_id: KNOWN, setCookie: 'server=1; HttpOnly; SameSite=Lax; Domain=shop.test' };
    const page = await site.visit('/');
    await expect.poll(() => ask(page, 'getVisitorId()')).toBe(KNOWN);
    expect((await stored(page))['cookie _ghl_vid']).toMatch(new RegExp(`^v1\\.${KNOWN}\\.\\d+$`));
    await page.evaluate(`ghostlight.track('after')`);
    await eventually(['page_view', 'after']);
    expect(site.events[1]?.visitor_id).toBe(KNOWN);
    // The service's own cookie comes along, as the request is one of the site's.
    expect(site.received[1]?.cookie).toContain('server=1');
  });

  it('it is asked for once: another answer changes nothing any more', async () => {
    site.answer = { visitor_id: KNOWN };
    const page = await site.visit('/');
    await expect.poll(() => ask(page, 'getVisitorId()')).toBe(KNOWN);
    site.answer = { visitor_id: ATTRIBUTION_ID };
    await page.evaluate(`ghostlight.track('after')`);
    await eventually(['page_view', 'after']);
    await page.waitForTimeout(200);
    expect(await ask(page, 'getVisitorId()')).toBe(KNOWN);
  });

  it.each(['{"visitor_id": 7}', '{"visitor_id": "a b"}', '[]', 'null', '<html>', ''])(
    'an answer such as %s does no harm',
    async (body) => {
      const context = await site.visitor();
      await context.route('**/api/events', (route) =>
        route.fulfill({
          body,
          headers: {
            'access-control-allow-origin': site.url('').replace(/\/$/, ''),
            'access-control-allow-credentials': 'true',
          },
        }),
      );
      const page = await context.newPage();
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      await page.goto(site.url());
      await ready(page);
      await page.waitForTimeout(200);
      expect(await ask(page, 'getVisitorId()')).toMatch(UUID);
      expect(errors).toEqual([]);
    },
  );
});

describe('where something is missing', () => {
  const THROW = '{ get() { throw new DOMException("no", "SecurityError") } }';
  it.each([
    ['localStorage throws', `Object.defineProperty(window, 'localStorage', ${THROW})`],
    ['sessionStorage throws', `Object.defineProperty(window, 'sessionStorage', ${THROW})`],
    [
      'storage is full',
      `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }`,
    ],
    [
      'cookies throw',
      `Object.defineProperty(Document.prototype, 'cookie', { get() { throw new Error("no") }, set() { throw new Error("no") } })`,
    ],
    [
      'cookies are refused',
      `Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} })`,
    ],
    ['crypto.randomUUID is missing', `delete Crypto.prototype.randomUUID`],
    ['sendBeacon is missing', `delete Navigator.prototype.sendBeacon`],
    [
      'storage is null, as in some web views',
      `Object.defineProperty(window, 'localStorage', { value: null })`,
    ],
  ])('the visit is reported nevertheless: %s', async (_, script) => {
    const context = await site.visitor();
    await context.addInitScript(script);
    const page = await context.newPage();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(site.url());
    await ready(page);
    await page.evaluate(`ghostlight.track('more')`);
    await eventually(['page_view', 'more']);
    expect(site.events[0]?.visitor_id).toMatch(UUID);
    expect(site.events[1]?.visitor_id).toBe(site.events[0]?.visitor_id);
    expect(site.events[1]?.session_id).toBe(site.events[0]?.session_id);
    await page.evaluate(`ghostlight.setConsent({ analytics: false }); ghostlight.reset()`);
    expect(errors).toEqual([]);
  });

  it('also in a sandboxed frame, which has no origin', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    await page.evaluate(
      `document.body.innerHTML = '<iframe sandbox="allow-scripts" src="/framed"></iframe>'`,
    );
    await eventually(['page_view', 'page_view']);
    expect(site.events[1]).toMatchObject({ page_location: site.url('/framed') });
  });
});
