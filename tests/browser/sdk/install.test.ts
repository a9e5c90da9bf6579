/** The two ways into a page: the snippet, whose calls wait for the script, and the package. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ATTRIBUTION_ID, ask, GRANTED, ready, Site, UUID } from './site.ts';

const site = new Site();
beforeAll(() => site.start());
afterEach(() => site.reset());
afterAll(() => site.dispose());

const eventually = (names: string[]) => expect.poll(() => site.names).toEqual(names);
const init = (extra: object = {}) =>
  JSON.stringify({
    attributionId: ATTRIBUTION_ID,
    endpoint: site.url('', 'ghost.test'),
    consent: GRANTED,
    ...extra,
  });

describe('the snippet', () => {
  it('keeps calls until the script is there, in their order and with their answers', async () => {
    const context = await site.visitor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/sdk.js', async (route) => {
      await released;
      await route.continue();
    });
    const page = await context.newPage();
    await page.goto(site.url(), { waitUntil: 'commit' });
    await page.waitForFunction('window.ghostlight');
    await page.evaluate(`
      window.answers = [];
      const { track } = ghostlight;
      track('early', { n: 1 });
      ghostlight.ready((loaded) => answers.push(['callback', loaded === ghostlight]));
      ghostlight.ready().then((loaded) => answers.push(['promise', loaded === ghostlight]));
      window.id = ghostlight.getVisitorId();
      window.taken = track;
    `);
    release();
    await eventually(['page_view', 'early']);
    expect(await page.evaluate('id')).toBe(site.events[0]?.visitor_id);
    await page.evaluate(`taken('late')`);
    await eventually(['page_view', 'early', 'late']);
    expect(await page.evaluate('answers')).toEqual([
      ['callback', true],
      ['promise', true],
    ]);
  });

  it('answers a string at once when the script is there, which may be awaited too', async () => {
    const page = await site.visit('/');
    expect(await page.evaluate('typeof ghostlight.getVisitorId()')).toBe('string');
    expect(await page.evaluate('(async () => await ghostlight.getVisitorId())()')).toMatch(UUID);
  });

  it('lets no caller wait when a blocker refuses the script', async () => {
    const context = await site.visitor();
    await context.route('**/sdk.js', (route) => route.abort('blockedbyclient'));
    const page = await context.newPage();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(site.url());
    expect(await page.evaluate('ghostlight.getVisitorId().then((id) => [id])')).toEqual(['']);
    expect(await page.evaluate('ghostlight.ready().then((it) => it === ghostlight)')).toBe(true);
    await page.evaluate(`ghostlight.track('x'); ghostlight.setConsent({ analytics: true })`);
    expect(errors).toEqual([]);
  });

  it('leaves no checkout waiting when a blocker serves an empty script', async () => {
    const context = await site.visitor();
    await context.route('**/sdk.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    const page = await context.newPage();
    await page.goto(site.url());
    expect(await page.evaluate('ghostlight.getVisitorId().then((id) => [id])')).toEqual(['']);
    // Called after it was given up.
    expect(await page.evaluate('ghostlight.getSessionId().then((id) => [id])')).toEqual(['']);
  });

  it('leaves no checkout waiting for a script that does not come, and does what was called when it comes', async () => {
    const context = await site.visitor();
    await context.clock.install();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/sdk.js', async (route) => {
      await released;
      await route.continue();
    });
    const page = await context.newPage();
    await page.goto(site.url(), { waitUntil: 'commit' });
    await page.waitForFunction('window.ghostlight');
    await page.evaluate(`ghostlight.track('early'); window.id = ghostlight.getVisitorId()`);
    await page.clock.runFor(3_000);
    expect(await page.evaluate('id')).toBe('');
    release();
    await page.waitForFunction('ghostlight.version');
    await page.clock.runFor(1_000);
    await eventually(['page_view', 'early']);
    expect(await page.evaluate('ghostlight.getVisitorId()')).toMatch(UUID);
  });

  it.each([
    ['that knows its policy lets it load', '; trusted-types ghostlight', UUID],
    ['that knows none settles all calls', "; trusted-types 'none'", /^$/],
  ])('a page with Trusted Types %s', async (_, trusted, id) => {
    const service = site.url('', 'ghost.test');
    site.page = {
      init: { consent: GRANTED },
      csp: `require-trusted-types-for 'script'; script-src 'unsafe-inline' ${service}; connect-src ${service}${trusted}`,
    };
    const context = await site.visitor();
    const page = await context.newPage();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(site.url());
    expect(await page.evaluate('(async () => await ghostlight.getVisitorId())()')).toMatch(id);
    expect(errors).toEqual([]);
  });

  it('may be in a page twice', async () => {
    site.page = { head: `${site.snippet()}${site.snippet()}` };
    const page = await site.visit('/');
    await page.addScriptTag({ url: site.url('/sdk.js', 'ghost.test') });
    await page.evaluate(`ghostlight.init(${init()}); history.pushState({}, '', '/next')`);
    await eventually(['page_view', 'page_view']);
    await page.waitForTimeout(300);
    expect(site.names).toHaveLength(2);
  });
});

