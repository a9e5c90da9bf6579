/** Against a real listener; the Worker's own runtime posts in tests of `worker.ts`. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { closesAfterEach } from '../testing/dispose.ts';
import { API_KEY, ATTRIBUTION_ID } from '../testing/values.ts';
import { createForwarder, type LogObject } from './index.ts';

const closeAfter = closesAfterEach();

const HIT: LogObject = {
  timestamp: 1_796_000_000_000,
  worker_version: '0.5.0',
  attribution_id: ATTRIBUTION_ID,
  host: 'shop.example',
  method: 'GET',
  pathname: '/',
  query_params: {},
  ip: null,
  user_agent: 'GPTBot/1.3',
  referer: '',
  status: 200,
  bytes: 5,
  country: '',
  asn: 0,
  verified: false,
  ray_id: '00d1c2b3a4958677',
};

interface Attempt {
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** Forwards `HIT` to a service whose n-th answer is the n-th of `answers`. */
async function forwardTo(...answers: RequestListener[]) {
  const attempts: Attempt[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    attempts.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answers[attempts.length - 1]?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfter({
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
  const pauses: number[] = [];
  const said: string[] = [];
  const forwarder = createForwarder({
    fetch,
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    random: () => 0.5,
    log: (sentence) => said.push(sentence),
  });
  const { port } = server.address() as AddressInfo;
  await forwarder.forward(HIT, {
    ingestUrl: `http://127.0.0.1:${port}/v1/logs/edge_worker`,
    apiKey: API_KEY,
    attributionId: ATTRIBUTION_ID,
    botlistUrl: '',
    sampleRate: 0,
  });
  return { attempts, pauses, said };
}

const answer =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end();
const cut: RequestListener = (request) => request.socket.destroy();

describe('a forwarded hit', () => {
  it('is an array of one element under the key, without a Bearer prefix', async () => {
    const { attempts, said, pauses } = await forwardTo(answer(204));
    expect(attempts).toHaveLength(1);
    expect(JSON.parse(attempts[0]?.body ?? '')).toEqual([HIT]);
    expect(attempts[0]?.headers).toMatchObject({ 'x-api-key': API_KEY, 'content-type': 'application/json' });
    expect(attempts[0]?.headers).not.toHaveProperty('authorization');
    expect({ said, pauses }).toEqual({ said: [], pauses: [] });
  });

  it.each([
    ['a cut connection', cut],
    ['502', answer(502)],
    ['503', answer(503)],
  ])('is tried once more after %s, with the same bytes', async (_, first) => {
    const { attempts, pauses, said } = await forwardTo(first, answer(204));
    expect(attempts).toHaveLength(2);
    expect(attempts[1]?.body).toBe(attempts[0]?.body);
    expect(pauses).toEqual([3_500]);
    expect(said).toEqual([]);
  });

  it.each([
    ['2', 2_000],
    ['5', 5_000],
    ['1', 3_500],
    ['60', 3_500],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 3_500],
    ['', 3_500],
  ])('with Retry-After %j waits %i ms', async (retryAfter, pause) => {
    const { pauses } = await forwardTo(answer(503, { 'retry-after': retryAfter }), answer(204));
    expect(pauses).toEqual([pause]);
  });

  it.each([200, 400, 401, 403, 404, 405, 413, 422, 429, 500])(
    'is not tried again after %i',
    async (status) => {
      expect((await forwardTo(answer(status), answer(204))).attempts).toHaveLength(1);
    },
  );

  it('is given up after the second failure, and the log says so', async () => {
    const { attempts, said } = await forwardTo(cut, cut);
    expect(attempts).toHaveLength(2);
    expect(said.join()).toContain('could not be reached');
  });

  it('never follows a redirect, which would send the key to another host', async () => {
    const { attempts, said } = await forwardTo(answer(307, { location: '/elsewhere' }), answer(204));
    expect(attempts).toHaveLength(1);
    expect(said.join()).toContain('redirects (307)');
  });
});

it.each([
  [401, 'SERVICE_API_KEY'],
  [404, 'SERVICE_INGEST_URL'],
  [413, '1 MiB'],
  [422, 'SERVICE_ATTRIBUTION_ID'],
  [500, '500'],
])('an answer of %i tells in the log what to do about it, without the key', async (status, advice) => {
  const { said } = await forwardTo(answer(status));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(advice);
  expect(said[0]).not.toContain(API_KEY);
});
