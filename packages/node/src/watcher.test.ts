/** What leaves the application of a request, by what it is. */
import { describe, expect, it } from 'vitest';
import { INSIDE, OUTSIDE, publishedLists } from '../../collector/src/testing/lists.ts';
import { CHROME, GOOGLEBOT, GPTBOT } from '../../collector/src/testing/values.ts';
import type { GhostlightOptions } from './api.ts';
import type { Incoming } from './incoming.ts';
import { type Line, startWatching, type Watching } from './testing/watching.ts';
import { NOW, TODAY } from './testing/world.ts';
import { VERSION } from './version.ts';

const request = (target: string, headers: Record<string, string> = {}, peer = INSIDE): Incoming => {
  const all: Record<string, string> = { host: 'Shop.Example:443', ...headers };
  return {
    ...{ method: 'GET', target, peer, encrypted: true },
    header: (name) => all[name] ?? '',
    headers: () => new Headers(all),
  };
};
const watch = (options: Partial<GhostlightOptions> = {}): Watching =>
  startWatching(publishedLists({}, TODAY), options);
const bot = (target: string, headers: Record<string, string> = {}, peer?: string) =>
  request(target, { 'user-agent': GPTBOT, ...headers }, peer);

describe('an AI bot', () => {
  it('is reported with all that it asked for and how it ended, and without its address', async () => {
    const line = await watch().reportOf(
      bot('/shoes/red?size=7&q=a%20b', { referer: 'https://blog.example/post?id=1' }),
      {
        status: 404,
        bytes: 12,
      },
    );
    expect(line).toEqual({
      ...{ timestamp: NOW, worker_version: VERSION, host: 'shop.example', method: 'GET' },
      ...{
        pathname: '/shoes/red?size=7&q=a+b',
        user_agent: GPTBOT,
        referer: 'https://blog.example/post?id=1',
      },
      ...{ status: 404, bytes: 12, request_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
      ...{ verified: true, verified_by: 'edge_cidr', ranges_as_of: TODAY },
    });
  });

  it('is spoofed outside of its vendor’s ranges', async () => {
    const line = await watch().reportOf(bot('/', {}, OUTSIDE));
    expect(line).toMatchObject({ verified: false });
    expect(line).not.toHaveProperty('unchecked');
  });

  it('is without a verdict where its address is not known, so never spoofed; and the log says why', async () => {
    const { reportOf, said, events } = watch();
    const line = await reportOf(bot('/', { 'x-forwarded-for': OUTSIDE }, '10.0.0.7'));
    for (const member of ['verified', 'unchecked', 'ip', 'ranges_as_of'])
      expect(line).not.toHaveProperty(member);
    expect(said.join()).toContain('trustProxy is not set');
    expect(events[0]).toMatchObject({ type: 'visit', class: 'ai_bot', verified: null });
  });

  it('is without a verdict where the address is a proxy’s, which shows that trustProxy is wrong', async () => {
    const line = await watch({ trustProxy: 1 }).reportOf(bot('/', { 'x-forwarded-for': '104.16.0.1' }));
    expect(line).toMatchObject({ ip: '104.16.0.1' });
    expect(line).not.toHaveProperty('verified');
  });

  it('is checked by the address that the proxies name', async () => {
    const { reportOf } = watch({ trustProxy: 1 });
    const visit = (address: string) =>
      reportOf(bot('/', { 'x-forwarded-for': `6.6.6.6, ${address}` }, '10.0.0.7'));
    expect(await visit(INSIDE)).toMatchObject({ verified: true });
    expect(await visit(OUTSIDE)).toMatchObject({ verified: false });
  });

  it('has neither status nor bytes where nothing tells them', async () => {
    const line = await watch().reportOf(bot('/'), { status: undefined, bytes: undefined });
    expect(line).not.toHaveProperty('status');
    expect(line).not.toHaveProperty('bytes');
    expect(await watch().reportOf(bot('/'), { status: 200, bytes: 0 })).toMatchObject({ bytes: 0 });
  });
});

describe('of a person from an AI product', () => {
  it('only the page, the campaign and where they came from leave', async () => {
    const { reportOf } = watch();
    const headers = { 'user-agent': CHROME, referer: 'https://chatgpt.com/c/secret?q=private' };
    const line = await reportOf(request('/page?email=a%40b.example&utm_source=chatgpt.com&gclid=x', headers));
    expect(line).toMatchObject({
      ...{ pathname: '/page?utm_source=chatgpt.com&gclid=x', referer: 'https://chatgpt.com/' },
    });
    for (const member of ['ip', 'verified', 'sample_rate']) expect(line).not.toHaveProperty(member);
  });

  it('nothing is said where they come from the site itself, whatever tag the address carries', async () => {
    const { reportOf } = watch();
    const headers = { 'user-agent': CHROME, referer: 'https://www.shop.example/' };
    expect(await reportOf(request('/page?utm_source=chatgpt.com', headers))).toBeNull();
  });
});

describe('of all others', () => {
  it('only numbers leave, by quarter of an hour, host and kind', async () => {
    const { reportOf, counted, watcher } = watch();
    for (const [target, agent] of [
      ...[
        ['/', CHROME],
        ['/a', CHROME],
        ['/a.css', CHROME],
        ['/', GOOGLEBOT],
        ['/robots.txt', GOOGLEBOT],
      ],
    ] as const)
      expect(await reportOf(request(target, { 'user-agent': agent }))).toBeNull();
    expect(await counted()).toEqual([
      {
        ...{ hour: NOW, minutes: 15, host: 'shop.example', id: expect.any(String) },
        ...{ people_pages: 2, people_files: 1, bot_pages: 1, bot_files: 1 },
        programs: { 'Googlebot (+https://google.com)': [1, 1] },
      },
    ]);
    expect([watcher.requests, watcher.visits, watcher.others]).toEqual([5, 0, 5]);
  });

  it('a sample leaves too, without query, with its address cut short', async () => {
    const { reportOf, watcher } = watch({ sampleRate: 0.75 });
    const headers = { 'user-agent': CHROME, referer: 'https://news.example/story?id=1' };
    expect(await reportOf(request('/page?email=a', headers))).toMatchObject({
      ...{ pathname: '/page', ip: '203.0.113.0', referer: 'news.example', sample_rate: 0.75 },
    });
    expect(watcher.others).toBe(1);
  });
});

describe('a request that is odd', () => {
  it.each<[string, Incoming]>([
    ['has no host', request('/', { host: '', 'user-agent': GPTBOT })],
    ['asks for a whole URL', bot('http://shop.example/a')],
    ['has lone surrogates and NUL', bot('/\ud800\0', { referer: 'https://a.example/\udfff' })],
    ['has a path of a megabyte', bot(`/${'x'.repeat(1024 * 1024)}`)],
    [
      'has a signature of nonsense',
      bot('/', { signature: '\u00ff', 'signature-input': ';;;', 'signature-agent': '"' }),
    ],
  ])('%s, and throws nothing', async (_, incoming) => {
    const line: Line | null = await watch().reportOf(incoming);
    expect(JSON.stringify(line).length).toBeLessThan(20_000);
  });

  it('throws, and the application goes on', () => {
    const { watcher, said } = watch();
    const broken = {
      ...bot('/'),
      header: () => {
        throw new TypeError('broken');
      },
    };
    expect(watcher.look(broken)).toBeNull();
    expect(said).toEqual(['looking at a request failed (TypeError); the application runs as usual.']);
  });
});

it('a visit that Cloudflare’s collector also reports has its id, where the application is behind Cloudflare', async () => {
  const headers = { 'cf-ray': '8F2D1C0B9A8E7D6C-FRA', 'cf-connecting-ip': INSIDE };
  const behind = await watch({ trustProxy: 'cf-connecting-ip' }).reportOf(bot('/', headers));
  expect(behind).toMatchObject({ request_id: '8f2d1c0b9a8e7d6c', verified: true });
  const forged = await watch({ trustProxy: 0 }).reportOf(bot('/', headers));
  expect(forged?.['request_id']).not.toBe('8f2d1c0b9a8e7d6c');
});

it('the host can be stated, for sites whose proxies hide it', async () => {
  expect(await watch({ host: 'www.shop.example' }).reportOf(bot('/'))).toMatchObject({
    host: 'www.shop.example',
  });
});
