/** The collector around Workers that a zone already has, in the runtime that calls them. */
import { describe, expect, it } from 'vitest';
import { type BareEdge, startBareWorkerd } from './testing/bare-workerd.ts';
import { closesAfterEach } from './testing/dispose.ts';
import { type Edge, startEdge } from './testing/edge.ts';
import { SERVICE_HOST, SITE_HOST } from './testing/internet.ts';
import { createRawService } from './testing/raw-service.ts';
import { until } from './testing/until.ts';
import { ENV, GPTBOT } from './testing/values.ts';

const closeAfter = closesAfterEach();
const SITE = `https://${SITE_HOST}`;
const BOT = { headers: { 'user-agent': GPTBOT } };
const WRAP = `import { withGhostlight } from './index.ts';`;

const start = async (entry: string): Promise<Edge> => closeAfter(await startEdge({ entry }));
const textOf = async (edge: Edge, path = '/'): Promise<string> => (await edge.visit(SITE + path, BOT)).text();
const reported = (edge: Edge, count: number): Promise<unknown> =>
  until('the hits arrive', () => edge.internet.hits().length === count);

describe('an object of handlers', () => {
  it('keeps its this, its arguments and its private members', async () => {
    const edge = await start(`${WRAP}
      class Shop {
        #name = 'shop';
        greeting = 'welcome to';
        async fetch(request, env, ctx) {
          ctx.waitUntil(Promise.resolve());
          return new Response(\`\${this.greeting} \${this.#name} \${new URL(request.url).pathname} \${env.SERVICE_SAMPLE_RATE}\`);
        }
      }
      export default withGhostlight(new Shop());`);
    expect(await textOf(edge, '/shoes')).toBe('welcome to shop /shoes 0');
    await reported(edge, 1);
    expect(edge.internet.hits()[0]).toMatchObject({ pathname: '/shoes', status: 200, bytes: 24 });
    // The handler answered by itself, without a request to the origin.
    expect(edge.internet.requestsTo(SITE_HOST)).toEqual([]);
  });

  it('keeps its other handlers, with their this', async () => {
    const edge = await start(`${WRAP}
      let runs = 0;
      class Shop {
        #step = 7;
        fetch() { return new Response(String(runs)); }
        async scheduled() { runs += this.#step; }
      }
      export default withGhostlight(new Shop());`);
    await edge.scheduled();
    expect(await textOf(edge)).toBe('7');
  });

  it('keeps every handler when it is copied, as wrangler dev does around its middleware', async () => {
    const edge = await start(`${WRAP}
      let runs = 0;
      const shop = {
        step: 7,
        fetch() { return new Response(String(runs)); },
        async scheduled() { runs += this.step; },
        async queue() {},
      };
      const wrapped = withGhostlight(shop);
      const names = Object.keys({ ...wrapped }).join();
      const fetch = wrapped.fetch;
      export default {
        ...wrapped,
        fetch: (request, env, ctx) =>
          new URL(request.url).pathname === '/names' ? new Response(names) : fetch(request, env, ctx),
      };`);
    await edge.scheduled();
    expect(await textOf(edge, '/names')).toBe('step,fetch,scheduled,queue');
    expect(await textOf(edge)).toBe('7');
    await reported(edge, 1);
  });

  it('may be a Hono application, and may be frozen', async () => {
    const app = `import { Hono } from 'hono';
      const app = new Hono();
      app.get('/shoes/:size', (c) => c.text('size ' + c.req.param('size')));`;
    const edge = await start(`${WRAP} ${app} export default withGhostlight(app);`);
    expect(await textOf(edge, '/shoes/7')).toBe('size 7');
    const frozen = await start(
      `${WRAP} ${app} export default withGhostlight(Object.freeze({ fetch: app.fetch }));`,
    );
    expect(await textOf(frozen, '/shoes/8')).toBe('size 8');
    await reported(edge, 1);
    await reported(frozen, 1);
  });

  it('gets its own response back, and its context without pass-through', async () => {
    const edge = await start(`${WRAP}
      let own;
      const wrapped = withGhostlight({ fetch: () => (own = new Response('mine')) });
      export default { async fetch(request, env, ctx) {
        const passed = [];
        const response = await wrapped.fetch(request, env, {
          waitUntil: (promise) => ctx.waitUntil(promise),
          passThroughOnException: () => passed.push(true),
        });
        return Response.json({ same: response === own, passed });
      } };`);
    expect(JSON.parse(await textOf(edge))).toEqual({ same: true, passed: [] });
  });

  it('throws what it throws, and that is no hit', async () => {
    const edge = await start(`${WRAP}
      const wrapped = withGhostlight({ fetch(request) {
        if (request.url.endsWith('/broken')) throw new RangeError('mine');
        return new Response('well');
      } });
      export default { fetch: (request, env, ctx) =>
        wrapped.fetch(request, env, ctx).catch((error) => new Response(String(error))) };`);
    expect(await textOf(edge, '/broken')).toBe('RangeError: mine');
    expect(await textOf(edge, '/later')).toBe('well');
    await reported(edge, 1);
    expect(edge.internet.hits()[0]).toMatchObject({ pathname: '/later' });
  });

  it('that answers no requests is given back as it is', async () => {
    const edge = await start(`${WRAP}
      const queueOnly = { async queue() {} };
      class NoRequests {}
      export default { fetch: () => Response.json([
        withGhostlight(queueOnly) === queueOnly, withGhostlight(NoRequests) === NoRequests]) };`);
    expect(JSON.parse(await textOf(edge))).toEqual([true, true]);
  });
});