describe('calls before init', () => {
  it('answer that there is nothing yet, and follow it', async () => {
    site.page = { head: '<script src="/sdk.js"></script>' };
    const context = await site.visitor();
    const page = await context.newPage();
    await page.goto(site.url());
    expect(await ask(page, 'getVisitorId()')).toBe('');
    expect(await ask(page, 'getSessionId()')).toBe('');
    expect(await ask(page, 'getAttribution()')).toBeNull();
    expect(await ask(page, 'getConsent()')).toBeNull();
    await page.evaluate(
      `ghostlight.track('child'); ghostlight.init({}); ghostlight.init(); ghostlight.init(${init()})`,
    );
    await eventually(['page_view', 'child']);
  });
});

describe('the package', () => {
  it('shares the page with the script: one visitor, each event once', async () => {
    site.page = {
      head: `${site.snippet()}<script type="module">
        import * as sdk from '/sdk.mjs';
        sdk.init(${init()});
        sdk.ready(() => { window.same = [sdk.getVisitorId(), ghostlight.getVisitorId()]; sdk.track('from_module'); });
      </script>`,
    };
    const page = await site.visit('/');
    await eventually(['page_view', 'from_module']);
    const [mine, theirs] = await page.evaluate<string[]>('same');
    expect(mine).toBe(theirs);
  });

  it('works alone', async () => {
    site.page = {
      head: `<script type="module">
        import { getVisitorId, init, track } from '/sdk.mjs';
        track('sign_up', { method: 'form' });
        init(${init()});
        window.id = await getVisitorId();
      </script>`,
    };
    const context = await site.visitor();
    const page = await context.newPage();
    await page.goto(site.url());
    await eventually(['page_view', 'sign_up']);
    expect(await page.evaluate('id')).toBe(site.events[0]?.visitor_id);
  });
});

it('a page that is rendered ahead is a view when it is seen', async () => {
  const context = await site.visitor();
  await context.addInitScript(
    `Object.defineProperty(document, 'prerendering', { get: () => !window.seen, configurable: true })`,
  );
  const page = await context.newPage();
  await page.goto(site.url());
  await page.waitForFunction('ghostlight.version');
  await page.evaluate(`ghostlight.track('ahead')`);
  await page.waitForTimeout(300);
  expect(site.received).toEqual([]);
  await page.evaluate(`window.seen = true; document.dispatchEvent(new Event('prerenderingchange'))`);
  await ready(page);
  await eventually(['page_view', 'ahead']);
});

it('a page that comes back from the cache is a view again', async () => {
  const page = await site.visit('/');
  await eventually(['page_view']);
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await eventually(['page_view', 'page_view']);
});
