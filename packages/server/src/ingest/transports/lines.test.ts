import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  BARE_KEY,
  CHROME,
  FOREIGN_PROPERTY,
  type Harness,
  KEY,
  NOW,
  ndjson,
  PROPERTY,
  pushLine,
  SECOND_PROPERTY,
  startIngest,
  startThread,
  UNKNOWN_KEY,
  workerHit,
} from '../testing/harness.ts';

let ingest: Harness;
afterEach(() => ingest.close());

const push = (body: string | Uint8Array, options?: Parameters<Harness['post']>[2]) =>
  ingest.post('edge_logpush', body, options);

describe('what an upload is answered', () => {
  it('answers 204 when every line was kept or dropped', async () => {
    ingest = await startIngest();
    const body = ndjson(pushLine(), pushLine({ ClientRequestUserAgent: CHROME }));
    expect((await push(gzipSync(body))).status).toBe(204);
    expect(ingest.spool.hits).toMatchObject([
      {
        class: 'ai_bot',
        attribution_id: PROPERTY,
        source: 'edge_logpush',
        path: '/products/1',
        country: 'US',
        at: NOW - 1_000,
      },
    ]);
    expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 1 });
    expect(ingest.signals).toMatchObject([{ kind: 'dropped_not_ai', sample: CHROME }]);
    expect(JSON.stringify(ingest.spool.entries)).not.toContain('192.0.2.10');
  });

  it('answers 200 with a report when some, or all, were rejected', async () => {
    ingest = await startIngest();
    const some = await push(`${ndjson(pushLine(), pushLine({ EdgeStartTimestamp: 'x' }))}{"half":\n[]\n`);
    expect(some.status).toBe(200);
    expect(some.json).toMatchObject({
      kept: 1,
      rejected: 3,
      errors: [
        { index: 1, field: 'EdgeStartTimestamp', reason: 'not_a_time' },
        { index: 2, reason: 'not_json' },
        { index: 3, reason: 'not_an_object' },
      ],
    });
    const all = await push(ndjson(pushLine({ ClientRequestHost: null })));
    expect([all.status, all.json.kept, all.json.rejected]).toEqual([200, 0, 1]);
  });

  it('answers a batch that was already taken 204 and stores nothing again', async () => {
    ingest = await startIngest();
    const body = ndjson(pushLine());
    expect((await push(gzipSync(body))).status).toBe(204);
    expect((await push(body)).status).toBe(204);
    expect((await push(Buffer.concat([gzipSync(body.slice(0, 50)), gzipSync(body.slice(50))]))).status).toBe(
      204,
    );
    expect([ingest.spool.kept, ingest.spool.repeated]).toEqual([1, 2]);
    expect((await push(body, { key: BARE_KEY, query: `?attribution_id=${PROPERTY}` })).status).toBe(204);
    expect(ingest.spool.kept).toBe(2);
  });

  it('answers 503 while another node takes the batch, 204 when it has', async () => {
    ingest = await startIngest();
    ingest.claims.answer = 'busy';
    const busy = await push(ndjson(pushLine()));
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '5']);
    ingest.claims.answer = 'taken';
    expect((await push(ndjson(pushLine()))).status).toBe(204);
    expect([ingest.spool.entries.length, ingest.spool.open, ingest.spool.repeated]).toEqual([0, 0, 1]);
  });

  it('gives the claim back when the spool fails', async () => {
    ingest = await startIngest();
    ingest.spool.failure = new Error('disk full');
    expect((await push(ndjson(pushLine({ ClientRequestUserAgent: CHROME })))).status).toBe(503);
    expect([ingest.claims.confirmed, ingest.claims.released, ingest.spool.open]).toEqual([0, 1, 0]);
  });

  it('answers 503 when a group of rows can’t be staged, and leaves none behind', async () => {
    ingest = await startIngest();
    ingest.spool.failure = new Error('disk full');
    expect((await push(ndjson(...Array.from({ length: 3_000 }, () => pushLine())))).status).toBe(503);
    expect([ingest.claims.confirmed, ingest.claims.released, ingest.spool.open]).toEqual([0, 0, 0]);
  });

  it('keeps the claim of a batch that is on disk, even when it can’t be confirmed', async () => {
    ingest = await startIngest();
    ingest.claims.isFailing = true;
    expect((await push(ndjson(pushLine()))).status).toBe(204);
    expect([ingest.spool.kept, ingest.claims.released]).toEqual([1, 0]);
  });

  it('takes a visit once, whichever endpoint it came by', async () => {
    ingest = await startIngest();
    await push(
      ndjson(pushLine({ RayID: '8f2a3b4c5d6e7f80' }), pushLine({ RayID: '8f2a3b4c5d6e7f80', x: 1 })),
    );
    expect([ingest.spool.kept, ingest.spool.duplicate]).toEqual([1, 1]);
  });

  it.each([
    ['the documented one', gzipSync('{"content":"tests"}')],
    ['plain test', 'test'],
    ['an empty body', ''],
    ['an empty gzip', gzipSync('')],
  ])('answers the validation upload (%s) after authentication and counts nothing', async (_, body) => {
    ingest = await startIngest();
    expect((await push(body)).status).toBe(204);
    expect((await push(body, { key: UNKNOWN_KEY })).status).toBe(401);
    expect(ingest.spool.entries).toEqual([]);
    expect(ingest.signals.map(({ kind }) => kind)).toEqual(['validation_upload', 'auth_error']);
  });

  it('says once that CSV is not read', async () => {
    ingest = await startIngest();
    const answer = await push('ClientIP,ClientRequestHost\n192.0.2.1,shop.example\n192.0.2.2,shop.example\n');
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      errors: [{ reason: 'csv', message: expect.stringContaining('ndjson') }],
    });
    expect(ingest.spool.sum('rejected')).toEqual({ csv: 3 });
    expect(answer.json.errors).toHaveLength(1);
    expect(ingest.signals).toMatchObject([{ kind: 'wrong_format', detail: 'csv' }]);
  });
});

