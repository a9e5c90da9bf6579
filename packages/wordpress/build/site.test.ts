/** The plugin in a site on PHP's own server, with as much of WordPress as it asks for. */
import { embeddedLists } from '@ghostlight/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileOf, PHP, runPhp } from '../testing/php.ts';
import { ID, KEY, Service, Site } from '../testing/site.ts';

const canRun =
  PHP !== null && (await runPhp(PHP, ['-r', 'echo class_exists("SQLite3") ? "yes" : "no";'])) === 'yes';

let service: Service;
let site: Site;
let slow: Site;
const settings = (more: object = {}) => ({ url: service.address, attribution_id: ID, ...more });

describe.skipIf(!canRun)('a site with the plugin', () => {
  beforeAll(async () => {
    service = await new Service().start();
    [site, slow] = await Promise.all([Site.start(true), Site.start(false)]);
  });
  afterAll(async () => {
    await Promise.all([site.stop(), slow.stop(), service.stop()]);
  });
  beforeEach(async () => {
    service.asked.length = 0;
    service.answer = () => undefined;
    await Promise.all([site.reset(settings()), slow.reset(settings())]);
  });

  it('reports a crawler’s visit with its status, by the key in a header alone', async () => {
    const page = await site.crawl('/missing?x=1', { Referer: 'https://a.example/' });
    expect(page.status).toBe(404);
    expect(await page.text()).not.toContain('svc_cf');
    expect(service.asked).toMatchObject([
      { method: 'POST', path: `/v1/logs/wordpress?attribution_id=${ID}`, headers: { 'x-api-key': KEY } },
    ]);
    expect(service.visits()).toMatchObject([
      {
        pathname: '/missing?x=1',
        status: 404,
        user_agent: 'GPTBot/1.3',
        ip: '127.0.0.1',
        referer: 'https://a.example/',
      },
    ]);
    const { ghostlight_status: status } = await site.options();
    expect(status).toMatchObject({ sent: 1, failures: 0, problem: null });
    expect(site.errors()).toBe('');
  });

  it('reports a person who comes from an assistant, without address or anything personal', async () => {
    await site.visit('/page?name=anna&utm_source=chatgpt.com', {
      Referer: 'https://chatgpt.com/c/1',
      Host: 'www.shop.example',
    });
    expect(service.visits()).toMatchObject([
      { pathname: '/page?utm_source=chatgpt.com', referer: 'https://chatgpt.com/' },
    ]);
    expect(service.visits()[0]).not.toHaveProperty('ip');
    await site.options({ ghostlight_turn: '0' });
    await site.visit('/next?utm_source=chatgpt.com', { Referer: 'https://shop.example/page' });
    expect(service.visits()).toHaveLength(1);
  });

  it.each([
    ['a REST request', '/wp-json/wp/v2/posts', {}],
    ['an admin page', '/wp-admin/index.php', {}],
    ['an ajax request', '/wp-admin/admin-ajax.php', {}],
    ['wp-cron', '/wp-cron.php', {}],
    ['an administrator', '/', { Cookie: 'test_role=administrator' }],
    ['the site itself', '/', { 'User-Agent': 'WordPress/6.8; https://www.shop.example GPTBot/1.3' }],
  ])('%s is no visit', async (_, path, headers) => {
    await site.crawl(path, headers);
    expect(service.asked).toEqual([]);
    expect((await site.options())['ghostlight_turn']).toBe('0');
  });

  it('behind a proxy that the settings don’t describe a crawler is reported without an address', async () => {
    const reported = async (more: object, headers: Record<string, string>) => {
      service.asked.length = 0;
      await site.options({ ghostlight_settings: settings(more), ghostlight_turn: '0' });
      await site.crawl('/', headers);
      return service.visits()[0]?.['ip'];
    };
    const proxied = { 'X-Forwarded-For': '203.0.113.9' };
    expect(await reported({}, {})).toBe('127.0.0.1');
    expect(await reported({}, proxied)).toBeUndefined();
    // Chosen before there was "not yet".
    expect(await reported({ address_mode: 'direct' }, proxied)).toBe('127.0.0.1');
    expect(await reported({ address_mode: 'proxies' }, proxied)).toBe('203.0.113.9');
  });

  it('in a network the key of wp-config.php goes to no address that the owner of one site enters', async () => {
    const fixed = { 'X-Test-Key': 'svc_cf_of_the_network' };
    const keys: unknown[] = [];
    for (const headers of [fixed, { ...fixed, 'X-Test-Network': '1' }]) {
      await site.options({ ghostlight_turn: '0' });
      await site.crawl('/', headers);
      keys.push(service.asked.at(-1)?.headers['x-api-key']);
    }
    expect(keys).toEqual(['svc_cf_of_the_network', KEY]);
  });

  it('a customer who is logged in is a visitor like any other', async () => {
    await site.visit('/', { Referer: 'https://claude.ai/', Cookie: 'test_role=customer' });
    expect(service.visits()).toHaveLength(1);
  });

  it('a person’s visit is reported when it is drawn for the sample', async () => {
    await site.visit('/');
    expect(service.asked).toEqual([]);
    await site.visit('/', { 'X-Test-Drawn': '1' });
    expect(service.visits()).toMatchObject([{ sample_rate: 0.02 }]);
  });

  it('sends once in ten seconds; what comes between waits for wp-cron', async () => {
    for (const path of ['/1', '/2', '/3']) await site.crawl(path);
    expect(service.visits()).toMatchObject([{ pathname: '/1' }]);
    expect((await site.options())['cron']).toHaveProperty('ghostlight_send');
    await site.options({ ghostlight_turn: '0' });
    await site.cron();
    expect(service.asked).toHaveLength(2);
    expect(service.visits().map(({ pathname }) => pathname)).toEqual(['/1', '/2', '/3']);
    expect(new Set(service.visits().map(({ request_id: id }) => id)).size).toBe(3);
    await site.options({ ghostlight_turn: '0' });
    await site.cron();
    expect(service.asked).toHaveLength(2);
  });

  it('where an answer can’t be ended first, the page sends nothing and waits for nothing', async () => {
    for (const path of ['/1', '/2']) await slow.crawl(path);
    expect(service.asked).toEqual([]);
    expect((await slow.options())['test_spawned']).toBe('1');
    await slow.cron();
    expect(service.visits().map(({ pathname }) => pathname)).toEqual(['/1', '/2']);
    expect(slow.errors()).toBe('');
  });

  it('backs off when the service is out of order, and sends everything when it is back', async () => {
    service.answer = () => ({ status: 503, headers: { 'Retry-After': '120' } });
    await site.crawl('/1');
    await site.options({ ghostlight_turn: '0' });
    await site.crawl('/2');
    await site.cron();
    expect(service.asked).toHaveLength(1);
    const during = await site.options();
    expect(during['ghostlight_status']).toMatchObject({
      failures: 1,
      problem: { code: 'busy', status: 503 },
    });
    const { value, until } = during['_transient_ghostlight_pause'] as { value: number; until: number };
    expect(value).toBe(until);
    expect(value - Date.now() / 1000).toBeGreaterThan(90);
    service.answer = () => undefined;
    await site.options({ _transient_ghostlight_pause: null, ghostlight_turn: '0' });
    await site.cron();
    expect(service.asked.at(-1)?.lines.map(({ pathname }) => pathname)).toEqual(['/1', '/2']);
    expect((await site.options())['ghostlight_status']).toMatchObject({ failures: 0, sent: 2 });
  });

  it('waits longer after each failure, and says what a refusal means', async () => {
    const waits: number[] = [];
    for (const answer of [{ status: 500 }, { status: 500 }, { status: 500 }, { status: 401 }]) {
      service.answer = () => answer;
      await site.options({ _transient_ghostlight_pause: null, ghostlight_turn: '0' });
      await site.crawl('/1');
      const { value } = (await site.options())['_transient_ghostlight_pause'] as { value: number };
      waits.push(Math.round((value - Date.now() / 1000) / 60));
    }
    expect(waits).toEqual([1, 2, 4, 15]);
    expect((await site.options())['ghostlight_status']).toMatchObject({
      problem: { code: 'key', status: 401 },
    });
    expect(JSON.stringify((await site.options())['ghostlight_status'])).not.toContain('svc_cf');
  });

  it('never follows a redirect with the key', async () => {
    service.answer = ({ path }) =>
      path.startsWith('/elsewhere') ? undefined : { status: 302, headers: { Location: '/elsewhere' } };
    await site.crawl('/1');
    expect(service.asked).toHaveLength(1);
    expect((await site.options())['ghostlight_status']).toMatchObject({ problem: { code: 'redirect' } });
  });

  it('keeps 2,000 visits while the service is unreachable, drops further ones and counts them', async () => {
    await site.options({ _transient_ghostlight_pause: { value: 4_000_000_000, until: 4_000_000_000 } });
    await site.crawl('/first');
    await site.visit('/test/fill');
    await site.crawl('/last');
    await site.crawl('/too-many');
    await site.crawl('/too-many');
    expect(await site.options()).toMatchObject({ ghostlight_dropped: '2' });
    expect(service.asked).toEqual([]);
  });

  it('drops a batch that the service will never take, and counts it', async () => {
    service.answer = () => ({ status: 422, body: '{"detail":"attribution_id is not a UUID."}' });
    await site.crawl('/1');
    expect(await site.options()).toMatchObject({
      ghostlight_dropped: '1',
      ghostlight_status: {
        problem: { code: 'refused', status: 422, detail: 'attribution_id is not a UUID.' },
      },
    });
  });

  it('takes the list of the service every six hours, and the one at hand where that is not to be had', async () => {
    const lists = embeddedLists();
    const [pattern] = lists.bot_patterns;
    const newer = {
      ...lists,
      version: 99,
      bot_patterns: [{ ...pattern, pattern: 'newbot-17', bot_name: 'NewBot' }],
    };
    service.answer = ({ method, headers }) =>
      method === 'POST'
        ? undefined
        : headers['if-none-match'] === '"99"'
          ? { status: 304 }
          : { status: 200, headers: { ETag: '"99"' }, body: JSON.stringify(newer) };
    const visitOfNewBot = async () => {
      await site.options({ ghostlight_turn: '0' });
      await site.visit('/', { 'User-Agent': 'NewBot-17/1.0' });
      return service.visits().length;
    };
    expect(await visitOfNewBot()).toBe(0);
    await site.options({ cron: { ghostlight_lists: 1 } });
    await site.cron();
    expect(service.asked).toMatchObject([{ method: 'GET', path: '/v1/config/ai-bots' }]);
    expect(service.asked[0]?.headers).not.toHaveProperty('x-api-key');
    expect(await visitOfNewBot()).toBe(1);
    const stored = JSON.stringify((await site.options())['ghostlight_lists']);
    expect(stored).not.toContain('prefixes');
    for (const answer of [{ status: 304 }, { status: 500 }, { status: 200, body: '{"version":100}' }]) {
      service.answer = ({ method }) => (method === 'POST' ? undefined : answer);
      await site.options({ cron: { ghostlight_lists: 1 } });
      await site.cron();
    }
    expect(service.asked.at(-1)?.headers['if-none-match']).toBe('"99"');
    expect(await visitOfNewBot()).toBe(2);
  });

  it('without an address of the service, or with an ID that is none, it does nothing at all', async () => {
    for (const broken of [
      {},
      { url: service.address },
      { url: 'javascript:alert(1)', attribution_id: ID },
      'text',
    ]) {
      await site.reset(broken as object);
      await site.crawl('/');
      expect((await site.options())['ghostlight_turn']).toBe('0');
    }
    expect(service.asked).toEqual([]);
    expect(site.errors()).toBe('');
  });

  it('a fault of the plugin’s own leaves the page as it is', async () => {
    await site.visit('/test/drop-table');
    const page = await site.crawl('/');
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html><title>A page</title>']);
    await site.visit('/test/install');
  });

  describe('the settings page', () => {
    const stored = async () => {
      const { ghostlight_settings: of, ghostlight_secret: secret } = await site.options();
      return { of, secret };
    };

    it('keeps what was there where a field has something that can’t be used, and says which', async () => {
      const before = await stored();
      const wrong = {
        url: 'ghost',
        attribution_id: '1',
        address_mode: 'guess',
        proxies: '99',
        header: 'X-Any',
      };
      expect(await site.save({ settings: wrong, key: 'svc_wh_1234' })).toEqual([
        ...['error ghostlight_url', 'error ghostlight_attribution_id', 'error ghostlight_key'],
      ]);
      expect(await stored()).toMatchObject({
        of: { ...(before.of as object), address_mode: 'unsaid', proxies: 9, header: 'CF-Connecting-IP' },
        secret: before.secret,
      });
    });

    it('keeps the key when its field is empty, and replaces it by a new one', async () => {
      expect(await site.save({ settings: settings(), key: '' })).toEqual([]);
      expect((await stored()).secret).toEqual({ key: KEY });
      expect(await site.save({ settings: settings() })).toEqual([]);
      expect((await stored()).secret).toEqual({ key: KEY });
      await site.save({ settings: settings(), key: ' svc_cf_new\n' });
      expect((await stored()).secret).toEqual({ key: 'svc_cf_new' });
    });

    it('warns of an address without encryption, unless it is near', async () => {
      for (const far of ['http://ghost.example', 'http://8.8.8.8', 'http://[2a00:1450::1]:8080'])
        expect(await site.save({ settings: settings({ url: far }) })).toEqual(['warning ghostlight_http']);
      for (const near of [
        'http://[::1]:8080',
        'http://127.0.0.1:8080',
        'http://10.1.2.3',
        'http://localhost',
        'http://ghostlight:8080',
        'https://ghost.example',
      ])
        expect(await site.save({ settings: settings({ url: near }) })).toEqual([]);
    });

    it('ends a wait and asks for the list again when settings change', async () => {
      service.answer = () => ({ status: 401 });
      await site.crawl('/1');
      service.answer = () => undefined;
      expect(await site.options()).toHaveProperty('_transient_ghostlight_pause');
      await site.save({ settings: settings({ address_mode: 'proxies' }) });
      const after = await site.options({ ghostlight_turn: '0' });
      expect(after).not.toHaveProperty('_transient_ghostlight_pause');
      expect(Object.keys(after['cron'] as object).sort()).toEqual(['ghostlight_lists', 'ghostlight_send']);
      await site.cron();
      expect(service.asked.at(-1)?.lines).toMatchObject([{ pathname: '/1' }]);
    });

    it('never has the key, whatever state it shows', async () => {
      const shown: string[] = [await site.page()];
      service.answer = () => ({ status: 503 });
      await site.crawl('/1');
      shown.push(await site.page());
      await site.options({ ghostlight_status: { sent_at: 1, sent: 1, failures: 0, problem: null } });
      shown.push(await site.page());
      for (const html of shown) {
        expect(html).not.toContain(KEY.slice(7));
        expect(html).toContain('A key is stored.');
      }
      expect(shown[0]).toContain('Ready.');
      expect(shown[1]).toContain('Ghostlight is busy or out of order (503).');
      expect(shown[1]).toMatch(/Next attempt in \d+ seconds/);
      expect(shown[2]).toContain('Visits are reported.');
      await site.options({ ghostlight_secret: {} });
      expect(await site.page()).toContain('Nothing is reported yet.');
    });

    it('says what each choice of an address gives for the reader, and escapes it', async () => {
      const html = await (
        await site.visit('/test/page', { 'X-Forwarded-For': '203.0.113.9', 'CF-Connecting-IP': '"><b>' })
      ).text();
      expect(html).toContain('(your address: 127.0.0.1)');
      expect(html).toContain('(your address: 203.0.113.9)');
      expect(html).toContain('(no address for you)');
      expect(html).not.toContain('<b>');
    });

    it('asks where addresses are when a proxy shows and no choice is made, and says what is chosen', async () => {
      const proxied = { 'X-Forwarded-For': '203.0.113.9', Via: '1.1 edge' };
      const shown = async (mode?: string) => {
        const chosen = mode === undefined ? {} : { address_mode: mode };
        await site.options({ ghostlight_settings: settings(chosen) });
        return { plain: await site.page(), behind: await site.page(proxied) };
      };
      const open = await shown();
      expect(open.plain).toContain('value="unsaid" checked');
      expect(open.plain).toContain('Nothing is chosen yet. Your request shows no proxy.');
      expect(open.plain).not.toContain('Choose where visitors’ addresses are');
      expect(open.behind).toContain('a CDN or a proxy (X-Forwarded-For, Via). Until you choose');
      expect(open.behind).toContain('Choose where visitors’ addresses are');
      const direct = await shown('direct');
      expect(direct.plain).toContain('value="direct" checked');
      expect(direct.plain).not.toContain(' is chosen');
      expect(direct.behind).toContain('“Directly” is chosen, but your request came through');
      const proxies = await shown('proxies');
      expect(proxies.behind).toContain('value="proxies" checked');
      expect(proxies.behind).not.toMatch(/is chosen|Choose where/);
    });

    it('shows what the service and the network say as text, never as HTML', async () => {
      const evil = '<script>alert(1)</script><img src=x onerror="alert(2)">';
      service.answer = ({ method }) =>
        method === 'POST' ? { status: 422, body: JSON.stringify({ detail: evil }) } : undefined;
      const page = await site.sendTest();
      const texts = page.match(/&lt;script&gt;alert\(1\)/g);
      // The answer to the button, the state, and the last error.
      expect(texts).toHaveLength(3);
      service.answer = ({ method }) =>
        method === 'POST'
          ? { status: 200, body: JSON.stringify({ rejected: 1, errors: [{ message: evil }] }) }
          : undefined;
      const found = async (result: object) => {
        const value = { at: 1, asked: 0, seen: 0, caches: [], error: '', ...result };
        await site.options({ _transient_ghostlight_cache_check: { value, until: 4_000_000_000 } });
      };
      await found({ error: evil });
      const after = await site.sendTest();
      expect(after).toContain('settings-error');
      expect(after).toContain('could not request its own front page');
      await found({ asked: 2, caches: [evil] });
      for (const html of [page, after, await site.page()]) {
        expect(html).toContain('&lt;script&gt;');
        expect(html).not.toMatch(/<script|<img/);
      }
    });

    it('says when a page cache hides visits, and what to do instead', async () => {
      const found = { at: Math.floor(Date.now() / 1000), asked: 2, seen: 0, caches: ['Varnish'], error: '' };
      const shown = async (result: object, more: object = {}) => {
        await site.options({
          _transient_ghostlight_cache_check: { value: { ...found, ...result }, until: 4_000_000_000 },
          ...more,
        });
        return await site.page();
      };
      const hidden = await shown({});
      expect(hidden).toContain('A page cache hides visits (Varnish)');
      expect(hidden).toContain('<code>ghostlight-tail</code>');
      expect(await shown({ seen: 2, caches: [] })).toContain('No page cache hides visits');
      expect(await shown({ asked: 0, error: 'refused' })).toContain('could not request its own front page');
      const rocket = { active_plugins: ['wp-rocket/wp-rocket.php', 'akismet/akismet.php'] };
      expect(await shown({ seen: 2, caches: [] }, rocket)).toContain('A page cache is installed: WP Rocket.');
      expect(await shown({ seen: 1, caches: ['a CDN'] }, rocket)).toContain(
        'A page cache hides visits (WP Rocket)',
      );
      await site.options({ _transient_ghostlight_cache_check: null, active_plugins: null });
      const behind = await site.visit('/test/page', { 'CF-Ray': '8a1b2c3d4e5f6789-FRA' });
      expect(await behind.text()).toContain('Cloudflare is in front of this site.');
    });
  });

  describe('the manifest', () => {
    const text = (more: object = {}) =>
      JSON.stringify({
        ...{ attribution_id: ID, hosts: ['www.shop.example'], signature: 'e30..x', tools: [] },
        ...{ expires_at: new Date(Date.now() + 3_600_000).toISOString(), ...more },
      });
    const PATH = '/.well-known/webmcp.json';
    // fetch sets Host itself.
    const fetchManifest = (headers: Record<string, string> = {}, path = PATH) =>
      site.visit(`/test/host${path}`, { 'X-Test-Host': 'www.shop.example:443', ...headers });
    let manifest = text();

    beforeEach(async () => {
      manifest = text();
      service.answer = ({ method, path, headers }) =>
        method === 'GET' && path.includes('/webmcp/')
          ? headers['if-none-match'] === '"m1"'
            ? { status: 304 }
            : { status: 200, headers: { ETag: '"m1"' }, body: manifest }
          : undefined;
      await site.reset(settings({ serves_manifest: '1' }));
    });
    const asked = () => service.asked.filter(({ path }) => path.includes('/webmcp/')).length;

    it('is served as the service signed it, and kept', async () => {
      const first = await fetchManifest();
      expect(await first.text()).toBe(manifest);
      expect(Object.fromEntries(first.headers)).toMatchObject({
        ...{ 'content-type': 'application/json', 'access-control-allow-origin': '*', etag: '"m1"' },
        ...{
          'cache-control': 'public, max-age=3600',
          'x-webmcp-cache': 'MISS',
          'x-content-type-options': 'nosniff',
        },
      });
      const second = await fetchManifest();
      expect([second.headers.get('X-WebMCP-Cache'), await second.text()]).toEqual(['HIT', manifest]);
      // Of itself fetch adds `no-cache` to a conditional request.
      const third = await fetchManifest({ 'If-None-Match': 'W/"m1"', 'Cache-Control': 'max-age=0' });
      expect([third.status, await third.text()]).toEqual([304, '']);
      expect(asked()).toBe(1);
      expect(service.asked[0]?.path).toBe(`/api/v1/webmcp/${ID}/manifest/`);
      expect(service.asked[0]?.headers).not.toHaveProperty('x-api-key');
    });

    it('is fetched again for an agent that asks past the cache, twice a minute at most', async () => {
      await fetchManifest();
      manifest = text({ tools: [{ name: 'new' }] });
      const newer = await fetchManifest({ 'Cache-Control': 'no-cache' });
      expect([newer.headers.get('X-WebMCP-Cache'), await newer.text()]).toEqual(['REVALIDATED', manifest]);
      expect((await fetchManifest({ 'Cache-Control': 'no-cache' })).headers.get('X-WebMCP-Cache')).toBe(
        'HIT',
      );
      expect(asked()).toBe(2);
    });

    it('is checked after an answer when a minute has passed, and served during an outage until it expires', async () => {
      await fetchManifest();
      const aged = async (seconds: number, more: object = {}) => {
        const copy = (await site.options())['ghostlight_manifest'] as { at: number };
        await site.options({
          ghostlight_manifest: { ...copy, at: Math.floor(Date.now() / 1000) - seconds, ...more },
          _transient_ghostlight_manifest_turn: null,
        });
      };
      await aged(90);
      expect((await fetchManifest()).headers.get('X-WebMCP-Cache')).toBe('HIT');
      expect([asked(), service.asked.at(-1)?.headers['if-none-match']]).toEqual([2, '"m1"']);
      service.answer = () => ({ status: 500 });
      await aged(7200);
      expect((await fetchManifest()).headers.get('X-WebMCP-Cache')).toBe('STALE');
      expect(asked()).toBe(3);
      expect((await fetchManifest()).headers.get('X-WebMCP-Cache')).toBe('STALE');
      expect(asked()).toBe(3);
      await aged(7200, { expires: 1 });
      expect(await (await fetchManifest()).text()).toContain('A page');
    });

    it('is left to WordPress for another host, another path, or when none is published or usable', async () => {
      expect(await (await site.visit(PATH)).text()).toContain('A page');
      expect(await (await fetchManifest({}, '/blog/.well-known/webmcp.json')).text()).toContain('A page');
      for (const unusable of [
        text({ signature: 1 }),
        text({ attribution_id: KEY }),
        text({ expires_at: '2020-01-01T00:00:00Z' }),
        '<html>',
      ]) {
        await site.reset(settings({ serves_manifest: '1' }));
        manifest = unusable;
        expect(await (await fetchManifest()).text()).toContain('A page');
      }
      service.answer = () => undefined;
      await site.reset(settings({ serves_manifest: '1' }));
      service.asked.length = 0;
      for (let turn = 0; turn < 3; turn += 1)
        expect(await (await fetchManifest()).text()).toContain('A page');
      expect(asked()).toBe(1);
      await site.reset(settings());
      await fetchManifest();
      expect(asked()).toBe(1);
    });
  });

  it('looks for page caches by itself, once a day', async () => {
    await site.options({ cron: { ghostlight_lists: 1 } });
    await site.cron();
    const { test_asked_itself: asked, _transient_ghostlight_cache_check: kept } = await site.options();
    expect(asked).toMatchObject({
      'https://www.shop.example/': { 'X-Ghostlight-Probe': expect.stringMatching(/^[\d.a-f]+$/) },
    });
    expect(kept).toMatchObject({ value: { asked: 0, seen: 0, error: 'No loopback.' } });
    await site.options({ cron: { ghostlight_lists: 1 }, test_asked_itself: null });
    await site.cron();
    expect(await site.options()).not.toHaveProperty('test_asked_itself');
  });

  it('answers its own question about page caches, and no other sender’s', async () => {
    const ask = async (word: string) =>
      (await site.visit('/', { 'X-Ghostlight-Probe': word })).headers.get('X-Ghostlight-Probe');
    const question = await runPhp(PHP ?? '', [fileOf('question.php')]);
    expect(await ask(question)).toMatch(/^[0-9a-f]{32}$/);
    for (const forged of ['', 'x', question.replace(/.$/, (last) => (last === '0' ? '1' : '0'))])
      expect(await ask(forged)).toBeNull();
    await site.crawl('/', { 'X-Ghostlight-Probe': question });
    expect(service.asked).toEqual([]);
    await site.crawl('/', { 'X-Ghostlight-Probe': 'x' });
    expect(service.asked).toHaveLength(1);
  });
});
