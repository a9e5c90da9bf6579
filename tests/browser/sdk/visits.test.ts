/** What the SDK tells of a visit, seen from the service: pages, sessions, tabs, campaigns. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readBrowserEvent } from '../../../packages/core/src/conversion/index.ts';
import { ATTRIBUTION_ID, ask, GRANTED, ready, Site, stored, UUID } from './site.ts';

const site = new Site();
beforeAll(() => site.start());
afterEach(() => site.reset());
afterAll(() => site.dispose());

const eventually = (names: string[]) => expect.poll(() => site.names).toEqual(names);

describe('a first page', () => {
  it('is sent with everything the schema asks for, as text that needs no preflight', async () => {
    const page = await site.visit('/shoes');
    await eventually(['page_view']);
    const [event] = site.events;
    expect(event).toMatchObject({
      event_name: 'page_view',
      attribution_id: ATTRIBUTION_ID,
      visitor_id: await ask(page, 'getVisitorId()'),
      session_id: await ask(page, 'getSessionId()'),
      session_start: true,
      page_location: site.url('/shoes'),
      page_referrer: '',
      page_title: 'Page /shoes',
      lib: 'ghostlight-js',
      viewport_resolution: '1280x720',
      consent: GRANTED,
      bot: false,
    });
    expect(event?.event_id).toMatch(UUID);
    expect(event?.visitor_id).toMatch(UUID);
    expect(Math.abs(Number(event?.['event_time']) * 1000 - Date.now())).toBeLessThan(60_000);
    expect(site.received[0]?.contentType).toBe('text/plain;charset=UTF-8');
  });

  it('leaves the id where every host of the site finds it', async () => {
    const page = await site.visit('/', 'www.shop.test');
    const id = await ask(page, 'getVisitorId()');
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === '_ghl_vid');
    expect(cookie).toMatchObject({ domain: '.shop.test', sameSite: 'Lax', secure: false });
    expect(cookie?.value).toMatch(new RegExp(`^v1\\.${id}\\.\\d{10}$`));
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(360 * 86_400);
    expect((await stored(page))['cookie _ghl_try']).toBeUndefined();
    await page.goto(site.url('/', 'shop.test'));
    await ready(page);
    expect(await ask(page, 'getVisitorId()')).toBe(id);
  });

  it('marks the cookie secure where the page is', async () => {
    const context = await site.visitor();
    const init = JSON.stringify({
      attributionId: ATTRIBUTION_ID,
      endpoint: 'https://shop.test',
      consent: GRANTED,
    });
    await context.route('https://shop.test/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>${site.script}</script><script>ghostlight.init(${init})</script>`,
      }),
    );
    const page = await context.newPage();
    await page.goto('https://shop.test/');
    await ready(page);
    const [cookie] = (await context.cookies()).filter(({ name }) => name === '_ghl_vid');
    expect(cookie).toMatchObject({ domain: '.shop.test', secure: true });
  });

  it('keeps to the cookie domain that the site names', async () => {
    site.page = { init: { consent: GRANTED, cookieDomain: 'www.shop.test' } };
    const page = await site.visit('/', 'www.shop.test');
    const domains = (await page.context().cookies()).map(({ domain }) => domain);
    expect(new Set(domains)).toEqual(new Set(['.www.shop.test']));
  });
});

it('says everything in the words of the one schema', async () => {
  const page = await site.visit('/landing?utm_source=google&utm_medium=cpc&gclid=abc');
  await page.evaluate(`ghostlight.identify({ user_id: 'u42', email: 'jane@mail.example', address: { city: 'Berlin' } });
    ghostlight.track('purchase', { conversion_id: 'o1', value: 99.9, currency: 'EUR', tax: '15.95', discount_code: 'X',
      products: [{ id: 'p', name: 'Shoe', quantity: 2, price: 49.95 }], shelf: 3 });
    ghostlight.track('generate_lead', { lead_type: 'demo' }); ghostlight.track('sign_up')`);
  await eventually(['page_view', 'purchase', 'generate_lead', 'sign_up']);
  for (const sent of site.events) {
    const read = readBrowserEvent(sent);
    expect(read).toMatchObject({ warnings: [] });
    expect(read).toMatchObject({
      event: {
        attributionId: ATTRIBUTION_ID,
        visitorId: sent.visitor_id,
        eventId: sent.event_id,
        page: { location: sent.page_location },
        utm: { source: 'google', medium: 'cpc' },
        clickIds: { gclid: 'abc' },
        bot: false,
      },
    });
  }
});

describe('the pages after it', () => {
  it('belong to the same visitor and session', async () => {
    const page = await site.visit('/');
    await page.getByText('Next').click();
    await ready(page);
    await eventually(['page_view', 'page_view']);
    const [first, second] = site.events;
    expect(second).toMatchObject({
      visitor_id: first?.visitor_id,
      session_id: first?.session_id,
      session_start: false,
      page_referrer: site.url('/'),
    });
  });

  it('of a single-page application are views too, each address once', async () => {
    const page = await site.visit('/');
    await page.evaluate(`history.pushState({}, '', '/cart'); document.title = 'Cart'`);
    await eventually(['page_view', 'page_view']);
    await page.evaluate(`history.replaceState({}, '', '/cart')`);
    await page.evaluate(`location.hash = 'details'`);
    await page.evaluate(`history.pushState({}, '', '/login'); history.replaceState({}, '', '/account')`);
    await eventually(['page_view', 'page_view', 'page_view']);
    await page.evaluate('history.go(-1)');
    await eventually(['page_view', 'page_view', 'page_view', 'page_view']);
    await page.evaluate(`location.hash = '#/settings'`);
    await eventually(['page_view', 'page_view', 'page_view', 'page_view', 'page_view']);
    expect(site.events.map((event) => [event.page_location, event.page_referrer])).toEqual([
      [site.url('/'), ''],
      [site.url('/cart'), site.url('/')],
      [site.url('/account'), site.url('/cart')],
      [site.url('/cart'), site.url('/account')],
      [site.url('/cart'), site.url('/cart')],
    ]);
    expect(site.events[1]?.['page_title']).toBe('Cart');
  });

  it('are sent before what happens on them', async () => {
    const page = await site.visit('/');
    await page.evaluate(`history.pushState({}, '', '/thanks'); ghostlight.track('sign_up')`);
    await eventually(['page_view', 'page_view', 'sign_up']);
    expect(site.events[2]).toMatchObject({
      page_location: site.url('/thanks'),
      page_referrer: site.url('/'),
    });
  });

  it('are the site’s own to tell when it says so', async () => {
    site.page = { init: { consent: GRANTED, autoPage: false } };
    const page = await site.visit('/');
    await page.evaluate(`history.pushState({}, '', '/a')`);
    await page.evaluate(`ghostlight.page({ page_title: 'Mine', shelf: 3 })`);
    await eventually(['page_view']);
    expect(site.events[0]).toMatchObject({ page_title: 'Mine', shelf: 3, page_location: site.url('/a') });
  });
});

describe('a session', () => {
  it('ends after 30 minutes without an event, and not before', async () => {
    const start = Date.now();
    const page = await site.visit('/');
    for (const minutes of [29, 58, 89]) {
      await page.clock.setFixedTime(start + minutes * 60_000);
      await page.evaluate(`ghostlight.track('ping_${minutes}')`);
    }
    await eventually(['page_view', 'ping_29', 'ping_58', 'ping_89']);
    const sessions = site.events.map((event) => event.session_id);
    expect(sessions.slice(0, 3)).toEqual([sessions[0], sessions[0], sessions[0]]);
    expect(sessions[3]).not.toBe(sessions[0]);
    expect(site.events.map((event) => event['session_start'])).toEqual([true, false, false, true]);
    expect(new Set(site.events.map((event) => event.visitor_id)).size).toBe(1);
  });

  it('is one in two tabs, and goes on in one while the other sleeps', async () => {
    const start = Date.now();
    const first = await site.visit('/');
    const second = await first.context().newPage();
    await second.goto(site.url('/second'));
    await ready(second);
    await first.clock.setFixedTime(start + 25 * 60_000);
    await second.evaluate(`ghostlight.track('awake')`);
    await first.clock.setFixedTime(start + 50 * 60_000);
    await first.evaluate(`ghostlight.track('woken')`);
    await expect.poll(() => site.names).toHaveLength(4);
    expect(new Set(site.events.map((event) => event.session_id)).size).toBe(1);
    expect(new Set(site.events.map((event) => event.visitor_id)).size).toBe(1);
  });
});

describe('a campaign', () => {
  const LANDING =
    '/landing?GCLID=Cj0KCQiA-B_c.D~e&utm_source=Google&UTM_Medium=cpc&token=secret&fbclid=%3Cscript%3E';

  it('goes with every event of the session that it began, and stays for the site to ask', async () => {
    const page = await site.visit(LANDING);
    await page.goto(site.url('/later'));
    await ready(page);
    await page.evaluate(`ghostlight.track('purchase', { conversion_id: 'o1', value: 9.9, currency: 'EUR' })`);
    await eventually(['page_view', 'page_view', 'purchase']);
    for (const event of site.events) {
      expect(event).toMatchObject({
        click_ids: { gclid: 'Cj0KCQiA-B_c.D~e' },
        utm: { source: 'Google', medium: 'cpc' },
      });
      expect(JSON.stringify(event)).not.toMatch(/secret|script/);
    }
    expect(site.events[0]?.page_location).toBe(
      site.url('/landing?gclid=Cj0KCQiA-B_c.D%7Ee&utm_source=Google&utm_medium=cpc'),
    );
    expect(await ask<object>(page, 'getAttribution()')).toMatchObject({
      click_ids: { gclid: 'Cj0KCQiA-B_c.D~e' },
      page_location: site.events[0]?.page_location,
      session_id: site.events[0]?.session_id,
    });
  });

  it('is not claimed by a later session, which may still ask for it', async () => {
    const page = await site.visit(LANDING);
    await page.clock.setFixedTime(Date.now() + 31 * 60_000);
    await page.goto(site.url('/later'));
    await ready(page);
    await eventually(['page_view', 'page_view']);
    expect(site.events[1]).not.toHaveProperty('click_ids');
    expect(await ask<object>(page, 'getAttribution()')).toMatchObject({ utm: { source: 'Google' } });
  });

  it('gives way to the next one', async () => {
    const page = await site.visit(LANDING);
    await page.goto(site.url('/?utm_source=newsletter'));
    await ready(page);
    await eventually(['page_view', 'page_view']);
    expect(site.events[1]).toMatchObject({ utm: { source: 'newsletter' }, click_ids: {} });
  });

  it('comes with the ad platforms’ own cookies', async () => {
    const context = await site.visitor();
    const cookie = (name: string, value: string) => ({ name, value, domain: 'shop.test', path: '/' });
    await context.addCookies([
      cookie('_fbp', 'fb.1.1796000000000.1098115397'),
      cookie('_ga', 'GA1.1.1234567890.1796000000'),
      cookie('_ga_ABC123', 'GS2.1.s1796000000$o1'),
      cookie('_gcl_aw', 'GCL.1796000000.<x>'),
      cookie('session', 'theirs'),
    ]);
    await (await context.newPage()).goto(site.url());
    await eventually(['page_view']);
    expect(site.events[0]?.['browser_ids']).toEqual({
      _fbp: 'fb.1.1796000000000.1098115397',
      _ga: 'GA1.1.1234567890.1796000000',
      _ga_ABC123: 'GS2.1.s1796000000$o1',
    });
  });
});

describe('a person’s data', () => {
  it('does not leave with addresses and titles', async () => {
    const page = await site.visit(
      '/reset/jane.doe%40mail.example/+4930901820?email=jane@mail.example&utm_content=a@b.example',
    );
    await page.evaluate(
      `document.title = 'Order of jane.doe@mail.example, +49 30 901820'; ghostlight.track('seen')`,
    );
    await eventually(['page_view', 'seen']);
    expect(JSON.stringify(site.received)).not.toMatch(/jane|mail\.example|901820|b\.example/);
    expect(site.events[0]?.page_location).toBe(site.url('/reset/***/***?utm_content=***'));
  });

  it('is sent when the page reports it, and stored nowhere', async () => {
    const page = await site.visit('/');
    site.answer = { status: 503 };
    await page.evaluate(`ghostlight.identify({ user_id: 'u42', email: 'jane@mail.example', phone: '+4930901820' });
      ghostlight.track('generate_lead', { user_data: { first_name: 'Jane' } })`);
    await expect.poll(async () => (await stored(page))['session _ghl_queue']).toMatch(/generate_lead/);
    expect(JSON.stringify(await stored(page))).not.toMatch(/jane|901820/i);
    site.answer = {};
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await eventually(['page_view', 'generate_lead']);
    expect(site.events[1]).toMatchObject({
      user_id: 'u42',
      user_data: { email: 'jane@mail.example', phone: '+4930901820', first_name: 'Jane' },
    });
  });

  it('is another’s after reset', async () => {
    const page = await site.visit('/');
    await page.evaluate(
      `ghostlight.identify({ user_id: 'u42' }); ghostlight.reset(); ghostlight.track('after')`,
    );
    await eventually(['page_view', 'after']);
    const [before, after] = site.events;
    expect(after).toMatchObject({ visitor_reset: true, session_start: true });
    expect(after).not.toHaveProperty('user_id');
    expect(after?.visitor_id).not.toBe(before?.visitor_id);
    expect(after?.session_id).not.toBe(before?.session_id);
    expect((await stored(page))['cookie _ghl_vid']).toContain(after?.visitor_id);
  });
});

it('tags browsers that are driven, and bots by their user agent', async () => {
  const context = await site.visitor({ isBot: true });
  await (await context.newPage()).goto(site.url());
  await eventually(['page_view']);
  expect(site.events[0]?.['bot']).toBe(true);
});