describe('the forms of a body', () => {
  const hits = [pushLine({ n: 1 }), pushLine({ n: 2 }), pushLine({ n: 3 })];
  it.each([
    ['an array', JSON.stringify(hits)],
    ['an array over several lines', JSON.stringify(hits, null, 2)],
    ['objects without anything between them', hits.map((hit) => JSON.stringify(hit)).join('')],
    ['an array behind a byte order mark', `\ufeff${JSON.stringify(hits)}`],
  ])('takes %s, compressed or not', async (_, body) => {
    ingest = await startIngest();
    expect((await push(body)).status).toBe(204);
    expect((await push(gzipSync(`${body} `))).status).toBe(204);
    expect(ingest.spool.kept).toBe(6);
  });

  it('takes more of one line than a line may have, where it is many objects', async () => {
    ingest = await startIngest({ limits: { lineBytes: 1_000 } });
    expect((await push(JSON.stringify(Array.from({ length: 20 }, (_, n) => pushLine({ n }))))).status).toBe(
      204,
    );
    expect(ingest.spool.kept).toBe(20);
  });

  it('names the place of an element that is not taken', async () => {
    ingest = await startIngest();
    const answer = await push(JSON.stringify([pushLine(), 7, pushLine({ EdgeStartTimestamp: 'x' })]));
    expect(answer.json).toMatchObject({
      kept: 1,
      errors: [
        { index: 1, reason: 'not_an_object' },
        { index: 2, reason: 'not_a_time' },
      ],
    });
  });

  it.each([
    ['words', 'hello'.repeat(300)],
    ['numbers', '1\n2\n'],
    ['an empty array', '[]'],
    ['an array of texts', '["a","b"]'],
    ['a long line of nothing', 'x'.repeat(2_000_000)],
  ])('answers 400 to %s, and says it again when it comes again', async (_, body) => {
    ingest = await startIngest();
    for (let round = 0; round < 2; round++) {
      const answer = await push(gzipSync(body));
      expect([answer.status, answer.json.type]).toEqual([400, '/problems/malformed_body']);
    }
    expect(ingest.spool.hits).toEqual([]);
  });

  it.each([
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['zstd', zstdCompressSync],
    ['gzip', gzipSync],
    ['identity', Buffer.from],
    ['x-gzip', gzipSync],
    // A proxy unpacked it, or the header is simply wrong: the bytes count.
    ['gzip', Buffer.from],
    ['deflate', gzipSync],
    ['', zstdCompressSync],
  ])('reads Content-Encoding %s (%o)', async (coding, compress: (text: Buffer) => Uint8Array) => {
    ingest = await startIngest();
    const headers: Record<string, string> = coding === '' ? {} : { 'Content-Encoding': coding };
    expect((await push(compress(Buffer.from(ndjson(...hits))), { headers })).status).toBe(204);
    expect(ingest.spool.kept).toBe(3);
    const worker = compress(Buffer.from(JSON.stringify([workerHit()])));
    expect((await ingest.post('edge_worker', worker, { headers })).status).toBe(204);
  });

  it.each(['br', 'gzip, zstd', 'compress'])(
    'answers 415 to Content-Encoding %s and names it',
    async (coding) => {
      ingest = await startIngest();
      for (const endpoint of ['edge_logpush', 'edge_worker'] as const) {
        const answer = await ingest.post(endpoint, ndjson(...hits), {
          headers: { 'Content-Encoding': coding },
        });
        expect([answer.status, answer.json.detail]).toEqual([415, expect.stringContaining(coding)]);
        expect(answer.headers.get('accept-encoding')).toContain('zstd');
      }
      expect(ingest.spool.entries).toEqual([]);
    },
  );

  it.each([
    ['deflate', Buffer.from([0x78, 0x9c, 1, 2, 3, 4, 5, 6])],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ])('answers 400 to damaged %s', async (coding, body) => {
    ingest = await startIngest();
    for (const endpoint of ['edge_logpush', 'edge_worker'] as const)
      expect((await ingest.post(endpoint, body, { headers: { 'Content-Encoding': coding } })).status).toBe(
        400,
      );
  });
});

