/** Whatever is broken, the site is served as ever. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { CollectorEnv } from './platform.ts';
import { type BareEdge, startBareWorkerd } from './testing/bare-workerd.ts';
import { closesAfterEach } from './testing/dispose.ts';
import { startEdge } from './testing/edge.ts';
import { createInternet, SERVICE_HOST, SITE_HOST } from './testing/internet.ts';
import { publish, publishedLists } from './testing/lists.ts';
import { createRawService, type RawService } from './testing/raw-service.ts';
import { until } from './testing/until.ts';
import { API_KEY, CHROME, ENV, GPTBOT } from './testing/values.ts';

const closeAfter = closesAfterEach();
const SITE = `https://${SITE_HOST}/`;
const BOT = { headers: { 'user-agent': GPTBOT } };

const hello: RequestListener = (_, response) => response.end('hello');
const cut: RequestListener = (request) => request.socket.destroy();
const answer =
  (status: number): RequestListener =>
  (_, response) =>
    response.writeHead(status).end();

interface Started {
  readonly edge: BareEdge;
  readonly service: RawService;
}

async function start(env: CollectorEnv = ENV, ...takers: RequestListener[]): Promise<Started> {
  const service = createRawService();
  if (takers.length > 0) service.takeWith(...takers);
  const edge = await startBareWorkerd({ env, sites: { [SITE_HOST]: hello, [SERVICE_HOST]: service.site } });
  return { edge: closeAfter(edge), service };
}

const served = async (edge: BareEdge): Promise<string> => (await edge.visit(SITE, BOT)).body.toString();
const said = (edge: BareEdge, part: string): string[] =>
  edge.log.filter((line) => line.includes('ghostlight: ') && line.includes(part));

describe('the service', () => {
  it.each([
    ['can not be reached', cut],
    ['is being restarted', answer(502)],
    ['is full', answer(503)],
  ])('%s: the hit is posted once more, under the same id', async (_, fault) => {
    const { edge, service } = await start(ENV, fault, answer(204));
    expect(await served(edge)).toBe('hello');
    await until('the second post', () => service.hits.length >= 2);
    expect(service.hits[1]).toEqual(service.hits[0]);
    expect(service.hits[0]?.['ray_id']).toMatch(/^[0-9a-f]{16}$/);
  });

  it('stays away: the hit is given up after the second post, and the log says so', async () => {
    const { edge, service } = await start(ENV, cut);
    expect(await served(edge)).toBe('hello');
    await until('the log says so', () => said(edge, 'could not be reached').length > 0);
    expect(service.hits).toHaveLength(2);
  });

  it.each([307, 400, 401, 404, 413, 422, 500])(
    'refuses with %i: the hit is not posted again, and the log says it once',
    async (status) => {
      const { edge, service } = await start(ENV, answer(status));
      for (let n = 0; n < 3; n++) expect(await served(edge)).toBe('hello');
      await until('three posts', () => service.hits.length >= 3);
      await until('the log says so', () => said(edge, String(status)).length > 0);
      expect(said(edge, String(status))).toHaveLength(1);
      expect(service.hits).toHaveLength(3);
    },
  );

  it('hangs: the answer does not wait for it, and the post is given up after its time and tried once more', async () => {
    let asked = 0;
    const { edge } = await start(ENV, () => {
      asked += 1;
    });
    // The whole body, to its end, while the post is not answered.
    expect(await served(edge)).toBe('hello');
    await until('it is asked', () => asked > 0);
    await until('it is asked again', () => asked === 2);
  });

  it('has no host at all: the site is served', async () => {
    const edge = closeAfter(await startBareWorkerd({ sites: { [SITE_HOST]: hello } }));
    expect(await served(edge)).toBe('hello');
    await until('the log says so', () => said(edge, 'bot list').length > 0);
  });
});

it('an origin that can not be reached stays the origin’s fault, and is no hit', async () => {
  const service = createRawService();
  const site: RequestListener = (request, response) =>
    request.url === '/broken' ? cut(request, response) : hello(request, response);
  const edge = closeAfter(
    await startBareWorkerd({ sites: { [SITE_HOST]: site, [SERVICE_HOST]: service.site } }),
  );
  expect((await edge.visit(`${SITE}broken`, BOT)).status).toBe(500);
  expect(await served(edge)).toBe('hello');
  await until('the later visit is reported', () => service.hits.length > 0);
  expect(service.hits.map(({ pathname }) => pathname)).toEqual(['/']);
});

it('without a list URL hits are forwarded by the lists of the build, and the log says so once', async () => {
  const { edge, service } = await start({ ...ENV, SERVICE_BOTLIST_URL: '' });
  for (let n = 0; n < 3; n++) expect(await served(edge)).toBe('hello');
  await until('the hits arrive', () => service.hits.length === 3);
  expect(said(edge, 'the lists of this build are used')).toHaveLength(1);
});

it('a preview without cf, cache and namespace is served and reported', async () => {
  const { edge, service } = await start();
  expect(await served(edge)).toBe('hello');
  expect(await until('the hit', () => service.hits[0])).toMatchObject({ country: '', asn: 0, bytes: 5 });
});

describe('a malformed variable switches forwarding off, is named once in the log, and leaves the site alone', () => {
  it.each<[string, CollectorEnv]>([
    ['SERVICE_INGEST_URL', { ...ENV, SERVICE_INGEST_URL: 'https://<base_url>/v1/logs/edge_worker' }],
    ['SERVICE_ATTRIBUTION_ID', { ...ENV, SERVICE_ATTRIBUTION_ID: 'my-shop' }],
    ['SERVICE_API_KEY', { ...ENV, SERVICE_API_KEY: `Bearer ${API_KEY}` }],
  ])('%s', async (variable, env) => {
    const { edge, service } = await start(env);
    for (let n = 0; n < 3; n++) expect(await served(edge)).toBe('hello');
    await until('the log says so', () => said(edge, 'Nothing is forwarded').length > 0);
    expect(said(edge, variable)).toHaveLength(1);
    expect(edge.log.join()).not.toContain(API_KEY);
    expect(service.hits).toEqual([]);
  });

  it('no variable at all', async () => {
    const { edge } = await start({});
    expect(await served(edge)).toBe('hello');
    await until('the log says so', () => said(edge, 'Nothing is forwarded').length > 0);
  });
});

describe('bindings that throw', () => {
  const throwing = `
    import worker from './index.ts';
    const broken = () => { throw new Error('broken'); };
    const rejecting = () => Promise.reject(new Error('broken'));`;

  it.each([
    ['a namespace that throws', 'const kv = { getWithMetadata: broken, put: broken, delete: broken };'],
    [
      'a namespace that rejects',
      'const kv = { getWithMetadata: rejecting, put: rejecting, delete: rejecting };',
    ],
    ['a namespace that is none', 'const kv = {};'],
  ])('%s leaves the manifest’s path and the site as they were', async (_, kv) => {
    const entry = `${throwing} ${kv}
      export default { fetch: (request, env, ctx) => worker.fetch(request, { ...env, WEBMCP_CACHE: kv }, ctx) };`;
    const env = { ...ENV, SERVICE_MANIFEST_URL: `https://${SERVICE_HOST}/api/v1/webmcp` };
    const internet = createInternet();
    const edge = closeAfter(await startEdge({ entry, env, internet }));
    expect(await (await edge.visit(`${SITE}.well-known/webmcp.json`, BOT)).text()).toBe('hello');
    expect(await (await edge.visit(SITE, BOT)).text()).toBe('hello');
    await until('both are reported', () => internet.hits().length === 2);
  });

  it.each([
    ['can not be opened', 'globalThis.caches.open = rejecting;'],
    ['throws when it is opened', 'globalThis.caches.open = broken;'],
    [
      'rejects everything',
      'globalThis.caches.open = async () => ({ match: rejecting, put: rejecting, delete: rejecting });',
    ],
    [
      'throws at everything',
      'globalThis.caches.open = async () => ({ match: broken, put: broken, delete: broken });',
    ],
  ])('a cache that %s costs neither the site nor the hit', async (_, change) => {
    const internet = createInternet();
    publish(internet, publishedLists());
    const entry = `${throwing} ${change} export default worker;`;
    const edge = closeAfter(await startEdge({ entry, internet }));
    expect(await (await edge.visit(SITE, BOT)).text()).toBe('hello');
    await until('the hit', () => internet.hits().length === 1);
  });

  it('a context without pass-through fails open nevertheless', async () => {
    const entry = `${throwing}
      export default { fetch: (request, env, ctx) => worker.fetch(request, env, {
        passThroughOnException: () => {}, waitUntil: broken }) };`;
    const edge = closeAfter(await startEdge({ entry }));
    expect(await (await edge.visit(SITE, BOT)).text()).toBe('hello');
    expect(await (await edge.visit(SITE, { headers: { 'user-agent': CHROME } })).text()).toBe('hello');
    await until('the log says so', () => edge.log.some((line) => line.includes('reporting failed')));
  });
});

it('a request whose body is slow is passed on as it comes', async () => {
  let begun = (): void => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const service = createRawService();
  const site: RequestListener = async (request, response) => {
    await once(request, 'data');
    begun();
    for await (const _ of request);
    response.end('taken');
  };
  const edge = closeAfter(
    await startBareWorkerd({ sites: { [SITE_HOST]: site, [SERVICE_HOST]: service.site } }),
  );
  const { request } = await import('node:http');
  const upload = request({
    host: '127.0.0.1',
    port: edge.port,
    method: 'POST',
    headers: { host: SITE_HOST, 'x-forwarded-proto': 'https', 'user-agent': GPTBOT },
  });
  upload.write('first');
  await hasBegun;
  upload.end('second');
  const [response] = await once(upload, 'response');
  expect(response.statusCode).toBe(200);
  response.resume();
});
