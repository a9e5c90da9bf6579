import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../ports.ts';
import {
  BARE_KEY,
  CHROME,
  FOREIGN_PROPERTY,
  GPTBOT,
  type Harness,
  KEY,
  NOW,
  PROPERTY,
  REVOKED_KEY,
  SECOND_PROPERTY,
  startIngest,
  UNKNOWN_KEY,
  workerHit,
} from '../testing/harness.ts';

let ingest: Harness;
afterEach(() => ingest.close());

const post = (value: unknown, options?: Parameters<Harness['post']>[2]) =>
  ingest.post('edge_worker', typeof value === 'string' ? value : JSON.stringify(value), options);

describe('what a request is answered', () => {
  it('answers 204 without a body when every element was kept', async () => {
    ingest = await startIngest();
    const answer = await post([workerHit(), workerHit({ pathname: '/b' })]);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(ingest.spool.hits.map(({ path }) => path)).toEqual(['/products/1', '/b']);
  });

  it('answers 204 when the rest was neither AI nor sample', async () => {
    ingest = await startIngest();
    const answer = await post([workerHit(), workerHit({ user_agent: CHROME })]);
    expect(answer.status).toBe(204);
    expect(ingest.spool.kept).toBe(1);
    expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 1 });
    expect(ingest.signals).toMatchObject([{ kind: 'dropped_not_ai', detail: '1', sample: CHROME }]);
  });

  it('answers 200 with a report when some were rejected', async () => {
    ingest = await startIngest();
    const answer = await post([workerHit(), workerHit({ timestamp: 'soon' }), 7]);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      kept: 1,
      dropped: 0,
      duplicate: 0,
      rejected: 2,
      errors: [
        { index: 1, field: 'timestamp', reason: 'wrong_type' },
        { index: 2, field: null, reason: 'not_an_object' },
      ],
    });
  });

  it('names the first twenty errors only, and quarantines no more than that', async () => {
    ingest = await startIngest();
    const answer = await post([workerHit(), ...Array.from({ length: 50 }, () => ({}))]);
    expect(answer.json.rejected).toBe(50);
    expect(answer.json.errors).toHaveLength(20);
    expect(ingest.spool.entries[0]?.quarantine).toHaveLength(20);
  });

  it('answers 422 with the same errors when all were rejected', async () => {
    ingest = await startIngest();
    const answer = await post([workerHit({ host: undefined })]);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.json).toMatchObject({
      status: 422,
      errors: [{ index: 0, field: 'host', reason: 'missing' }],
    });
    expect(ingest.spool.sum('rejected')).toEqual({ missing: 1 });
  });

  it.each([
    ['an empty array', '[]', 204],
    ['a single object', JSON.stringify(workerHit()), 204],
    ['a byte order mark', `\ufeff${JSON.stringify([workerHit()])}`, 204],
    ['a number', '7', 400],
    ['a string', '"x"', 400],
    ['null', 'null', 400],
    ['nothing', '', 400],
    ['half of JSON', '[{"timestamp":', 400],
  ])('reads %s', async (_, body, status) => {
    ingest = await startIngest();
    expect((await post(body)).status).toBe(status);
  });

  it('receives nothing of a request that is answered 400', async () => {
    ingest = await startIngest();
    await post('nope');
    expect(ingest.spool.entries).toEqual([]);
  });

  it('answers every other method 405 with Allow', async () => {
    ingest = await startIngest();
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS']) {
      const response = await fetch(`${ingest.url}/v1/logs/edge_worker`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });
});