describe('key and property in the address', () => {
  it('takes the key from the query, in any case of its name', async () => {
    ingest = await startIngest();
    for (const name of ['header_X-API-Key', 'HEADER_x-api-key']) {
      const answer = await push(ndjson(pushLine({ n: name })), { key: null, query: `?${name}=${KEY}` });
      expect(answer.status).toBe(204);
    }
  });

  it.each([
    ['two different keys', KEY, `?header_X-API-Key=${BARE_KEY}`],
    ['a blank in the query', null, `?header_X-API-Key=%20${KEY}`],
    ['Bearer in the query', null, `?header_X-API-Key=Bearer%20${KEY}`],
    ['two query keys', null, `?header_X-API-Key=${KEY}&header_x-api-key=${BARE_KEY}`],
  ])('refuses %s', async (_, key, query) => {
    ingest = await startIngest();
    expect((await push(ndjson(pushLine()), { key, query })).status).toBe(401);
  });

  it.each([
    ['attribution_id', `?attribution_id=${SECOND_PROPERTY.toUpperCase()}`],
    ['tags', `?tags=attribution_id=${SECOND_PROPERTY}`],
    ['encoded tags', `?tags=${encodeURIComponent(`attribution_id=${SECOND_PROPERTY}`)}`],
  ])('takes the property from %s', async (_, query) => {
    ingest = await startIngest();
    expect((await push(ndjson(pushLine()), { query })).status).toBe(204);
    expect(ingest.spool.hits).toMatchObject([{ attribution_id: SECOND_PROPERTY }]);
  });

  it('rejects the lines, not the upload, when the property is missing or not the organization’s', async () => {
    ingest = await startIngest();
    const reason = async (options: Parameters<Harness['post']>[2]) => {
      const answer = await push(
        ndjson(pushLine({ n: JSON.stringify(options) }), pushLine({ ClientRequestUserAgent: CHROME })),
        options,
      );
      return [answer.status, answer.json.rejected, answer.json.errors[0].reason];
    };
    expect(await reason({ key: BARE_KEY })).toEqual([200, 1, 'missing_attribution_id']);
    expect(await reason({ query: `?attribution_id=${FOREIGN_PROPERTY}` })).toEqual([
      200,
      1,
      'unknown_attribution_id',
    ]);
    expect(await reason({ key: BARE_KEY, query: '?attribution_id=nonsense' })).toEqual([
      200,
      1,
      'unknown_attribution_id',
    ]);
  });
});

