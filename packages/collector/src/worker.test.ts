/** The order of what happens to a request: which of us answers, and what counts as a visit. */
import { describe, expect, it } from 'vitest';
import { closesAfterEach } from './testing/dispose.ts';
import { type Edge, startEdge } from './testing/edge.ts';
import { createInternet, SERVICE_HOST, SITE_HOST } from './testing/internet.ts';
import { until } from './testing/until.ts';
import { ATTRIBUTION_ID, ENV, GPTBOT } from './testing/values.ts';

const closeAfter = closesAfterEach();
const BOT = { headers: { 'user-agent': GPTBOT } };
const MANIFEST = `https://${SITE_HOST}/.well-known/webmcp.json`;
const WITH_MANIFEST = { ...ENV, SERVICE_MANIFEST_URL: `https://${SERVICE_HOST}/api/v1/webmcp` };

const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** An edge whose service publishes a manifest for `hosts`. */
async function start(env: typeof ENV | typeof WITH_MANIFEST, hosts = [SITE_HOST]): Promise<Edge> {
  const internet = createInternet();
  internet.on(SERVICE_HOST, ({ method, path }) => {
    if (method === 'POST') return new Response(null, { status: 204 });
    if (path !== `/api/v1/webmcp/${ATTRIBUTION_ID}/manifest/`) return new Response('', { status: 404 });
    const times = { issued_at: at(-1), expires_at: at(23) };
    const signature = `${'h'.repeat(20)}..${'s'.repeat(86)}`;
    return Response.json({
      version: '1.0',
      attribution_id: ATTRIBUTION_ID,
      hosts,
      ...times,
      tools: [],
      signature,
    });
  });
  return closeAfter(await startEdge({ env, internet }));
}

const reported = (edge: Edge): Promise<Record<string, unknown>> =>
  until('the hit', () => edge.internet.hits()[0]);

describe('a bot that asks for the manifest', () => {
  it('gets it from us and not from the origin, and is reported with what it got', async () => {
    const edge = await start(WITH_MANIFEST);
    const answer = await edge.visit(MANIFEST, BOT);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const text = await answer.text();
    expect(JSON.parse(text).attribution_id).toBe(ATTRIBUTION_ID);
    expect(await reported(edge)).toMatchObject({
      pathname: '/.well-known/webmcp.json',
      status: 200,
      bytes: text.length,
    });
    expect(edge.internet.requestsTo(SITE_HOST)).toEqual([]);
  });

  it('gets the origin’s own file where none is set up, and where it is not for this host', async () => {
    for (const edge of [await start(ENV), await start(WITH_MANIFEST, ['other.example'])]) {
      expect(await (await edge.visit(MANIFEST, BOT)).text()).toBe('hello');
      expect(await reported(edge)).toMatchObject({ status: 200, bytes: 5 });
    }
  });

  it('gets it though nothing is forwarded', async () => {
    const edge = await start({ ...WITH_MANIFEST, SERVICE_API_KEY: '' as typeof ENV.SERVICE_API_KEY });
    expect((await (await edge.visit(MANIFEST, BOT)).text()).includes(ATTRIBUTION_ID)).toBe(true);
  });
});

it('a request to the service itself is passed on untouched, and the log says why it is not counted', async () => {
  const edge = await start(ENV);
  const answer = await edge.visit(`https://${SERVICE_HOST}/healthz`, BOT);
  expect(answer.status).toBe(404);
  await until('the log says so', () =>
    edge.log.some((line) => line.includes(`${SERVICE_HOST} are passed on`)),
  );
  await edge.visit(`https://${SITE_HOST}/later`, BOT);
  expect(await reported(edge)).toMatchObject({ host: SITE_HOST });
});