describe('keys', () => {
  const forms: [string, string | null][] = [
    ['no key', null],
    ['an unknown key', UNKNOWN_KEY],
    ['a revoked key', REVOKED_KEY],
    ['a Bearer prefix', `Bearer ${KEY}`],
    ['inner whitespace', `${KEY.slice(0, 20)} ${KEY.slice(20)}`],
    ['a quoted key', `"${KEY}"`],
    ['an empty key', ''],
    ['a very long key', 'x'.repeat(8_000)],
  ];

  it.each(forms)('answers %s with the one 401', async (_, key) => {
    ingest = await startIngest();
    const answer = await post([workerHit()], { key });
    const reference = await post([workerHit()], { key: UNKNOWN_KEY });
    expect(answer.status).toBe(401);
    expect(answer.text).toBe(reference.text);
    expect(ingest.spool.entries).toEqual([]);
  });

  it('refuses two different keys and takes one that is sent twice', async () => {
    ingest = await startIngest();
    const body = JSON.stringify([workerHit()]);
    const send = (second: string) =>
      ingest.raw(
        `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nX-API-Key: ${second}\r\n` +
          `Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    expect(await send(BARE_KEY)).toMatch(/^HTTP\/1.1 401/);
    expect(await send(KEY)).toMatch(/^HTTP\/1.1 204/);
  });

  it('takes a key with blanks around it, which the HTTP parser strips', async () => {
    ingest = await startIngest();
    const answer = await ingest.raw(
      `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key:   ${KEY}  \r\nConnection: close\r\nContent-Length: 2\r\n\r\n[]`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 204/);
  });

  it('does not take a key from the query', async () => {
    ingest = await startIngest();
    expect((await post([workerHit()], { key: null, query: `?header_X-API-Key=${KEY}` })).status).toBe(401);
  });

  it('refuses before the body is read', async () => {
    ingest = await startIngest();
    const answer = await ingest.raw(
      `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${UNKNOWN_KEY}\r\nContent-Length: 900000\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 401/);
  });

  it('tells the setup checker the cause', async () => {
    ingest = await startIngest();
    await post([workerHit()], { key: `Bearer ${KEY}` });
    await post([workerHit()], { key: REVOKED_KEY });
    expect(ingest.signals.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['auth_error', 'bearer_prefix'],
      ['auth_error', 'revoked'],
    ]);
  });
});

describe('whose hit it is', () => {
  it('takes the element’s id in any letter case', async () => {
    ingest = await startIngest();
    await post([workerHit({ attribution_id: SECOND_PROPERTY.toUpperCase() })]);
    expect(ingest.spool.hits[0]).toMatchObject({ attribution_id: SECOND_PROPERTY });
  });

  it('falls back to the key’s default', async () => {
    ingest = await startIngest();
    await post([workerHit({ attribution_id: undefined })]);
    expect(ingest.spool.hits[0]).toMatchObject({ attribution_id: PROPERTY });
  });

  it('rejects an element without id when the key has no default', async () => {
    ingest = await startIngest();
    const answer = await post([workerHit({ attribution_id: null })], { key: BARE_KEY });
    expect(answer.status).toBe(422);
    expect(answer.json.errors[0]).toMatchObject({
      field: 'attribution_id',
      reason: 'missing_attribution_id',
    });
    expect(ingest.signals).toMatchObject([{ kind: 'missing_attribution_id' }]);
  });

  it('answers alike whether an id belongs to another organization, to none, or is no id', async () => {
    ingest = await startIngest();
    const ids = [FOREIGN_PROPERTY, '99999999-9999-4999-8999-999999999999', 'my-shop', 12];
    const answers = await Promise.all(ids.map((id) => post([workerHit({ attribution_id: id })])));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.json.errors[0].reason).toBe('unknown_attribution_id');
  });
});

describe('one visit, one hit', () => {
  it('takes a ray id once, with or without the data centre’s suffix', async () => {
    ingest = await startIngest();
    await post([workerHit({ ray_id: '8F2A3B4C5D6E7F80-FRA' })]);
    const answer = await post([workerHit({ ray_id: '8f2a3b4c5d6e7f80' }), {}]);
    expect(answer.json).toMatchObject({ kept: 0, duplicate: 1, rejected: 1 });
    expect(ingest.spool.hits).toMatchObject([{ ray_id: '8f2a3b4c5d6e7f80' }]);
  });

  it('keeps the same ray of two properties apart', async () => {
    ingest = await startIngest();
    await post([
      workerHit({ ray_id: '8f2a3b4c5d6e7f80' }),
      workerHit({ ray_id: '8f2a3b4c5d6e7f80', attribution_id: SECOND_PROPERTY }),
    ]);
    const [first, second] = ingest.spool.hits;
    expect(first?.id).not.toBe(second?.id);
  });

  it('gives every hit without a ray its own id', async () => {
    ingest = await startIngest();
    await post([workerHit(), workerHit()]);
    expect(new Set(ingest.spool.hits.map(({ id }) => id)).size).toBe(2);
  });
});