describe('bounds', () => {
  const head = (length: number) =>
    `POST /v1/logs/edge_logpush HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Length: ${length}\r\n\r\n`;

  it('rejects an over-long line alone', async () => {
    ingest = await startIngest();
    const long = JSON.stringify(pushLine({ ClientRequestUserAgent: 'x'.repeat(1024 * 1024) }));
    const answer = await push(gzipSync(`${ndjson(pushLine())}${long}\n${ndjson(pushLine({ n: 1 }))}`));
    expect(answer.json).toMatchObject({
      kept: 2,
      rejected: 1,
      errors: [{ index: 1, reason: 'line_too_long' }],
    });
  });

  it('rejects a line of a hundred thousand members with its reason, and keeps the others', async () => {
    ingest = await startIngest();
    const members = Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join(',');
    const long = pushLine({ n: 2, cookie: 'x'.repeat(100_000) });
    const answer = await push(`${ndjson(pushLine({ n: 1 }))}{${members}}\n${ndjson(long)}`);
    expect(answer.json).toMatchObject({
      kept: 2,
      rejected: 1,
      errors: [
        { index: 1, reason: 'too_many_members', message: 'An object can have at most 4,000 members.' },
      ],
    });
  });

  it('answers 413 past the decompressed limit, plain or inflated', async () => {
    ingest = await startIngest({ limits: { uploadBytes: 100_000 } });
    const body = ndjson(pushLine()).repeat(1_000);
    expect((await push(body)).status).toBe(413);
    expect((await push(gzipSync(body))).status).toBe(413);
    expect([ingest.spool.entries.length, ingest.spool.open]).toEqual([0, 0]);
  });

  it('answers 400 for gzip that is cut short or damaged, and keeps nothing of it', async () => {
    ingest = await startIngest();
    const whole = gzipSync(ndjson(...Array.from({ length: 500 }, (_, n) => pushLine({ n }))));
    expect((await push(whole.subarray(0, whole.length - 20))).status).toBe(400);
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 200, 240);
    expect((await push(damaged)).status).toBe(400);
    expect((await push(Buffer.from([0x1f, 0x8b]))).status).toBe(400);
    expect([ingest.spool.entries.length, ingest.spool.open]).toEqual([0, 0]);
  });

  it('takes nothing of an upload whose key is revoked before its end', async () => {
    const revoked = new Set<string>();
    ingest = await startIngest({ peekable: true, revoked });
    const body = ndjson(...Array.from({ length: 2_000 }, (_, n) => pushLine({ n })));
    const socket = connect(ingest.port, '127.0.0.1');
    let text = '';
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
    socket.write(head(body.length) + body.slice(0, -1));
    await expect.poll(() => ingest.spool.open).toBe(1);
    revoked.add(KEY);
    socket.write(body.slice(-1));
    await expect.poll(() => text).toMatch(/^HTTP\/1.1 401/);
    await expect.poll(() => ingest.spool.open).toBe(0);
    expect(ingest.spool.entries).toEqual([]);
    socket.destroy();
  });

  it('leaves nothing behind when the connection breaks', async () => {
    ingest = await startIngest();
    const body = ndjson(...Array.from({ length: 2_000 }, (_, n) => pushLine({ n })));
    const socket = connect(ingest.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head(body.length * 2) + body);
    await expect.poll(() => ingest.spool.open).toBe(1);
    socket.destroy();
    await expect.poll(() => ingest.spool.open).toBe(0);
    expect(ingest.spool.entries).toEqual([]);
  });

  it.each([
    ['line feeds', '\n'],
    ['lines of a digit', '1\n'],
    ['empty objects', '{}\n'],
    ['empty objects on one line', '{}'],
    ['commas of an array', '[,'],
  ])('reads no more lines of an upload than it may have: %s', async (_, unit) => {
    ingest = await startIngest({ limits: { uploadLines: 10_000 } });
    expect((await push(gzipSync(unit.repeat(1_000_000)))).status).toBe(413);
    expect([ingest.spool.entries.length, ingest.spool.open]).toEqual([0, 0]);
  });

  it('ends an upload of which too much can’t be taken', async () => {
    ingest = await startIngest({ limits: { uploadRejected: 100 } });
    expect((await push('{x}\n'.repeat(100))).status).toBe(400);
    expect((await push('{x}\n'.repeat(101))).status).toBe(413);
  });

  it.each([
    ['all of the body has arrived', gzipSync('{}\n'.repeat(900_000))],
    ['much of the body waits to be read', Buffer.from('{}\n'.repeat(300_000))],
  ])('stops working when the sender leaves, though %s', async (_, body) => {
    const thread = startThread();
    ingest = await startIngest({ startThread: () => thread });
    let before = 0;
    /** Milliseconds that the thread has worked since it was last asked. */
    const worked = (): number => {
      const { active } = thread.performance.eventLoopUtilization();
      const since = active - before;
      before = active;
      return since;
    };
    // The first upload has the thread ready for the second.
    await push(gzipSync('{}\n'.repeat(30_000)));
    ingest.spool.entries.length = 0;
    const socket = connect(ingest.port, '127.0.0.1').on('error', () => undefined);
    socket.write(head(body.length));
    socket.write(body);
    worked();
    await expect.poll(worked).toBeGreaterThan(5);
    socket.destroy();
    await expect.poll(worked).toBeLessThan(1);
    expect(ingest.spool.entries).toEqual([]);
    await expect.poll(async () => (await push(ndjson(pushLine()))).status).toBe(204);
  });

  it('answers 503 when an upload takes longer than its sender would wait', async () => {
    const thread = new Worker('setInterval(() => {}, 1e6)', { eval: true });
    ingest = await startIngest({ limits: { uploadAnswerMs: 50 }, startThread: () => thread });
    const answer = await push(gzipSync('{}\n'.repeat(900_000)));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(ingest.spool.open).toBe(0);
  });

  it('answers before the listener ends the connection, though parts of what has arrived are taken all the time', async () => {
    // Of the body, all of which has arrived, it takes 64 KiB every 50 ms.
    const slow = `
      const { parentPort } = require('node:worker_threads');
      let due = 0;
      parentPort.on('message', ({ port }) => {
        port.on('message', ({ bytes }) => {
          if (bytes === undefined) return;
          due += 50;
          setTimeout(() => port.postMessage({ taken: bytes.length }), due);
        });
      });`;
    ingest = await startIngest({
      limits: { uploadAnswerMs: 600 },
      idleMs: 1_500,
      startThread: () => new Worker(slow, { eval: true }),
    });
    const answer = await push(Buffer.alloc(6 * 1024 * 1024, 'x'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(ingest.spool.open).toBe(0);
  });

  it('answers when the listener would end the connection, whatever was expected', async () => {
    ingest = await startIngest({
      idleMs: 200,
      startThread: () => new Worker('setInterval(() => {}, 1e6)', { eval: true }),
    });
    const answer = await push(gzipSync('{}\n'.repeat(900_000)));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
  });

  it('answers 413 to an upload that takes too much work', async () => {
    ingest = await startIngest({ limits: { uploadWorkMs: 1 } });
    expect((await push(gzipSync('{}\n'.repeat(900_000)))).status).toBe(413);
  });

  it('answers 408 to a body that always moves, but too slowly', async () => {
    ingest = await startIngest({ limits: { paceAfterMs: 100, minBytesPerSecond: 1_024 } });
    const socket = connect(ingest.port, '127.0.0.1').on('error', () => undefined);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.write(`${head(1_000_000)}{"a":"`);
    const drip = setInterval(() => socket.writable && socket.write('x'), 10);
    await expect.poll(() => text, { timeout: 10_000 }).toMatch(/^HTTP\/1.1 408 [\s\S]*too slowly/);
    clearInterval(drip);
    socket.destroy();
    expect(ingest.spool.open).toBe(0);
  });

  it('answers 503 while the database hangs over a claim, and gives back one that comes late', async () => {
    ingest = await startIngest({ limits: { claimMs: 20 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    ingest.claims.hanging = promise;
    const body = ndjson(pushLine());
    expect((await push(body)).status).toBe(503);
    expect([ingest.spool.kept, ingest.spool.open]).toEqual([0, 0]);
    resolve();
    await expect.poll(() => ingest.claims.released).toBe(1);
    expect((await push(body)).status).toBe(204);
    expect(ingest.spool.kept).toBe(1);
  });

  it('answers 408 when the body stops arriving', async () => {
    ingest = await startIngest({ limits: { bodyIdleMs: 100 } });
    expect(await ingest.raw(`${head(1_000_000)}{"a"`)).toMatch(/^HTTP\/1.1 408/);
    expect(ingest.spool.open).toBe(0);
  });

  it('lets one key run only so many uploads at once', async () => {
    ingest = await startIngest({ limits: { uploadsPerKey: 2 } });
    const sockets = [1, 2].map(() => connect(ingest.port, '127.0.0.1').on('error', () => undefined));
    for (const socket of sockets) socket.write(`${head(1_000_000)}{"a`);
    await expect.poll(async () => (await push(ndjson(pushLine()))).status).toBe(503);
    const other = await push(ndjson(pushLine()), { key: BARE_KEY, query: `?attribution_id=${PROPERTY}` });
    expect(other.status).toBe(204);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await push(ndjson(pushLine({ n: 2 })))).status).toBe(204);
  });
});
