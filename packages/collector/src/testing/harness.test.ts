/** The two runtimes themselves, so that a collector's test that fails speaks of the collector. */
import { expect, it } from 'vitest';
import { startBareWorkerd } from './bare-workerd.ts';
import { PASS_THROUGH_ENTRY } from './bundle.ts';
import { closesAfterEach } from './dispose.ts';
import { startEdge } from './edge.ts';
import { SITE_HOST } from './internet.ts';
import { until } from './until.ts';

const closeAfter = closesAfterEach();

const TELLING_ENTRY = `export default { async fetch(request, env) {
  console.log('ghostlight: seen');
  const answer = await fetch(request);
  return Response.json({ url: request.url, cf: request.cf?.country, ip: request.headers.get('cf-connecting-ip'),
    variable: env.SERVICE_ATTRIBUTION_ID, origin: await answer.text(), status: answer.status });
} };`;

it('miniflare hands the Worker its address, cf, variables and the internet, and its log to the test', async () => {
  const edge = closeAfter(await startEdge({ entry: TELLING_ENTRY, env: { SERVICE_ATTRIBUTION_ID: 'id' } }));
  const answer = await edge.visit(
    `https://${SITE_HOST}/path?q=1`,
    { headers: { 'cf-connecting-ip': '203.0.113.9' } },
    { country: 'FR' },
  );
  expect(await answer.json()).toEqual({
    url: `https://${SITE_HOST}/path?q=1`,
    cf: 'FR',
    ip: '203.0.113.9',
    variable: 'id',
    origin: 'hello',
    status: 200,
  });
  expect(edge.internet.requestsTo(SITE_HOST).map(({ url }) => url)).toEqual([
    `https://${SITE_HOST}/path?q=1`,
  ]);
  await until('the log arrives', () => edge.log.some((line) => line.includes('ghostlight: seen')));
});

it('bare workerd hands the Worker its address, cf and variables, and its log to the test', async () => {
  const edge = closeAfter(
    await startBareWorkerd({
      entry: TELLING_ENTRY,
      env: { SERVICE_ATTRIBUTION_ID: 'a "quoted" id' },
      sites: {
        [SITE_HOST]: (request, response) => response.end(`${request.headers['x-forwarded-proto']} hello`),
      },
    }),
  );
  const answer = await edge.visit(`https://${SITE_HOST}/path?q=1`, {
    headers: { 'cf-connecting-ip': '203.0.113.9' },
    cf: { country: 'FR' },
  });
  expect(JSON.parse(answer.body.toString())).toEqual({
    url: `https://${SITE_HOST}/path?q=1`,
    cf: 'FR',
    ip: '203.0.113.9',
    variable: 'a "quoted" id',
    origin: 'https hello',
    status: 200,
  });
  await until('the log arrives', () => edge.log.some((line) => line.includes('ghostlight: seen')));
});

it('bare workerd passes headers and compressed bytes on as the origin wrote them', async () => {
  const edge = closeAfter(
    await startBareWorkerd({
      entry: PASS_THROUGH_ENTRY,
      sites: {
        [SITE_HOST]: (_, response) =>
          response
            .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': '4' })
            .end('\x1f\x8b\x08\x00', 'latin1'),
      },
    }),
  );
  const { headers, body } = await edge.visit(`https://${SITE_HOST}/`);
  expect(new Map(headers).get('Content-Length')).toBe('4');
  expect([...body]).toEqual([0x1f, 0x8b, 0x08, 0x00]);
});