describe('classes', () => {
  it('keeps no address of a bot and cuts a sample’s again', async () => {
    ingest = await startIngest();
    await post([
      workerHit({ ip: '203.0.113.77' }),
      workerHit({ user_agent: CHROME, sample_rate: '0.02', ip: '203.0.113.77', verified: undefined }),
    ]);
    expect(ingest.spool.hits).toMatchObject([
      { class: 'ai_bot', sample_ip: '', weight: 1, bot_name: 'GPTBot' },
      { class: 'sample', sample_ip: '203.0.113.0', weight: 50, sample_rate: 0.02 },
    ]);
    expect(JSON.stringify(ingest.spool.entries)).not.toContain('203.0.113.77');
  });

  it('keeps of an AI referral only campaign tags and the referrer’s host', async () => {
    ingest = await startIngest();
    const visit = { user_agent: CHROME, referer: 'https://chatgpt.com/c/secret', verified: undefined };
    await post([
      workerHit({ ...visit, query_params: { utm_source: 'x', email: 'a@b.example', gclid: '1' } }),
    ]);
    expect(ingest.spool.hits).toMatchObject([
      { class: 'ai_referral', referrer: 'chatgpt.com', query_params: { utm_source: 'x', gclid: '1' } },
    ]);
    expect(JSON.stringify(ingest.spool.entries)).not.toContain('a@b.example');
  });

  it('keeps the weight of a sample that turns out to be an AI bot', async () => {
    ingest = await startIngest();
    await post([workerHit({ sample_rate: 0.02 })]);
    expect(ingest.spool.hits).toMatchObject([{ class: 'ai_bot', weight: 50 }]);
  });
});

describe('bodies', () => {
  it('takes gzip whatever the headers say, also in several members', async () => {
    ingest = await startIngest();
    const text = JSON.stringify([workerHit()]);
    const headers = { 'Content-Type': 'text/plain' };
    expect((await ingest.post('edge_worker', gzipSync(text), { headers })).status).toBe(204);
    const members = Buffer.concat([gzipSync(text.slice(0, 40)), gzipSync(text.slice(40))]);
    expect(
      (await ingest.post('edge_worker', members, { headers: { 'Content-Encoding': 'identity' } })).status,
    ).toBe(204);
    expect(ingest.spool.kept).toBe(2);
  });

  it('answers 413 over 1 MiB, plain, chunked, or inflated', async () => {
    ingest = await startIngest();
    const big = `[${' '.repeat(1024 * 1024)}]`;
    expect((await post(big)).status).toBe(413);
    expect((await ingest.post('edge_worker', gzipSync(big))).status).toBe(413);
    const size = 70_000;
    const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
    const head = `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await ingest.raw(`${head}${chunk.repeat(16)}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 413/);
  });

  it('takes exactly 1 MiB', async () => {
    ingest = await startIngest();
    const text = JSON.stringify([workerHit()]);
    const body = text + ' '.repeat(1024 * 1024 - text.length);
    expect((await post(body)).status).toBe(204);
    expect((await ingest.post('edge_worker', gzipSync(body))).status).toBe(204);
  });

  it('answers 408 when the body stops arriving', async () => {
    ingest = await startIngest({ limits: { bodyIdleMs: 100 } });
    const answer = await ingest.raw(
      `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Length: 100\r\n\r\n[`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 408/);
  });
});