describe('a class derived from WorkerEntrypoint', () => {
  it('keeps its environment, its context, its private members and its own methods', async () => {
    const edge = await start(`${WRAP}
      import { WorkerEntrypoint } from 'cloudflare:workers';
      class Shop extends WorkerEntrypoint {
        #name = 'shop';
        name() { return this.#name; }
        async fetch(request) {
          this.ctx.waitUntil(Promise.resolve());
          return new Response(this.name() + ' ' + this.env.SERVICE_SAMPLE_RATE + ' ' + new URL(request.url).pathname);
        }
      }
      export default withGhostlight(Shop);`);
    expect(await textOf(edge, '/shoes')).toBe('shop 0 /shoes');
    await reported(edge, 1);
  });
});

describe('answers that a handler makes itself', () => {
  const HANDLER = `const handler = { async fetch(request) {
    const { pathname } = new URL(request.url);
    const bytes = new TextEncoder().encode('x'.repeat(3_000));
    if (pathname === '/text') return new Response('hello');
    if (pathname === '/empty') return new Response(null, { status: 204 });
    if (pathname === '/json') return Response.json({ a: [1, 2, 3] });
    if (pathname === '/bytes') return new Response(bytes);
    if (pathname === '/blob') return new Response(new Blob([bytes], { type: 'text/plain' }));
    if (pathname === '/cookies') return new Response('c', { headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2']] });
    if (pathname === '/fixed') {
      const { readable, writable } = new FixedLengthStream(bytes.length);
      const writer = writable.getWriter();
      writer.write(bytes).then(() => writer.close());
      return new Response(readable);
    }
    if (pathname === '/stream') return new Response(new ReadableStream({ start(controller) {
      controller.enqueue(bytes); controller.enqueue(bytes); controller.close(); } }));
    if (pathname === '/rewritten') return new HTMLRewriter()
      .on('p', { element: (element) => element.setInnerContent('new') })
      .transform(new Response('<p>old</p>', { headers: { 'content-type': 'text/html' } }));
    if (pathname === '/manual') return new Response(bytes, { encodeBody: 'manual', headers: { 'content-encoding': 'gzip' } });
    if (pathname === '/zipped') return new Response(bytes, { headers: { 'content-encoding': 'gzip' } });
    return fetch(request);
  } };`;
  const sites = {
    [SITE_HOST]: (_: unknown, response: { end(text: string): void }) => response.end('origin'),
  };

  it.each([
    ['text', 5],
    ['empty', 0],
    ['json', 13],
    ['bytes', 3_000],
    ['blob', 3_000],
    ['cookies', 1],
    ['fixed', 3_000],
    ['stream', 6_000],
    ['rewritten', 10],
    ['manual', 3_000],
    ['zipped', 3_000],
    ['fetched', 6],
  ])('%s: the visitor gets the same bytes and headers as without the collector', async (path, bytes) => {
    const service = createRawService();
    const wrapped: BareEdge = closeAfter(
      await startBareWorkerd({
        entry: `${WRAP} ${HANDLER} export default withGhostlight(handler);`,
        sites: { ...sites, [SERVICE_HOST]: service.site },
      }),
    );
    const plain = closeAfter(await startBareWorkerd({ entry: `${HANDLER} export default handler;`, sites }));
    // One date for both, lest a second passes in between.
    const visit = { headers: { 'user-agent': GPTBOT, 'accept-encoding': 'gzip' } };
    const [ours, theirs] = await Promise.all([
      wrapped.visit(`${SITE}/${path}`, visit),
      plain.visit(`${SITE}/${path}`, visit),
    ]);
    const undated = ({ headers }: typeof ours) => headers.filter(([name]) => name !== 'Date');
    expect(undated(ours)).toEqual(undated(theirs));
    expect(ours.status).toBe(theirs.status);
    expect(ours.body.equals(theirs.body)).toBe(true);
    const hit = await until('the hit', () => service.hits[0]);
    expect(hit).toMatchObject({ status: ours.status, bytes });
  });
});

it('the manifest’s path falls through to the handler where none is served', async () => {
  const edge = closeAfter(
    await startEdge({
      env: { ...ENV, SERVICE_MANIFEST_URL: `https://${SERVICE_HOST}/api/v1/webmcp` },
      entry: `${WRAP} export default withGhostlight({ fetch: () => new Response('a file of mine') });`,
    }),
  );
  expect(await textOf(edge, '/.well-known/webmcp.json')).toBe('a file of mine');
});
