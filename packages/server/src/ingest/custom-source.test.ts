/** Payloads that were made for other services, as those services' documentation has them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CHROME, type Harness, NOW, PROPERTY, startIngest } from './testing/harness.ts';

let ingest: Harness;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(() => ingest.close());

const at = new Date(NOW - 60_000).toISOString();
const query = `?attribution_id=${PROPERTY}`;

it('takes what is sent to Profound, with the key where it is sent there', async () => {
  const body = JSON.stringify([
    {
      ...{ timestamp: at, method: 'GET', host: 'shop.example', path: '/products', status_code: 200 },
      ...{ ip: '198.51.100.7', user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)', bytes_sent: 512 },
      ...{ query_params: { page: '2' }, referer: 'https://shop.example/', duration_ms: 12 },
    },
  ]);
  expect((await ingest.post('custom', body, { query })).status).toBe(204);
  expect(ingest.spool.hits).toMatchObject([
    {
      ...{ at: NOW - 60_000, source: 'custom', method: 'GET', host: 'shop.example', path: '/products' },
      ...{ status: 200, bytes: 512, query_params: { page: '2' }, referrer: 'https://shop.example/' },
      ...{ bot_name: 'GPTBot', class: 'ai_bot' },
    },
  ]);
});

it.each(['application/json', 'application/x-ndjson'])('takes what is sent to Scrunch as %s', async (type) => {
  const event = (path: string) => ({
    ...{ domain: 'shop.example', user_agent: 'ClaudeBot/1.0', url: `https://shop.example${path}?a=b` },
    ...{ path, method: 'GET', status_code: 404, timestamp: (NOW - 60_000) / 1_000, response_time: 7 },
  });
  const events = type === 'application/json' ? [event('/one')] : [event('/one'), event('/two')];
  const body = events.map((one) => JSON.stringify(one)).join('\n');
  const answer = await ingest.post('custom', body, { query, headers: { 'Content-Type': type } });
  expect(answer.status).toBe(204);
  expect(ingest.spool.hits.map(({ path, query_params: q, status, host }) => [host, path, q, status])).toEqual(
    events.map(({ path }) => ['shop.example', path, { a: 'b' }, 404]),
  );
});

it('finds fields under the names that the key’s owner has stated, and others under their usual ones', async () => {
  await ingest.close();
  const mapping = { timestamp: 'when', pathname: 'request.uri', ip: ['client.addr', 'peer'] };
  ingest = await startIngest({ settings: { mapping } });
  const line = {
    ...{ when: at, request: { uri: '/a?b=c' }, peer: '10.0.0.1', user_agent: 'GPTBot/1.2' },
    ...{ host: 'shop.example', path: '/not/this' },
  };
  await ingest.post('custom', JSON.stringify(line), { query });
  expect(ingest.spool.hits).toMatchObject([
    { path: '/a', query_params: { b: 'c' }, verdict_reason: 'proxy_address' },
  ]);
});

it('reads the first line of a request, and the site of lines that name none from the address', async () => {
  const line = { time: at, request: 'GET /a?b=c HTTP/1.1', agent: 'GPTBot/1.2', client: '198.51.100.7' };
  await ingest.post('custom', JSON.stringify(line), { query: `${query}&host=Shop.Example` });
  expect(ingest.spool.hits).toMatchObject([{ host: 'shop.example', method: 'GET', path: '/a' }]);
});

it('counts a visit for as many as its log has left out, and refuses a share that is none', async () => {
  const lines = ['GPTBot/1.2', CHROME].map((user_agent) => ({
    time: at,
    host: 'a.example',
    path: '/',
    user_agent,
  }));
  await ingest.post('custom', JSON.stringify(lines), { query: `${query}&sample_rate=0.1` });
  expect(ingest.spool.hits).toMatchObject([{ class: 'ai_bot', sample_rate: 0.1, weight: 10 }]);
  expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 1 });
  for (const share of ['0', '-1', 'x', '1.5', '']) {
    const { status } = await ingest.post('custom', '{}', { query: `${query}&sample_rate=${share}` });
    expect(status, share).toBe(422);
  }
});

it('tells who asks whether the endpoint knows the key', async () => {
  for (const method of ['GET', 'HEAD']) {
    expect((await ingest.post('custom', '', { method, query })).status).toBe(204);
    expect((await ingest.post('custom', '', { method, query, key: 'wrong' })).status).toBe(401);
    expect((await ingest.post('edge_worker', '', { method, query })).status).toBe(405);
  }
  const { status, headers } = await ingest.post('custom', '', { method: 'DELETE', query });
  expect([status, headers.get('allow')]).toEqual([405, 'POST, GET, HEAD, PUT']);
});