describe('when nothing can be stored', () => {
  it('answers 503 with Retry-After before the body is read', async () => {
    ingest = await startIngest();
    ingest.spool.isAccepting = false;
    const answer = await ingest.raw(
      `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Length: 900000\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 503[\s\S]*Retry-After: \d/);
  });

  it('answers 503 when the disk fails under the hits', async () => {
    ingest = await startIngest();
    ingest.spool.failure = new Error('disk full');
    const answer = await post([workerHit()]);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(answer.text).not.toContain('disk full');
  });
});

describe('what its property keeps no longer', () => {
  it('is rejected by the class of the visit, and named once', async () => {
    const day = 86_400_000;
    ingest = await startIngest({ ofProperty: { keptMs: { ...NO_LIMITS.keptMs, ai_bot: 10 * day } } });
    const old = { timestamp: NOW - 11 * day, user_agent: GPTBOT };
    await post([
      workerHit(old),
      workerHit(old),
      workerHit({ timestamp: NOW - 9 * day, user_agent: GPTBOT }),
      workerHit({ ...old, user_agent: CHROME, referer: 'https://chatgpt.com/' }),
    ]);
    const [entry] = ingest.spool.entries;
    expect(entry?.rejected).toEqual({ past_retention: 2 });
    expect(entry?.rows.map(({ label }) => label)).toEqual(['ai_bot', 'ai_referral']);
    expect(entry?.quarantine).toMatchObject([{ reason: 'past_retention', field: null }]);
  });
});

describe('what is over the quota of its property', () => {
  const hits = [
    workerHit({ user_agent: GPTBOT }),
    workerHit({ user_agent: CHROME, sample_rate: 0.5 }),
    workerHit({ user_agent: CHROME, referer: 'https://chatgpt.com/' }),
  ];
  it('is dropped with a 2xx: samples first', async () => {
    ingest = await startIngest({ ofProperty: { quota: 'no_samples' } });
    expect((await post(hits)).status).toBe(204);
    const [entry] = ingest.spool.entries;
    expect(entry?.dropped).toEqual({ over_quota: 1 });
    expect(entry?.rows.map(({ label }) => label)).toEqual(['ai_bot', 'ai_referral']);
  });
  it('is dropped with a 2xx: everything at twice the quota', async () => {
    ingest = await startIngest({ ofProperty: { quota: 'closed' } });
    expect((await post(hits)).status).toBe(204);
    expect(ingest.spool.entries[0]).toMatchObject({ dropped: { over_quota: 3 }, rejected: {}, rows: [] });
  });
});

describe('what goes to quarantine', () => {
  it('is redacted', async () => {
    ingest = await startIngest();
    await post([
      workerHit({
        timestamp: NOW - 90 * 86_400_000,
        ip: '203.0.113.77',
        query_params: { email: 'jo@shop.example', n: { a: '}' }, token: 's3cret' },
        referer: 'https://x.example/?q=private',
        user_agent: GPTBOT,
      }),
    ]);
    const [kept] = ingest.spool.entries[0]?.quarantine ?? [];
    expect(kept).toMatchObject({ reason: 'too_old', field: 'timestamp', endpoint: 'edge_worker' });
    for (const secret of ['203.0.113.77', 'jo@shop', 's3cret', 'private'])
      expect(kept?.body).not.toContain(secret);
    expect(kept?.body).toContain('GPTBot');
  });
});

it('reads a query in the pathname as the query, and folds the host', async () => {
  ingest = await startIngest();
  const hits = [
    workerHit({ pathname: '/p?a=1&page=9', host: 'SHOP.example:443' }),
    workerHit({ pathname: '?x=1', query_params: null }),
    workerHit({ pathname: `/${'p'.repeat(5_000)}?x=1` }),
  ];
  expect((await ingest.post('edge_worker', JSON.stringify(hits))).status).toBe(204);
  expect(ingest.spool.hits).toMatchObject([
    { path: '/p', host: 'shop.example' },
    { path: '/' },
    { path: `/${'p'.repeat(4_095)}` },
  ]);
  expect(JSON.stringify(ingest.spool.hits[0])).toMatch(/"a":"1"/);
  expect(JSON.stringify(ingest.spool.hits[0])).toMatch(/"page":"2"/);
});

it('answers 401 to a key that is revoked while the body arrives, and keeps nothing', async () => {
  const revoked = new Set<string>();
  ingest = await startIngest({ peekable: true, revoked });
  const socket = connect(ingest.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const body = JSON.stringify([workerHit()]);
  socket.write(
    `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  // The key was good, and the body may come.
  await expect.poll(() => text).toMatch(/^HTTP\/1.1 100/);
  revoked.add(KEY);
  socket.write(body);
  await expect.poll(() => text).toMatch(/HTTP\/1.1 401/);
  expect(ingest.spool.entries).toEqual([]);
  expect(ingest.signals).toMatchObject([{ kind: 'auth_error', detail: 'revoked' }]);
  socket.destroy();
});

it('answers 408 to a body that drips for longer than a body may take', async () => {
  ingest = await startIngest({ limits: { bodyTotalMs: 150 } });
  const socket = connect(ingest.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Length: 9999\r\n\r\n[`,
  );
  const drip = setInterval(() => socket.writable && socket.write(' '), 20);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(drip);
  expect(text).toMatch(/^HTTP\/1.1 408/);
});
