/** Events on their way to the service: leaving, offline, blockers, policies, a service that is down. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GRANTED, ready, Site, stored } from './site.ts';

const site = new Site();
beforeAll(() => site.start());
afterEach(() => site.reset());
afterAll(() => site.dispose());

const eventually = (names: string[]) => expect.poll(() => site.names).toEqual(names);
const waiting = (events: RegExp, page: Parameters<typeof stored>[0]) =>
  expect.poll(async () => (await stored(page))['session _ghl_queue']).toMatch(events);

describe('the last event before the page goes', () => {
  it.each([
    ['a beacon', ''],
    ['a request that outlives the page, where there are no beacons', 'delete Navigator.prototype.sendBeacon'],
    ['a request too where the browser takes no more beacons', 'Navigator.prototype.sendBeacon = () => false'],
  ])('arrives by %s', async (_, script) => {
    const context = await site.visitor();
    await context.addInitScript(script);
    const page = await context.newPage();
    await page.goto(site.url());
    await ready(page);
    await eventually(['page_view']);
    site.page = { head: '' };
    await page.evaluate(`ghostlight.track('last'); location.href = '/elsewhere'`);
    await eventually(['page_view', 'last']);
  });

  it('is the view of an address that had only just changed', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    site.page = { head: '' };
    await page.evaluate(`history.pushState({}, '', '/brief'); location.href = '/elsewhere'`);
    await eventually(['page_view', 'page_view']);
    expect(site.events[1]?.page_location).toBe(site.url('/brief'));
  });
});

describe('without a connection', () => {
  it('events wait, and arrive once when it is back', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    await page.context().setOffline(true);
    await page.evaluate(`ghostlight.track('one')`);
    await waiting(/one/, page);
    await page.evaluate(`ghostlight.track('two')`);
    await page.context().setOffline(false);
    await eventually(['page_view', 'one', 'two']);
    await expect.poll(async () => (await stored(page))['session _ghl_queue']).toBeUndefined();
    expect(site.received.flatMap(({ events }) => events)).toHaveLength(3);
  });

  it('they outlive the page', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    site.answer = { status: 503 };
    await page.evaluate(`ghostlight.track('kept')`);
    await waiting(/kept/, page);
    await page.goto(site.url('/next'));
    site.answer = {};
    await ready(page);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await expect.poll(() => [...site.names].sort()).toEqual(['kept', 'page_view', 'page_view']);
  });
});

describe('a service that is down', () => {
  it.each([500, 503, 429])('that answers %i is tried again on schedule', async (status) => {
    site.answer = { status };
    const context = await site.visitor();
    await context.clock.install();
    const page = await context.newPage();
    await page.goto(site.url());
    await ready(page);
    await page.clock.runFor(100);
    await waiting(/page_view/, page);
    site.answer = {};
    await page.clock.runFor(2_500);
    await eventually(['page_view']);
  });

  it('that refuses events permanently is not asked again', async () => {
    site.answer = { status: 422 };
    const page = await site.visit('/');
    const answered = page.waitForResponse((response) =>
      (response.request().postData() ?? '').includes('"refused"'),
    );
    await page.evaluate(`ghostlight.track('refused')`);
    await answered;
    site.answer = {};
    await page.waitForTimeout(200);
    await page.evaluate(`ghostlight.track('taken')`);
    await eventually(['taken']);
  });
});

describe('a blocker that refuses the requests', () => {
  it('is met with silence, and with six tries an hour at most', async () => {
    const context = await site.visitor();
    await context.clock.install();
    let tries = 0;
    await context.route('**/api/events', (route) => {
      tries++;
      return route.abort('blockedbyclient');
    });
    const page = await context.newPage();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(site.url());
    await ready(page);
    for (let round = 0; round < 20; round++) {
      await page.evaluate(`ghostlight.track('event_${round}', { text: 'x'.repeat(5000) })`);
      await page.clock.runFor(180_000);
      await page.waitForTimeout(20);
    }
    expect(tries).toBeGreaterThan(2);
    expect(tries).toBeLessThanOrEqual(6);
    expect(errors).toEqual([]);
    await page.evaluate(`dispatchEvent(new Event('pagehide'))`);
    const kept = JSON.parse((await stored(page))['session _ghl_queue'] ?? '[]') as { event_name: string }[];
    const tracked = Array.from({ length: 20 }, (_, round) => `event_${round}`);
    expect(kept.map((event) => event.event_name)).toEqual(['page_view', ...tracked]);
  });
});

describe('many events at once', () => {
  const purchase = `ghostlight.track('purchase', { conversion_id: '7', value: 10, currency: 'EUR' });`;

  it('more than one request holds: all arrive, the first among them', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    await page.evaluate(`${purchase} for (let i = 0; i < 44; i++) ghostlight.track('view_item')`);
    await eventually(['page_view', 'purchase', ...Array<string>(44).fill('view_item')]);
    expect(Math.max(...site.received.map(({ events }) => events.length))).toBe(20);
  });

  it('and the page goes: beacons take them all', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    site.page = { head: '' };
    await page.evaluate(
      `${purchase} for (let i = 0; i < 24; i++) ghostlight.track('view_item'); location.href = '/elsewhere'`,
    );
    await expect.poll(() => site.names.length).toBe(26);
    expect(site.names).toContain('purchase');
  });

  it('long ones go in requests below the 64 KiB that a browser allows', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    await page.evaluate(`for (let i = 0; i < 20; i++) ghostlight.track('long', { text: 'ü'.repeat(5000) })`);
    await expect.poll(() => site.names.length).toBe(21);
    for (const { events } of site.received) {
      expect(new Blob([JSON.stringify(events)]).size).toBeLessThan(64 * 1024);
    }
  });

  it('two thousand cost no more than each its own JSON, and the purchase is not pushed out', async () => {
    const page = await site.visit('/');
    await eventually(['page_view']);
    const written = await page.evaluate<number>(`(() => {
      const { stringify } = JSON;
      let characters = 0;
      JSON.stringify = (...args) => { const text = stringify(...args); characters += text.length; return text; };
      ${purchase}
      for (let i = 0; i < 2_000; i++) ghostlight.track('view_item');
      JSON.stringify = stringify;
      return characters;
    })()`);
    // An event has about 700 characters; with the waiting ones for each of them it would be a hundred times as many.
    expect(written).toBeLessThan(2_001 * 2_000);
    await expect.poll(() => site.names).toContain('purchase');
  });
});

it('a page whose old library gives arrays a toJSON of their own sends events nevertheless, and keeps its own', async () => {
  const context = await site.visitor();
  await context.addInitScript(`Array.prototype.toJSON = function () { return '[' + this.join() + ']'; };`);
  const page = await context.newPage();
  await page.goto(site.url());
  await ready(page);
  await page.evaluate(`ghostlight.track('purchase', { products: [{ id: 'a' }] })`);
  await eventually(['page_view', 'purchase']);
  expect(site.events[1]?.['products']).toEqual([{ id: 'a' }]);
  expect(await page.evaluate(`JSON.stringify([1, 2])`)).toBe('"[1,2]"');
});

describe('a policy of the page that forbids the connection', () => {
  it('harms nothing', async () => {
    site.page = {
      init: { consent: GRANTED },
      csp: `script-src 'unsafe-inline' ${site.url('', 'ghost.test')}; connect-src 'none'`,
    };
    const context = await site.visitor();
    const page = await context.newPage();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(site.url());
    await ready(page);
    await waiting(/page_view/, page);
    await page.goto(site.url('/next'));
    await ready(page);
    expect(errors).toEqual([]);
    expect(site.received).toEqual([]);
  });
});

describe('what a page hands in', () => {
  it('is taken as it was at that moment', async () => {
    const page = await site.visit('/');
    await page.evaluate(`const order = { conversion_id: 'o1', value: 1, currency: 'EUR' };
      ghostlight.track('purchase', order); order.value = 2`);
    await eventually(['page_view', 'purchase']);
    expect(site.events[1]).toMatchObject({ value: 1 });
  });

  it.each([
    ['a circle', `const it = {}; it.it = it; ghostlight.track('x', it)`],
    ['a number that JSON has not', `ghostlight.track('x', { n: 10n })`],
    [
      'null for everything',
      `for (const call of Object.values(ghostlight)) if (typeof call === 'function') call(null, null)`,
    ],
    ['a getter that throws', `ghostlight.track('x', { get y() { throw new Error('theirs') } })`],
    ['an event larger than a request', `ghostlight.track('x', { y: 'z'.repeat(70000) })`],
    ['a callback that throws', `ghostlight.ready(() => { throw new Error('theirs') })`],
  ])('never fails, with %s, and the next event arrives', async (_, script) => {
    const page = await site.visit('/');
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await eventually(['page_view']);
    await page.evaluate(script);
    await page.evaluate(`ghostlight.setConsent({ analytics: true }); ghostlight.track('next')`);
    await expect.poll(() => site.names.at(-1)).toBe('next');
    expect(errors).toEqual([]);
  });

  it('can’t pass for another visitor or property', async () => {
    const page = await site.visit('/');
    await page.evaluate(
      `ghostlight.track('x', { visitor_id: 'theirs', attribution_id: 'theirs', event_id: 'theirs', consent: 1 })`,
    );
    await eventually(['page_view', 'x']);
    expect(JSON.stringify(site.events)).not.toContain('theirs');
  });
});
