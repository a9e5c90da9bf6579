/** Bodies that a worker reads: what becomes of them is what would become of them here, and a worker's end is not the service's. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createSigner, directoryOf } from '../../../../collector/src/signature/testing.ts';
import { SOURCES } from '../../sources/index.ts';
import type { SampleVisit } from '../../sources/testing/sample.ts';
import { SAMPLES } from '../../sources/testing/samples.ts';
import {
  CHROME,
  GPTBOT,
  type Harness,
  KEY,
  NOW,
  ndjson,
  ORGANIZATION,
  PROPERTY,
  pushLine,
  startIngest,
  startThread,
  workerHit,
} from '../testing/harness.ts';

const open: Harness[] = [];
const start = async (...options: Parameters<typeof startIngest>): Promise<Harness> => {
  const ingest = await startIngest(...options);
  open.push(ingest);
  return ingest;
};
afterEach(async () => {
  for (const ingest of open.splice(0)) await ingest.close();
});

const BY_WORKER = { limits: { smallUploadBytes: 0, smallArrayBytes: 0 } };
const HERE = { limits: { smallUploadBytes: 1024 ** 3, smallArrayBytes: 1024 ** 3 } };

describe('a body that a worker reads', () => {
  let visits = 0;
  const visit = fc
    .record({
      userAgent: fc.constantFrom(GPTBOT, CHROME, 'Googlebot/2.1', 'curl/8.0', ''),
      referrer: fc.constantFrom('', 'https://chatgpt.com/', 'https://www.google.com/'),
      ip: fc.constantFrom('192.0.2.10', '2001:db8::1', 'x'),
      at: fc.constantFrom(NOW - 1_000, NOW - 5_000_000, NOW + 5 * 86_400_000),
      path: fc.webPath().map((path) => `/${path.replaceAll(/[^a-z/]/g, '')}`),
    })
    .map((some): SampleVisit => {
      visits += 1;
      const requestId = `8f2a3b4c${visits.toString(16).padStart(8, '0')}`;
      return {
        ...some,
        requestId,
        query: new Map(),
        host: 'shop.example',
        method: 'GET',
        status: 200,
        bytes: 7,
      };
    });
  /** What a body may suffer on its way. */
  const spoiled = fc.constantFrom<(body: Buffer, at: number) => Buffer>(
    (body) => body,
    (body) => body,
    (body, at) => body.subarray(0, at % (body.length + 1)),
    (body, at) => Buffer.concat([body.subarray(0, at % (body.length + 1)), Buffer.from('\n{"x\n'), body]),
    (body, at) => Buffer.from(body.map((byte, index) => (index === at % body.length ? 0xff : byte))),
  );
  const packed = fc.constantFrom<[string, (body: Buffer) => Uint8Array, isCut: boolean]>(
    ['identity', (body) => body, false],
    ['gzip', gzipSync, false],
    ['deflate', deflateSync, false],
    ['zstd', zstdCompressSync, false],
    ['gzip', (body) => gzipSync(body).subarray(0, -9), true],
  );

  /** Everything that an upload leaves behind, except for ids that are made up. */
  const outcome = (ingest: Harness) => ({
    entries: ingest.spool.entries.map(({ rows, ...entry }) => ({
      ...entry,
      rows: rows.map(({ line, ...row }) => ({ ...row, line: { ...JSON.parse(line), id: '' } })),
    })),
    counts: [ingest.spool.kept, ingest.spool.duplicate, ingest.spool.repeated, ingest.spool.open],
    signals: ingest.signals,
  });

  it.each(SOURCES.map(({ about }) => about.name))(
    'is answered and kept as it would be here: %s',
    async (name) => {
      const byWorker = await start(BY_WORKER);
      const here = await start(HERE);
      await fc.assert(
        fc.asyncProperty(
          fc.array(visit, { minLength: 1, maxLength: 8 }),
          spoiled,
          fc.nat(5_000),
          packed,
          async (some, spoil, at, [encoding, pack, isCut]) => {
            const printed = SAMPLES[name]?.print(some) ?? { body: '' };
            const parameters = new URLSearchParams(printed.query);
            parameters.set('attribution_id', PROPERTY);
            const body = pack(spoil(Buffer.from(printed.body), at));
            const options = {
              query: `?${parameters}`,
              headers: { ...printed.headers, 'Content-Encoding': encoding },
            };
            const [one, other] = [
              await byWorker.post(name, body, options),
              await here.post(name, body, options),
            ];
            expect(one.status).toBe(other.status);
            // Of two faults the one that is met first is named: a body that is cut short is met by the worker where it ends.
            if (!isCut) expect(one.text).toBe(other.text);
            expect(outcome(byWorker)).toEqual(outcome(here));
            for (const { spool, signals } of [byWorker, here]) spool.entries.length = signals.length = 0;
          },
        ),
        { numRuns: 25 },
      );
    },
  );

  it('has the counts that its lines have', async () => {
    const ingest = await start();
    const lines = Array.from({ length: 9_000 }, (_, n) =>
      n % 3 === 0
        ? JSON.stringify(pushLine({ RayID: `8f2a3b4c${(n % 6_000).toString(16).padStart(8, '0')}` }))
        : n % 3 === 1
          ? JSON.stringify(pushLine({ ClientRequestUserAgent: CHROME }))
          : '{broken',
    );
    const answer = await ingest.post('edge_logpush', gzipSync(`${lines.join('\n')}\n`));
    expect(answer.json).toMatchObject({ kept: 2_000, duplicate: 1_000, dropped: 3_000, rejected: 3_000 });
    expect(ingest.spool.entries).toMatchObject([{ received: 9_000 }]);
  });

  it('tells search crawlers apart where its property does, and what agents signed', async () => {
    const ingest = await start({ ...BY_WORKER, searchEngines: new Set([PROPERTY]) });
    const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
    await ingest.post('edge_logpush', ndjson(pushLine({ ClientRequestUserAgent: googlebot }), pushLine()));
    expect(ingest.spool.hits.map((hit) => hit.class)).toEqual(['search_engine', 'ai_bot']);
  });

  it('checks signatures with keys that are held, and asks for those that are not', async () => {
    const signer = await createSigner(NOW - 3_600_000);
    const url = directoryOf('agent.example');
    const wanted: unknown[] = [];
    let held = new Map([['https://other.example/', { keys: [signer.key], isFresh: true }]]);
    const agent = { engine: 'bytedance', bot_name: 'Bytespider', intent: 'training' as const, url, keys: [] };
    const ingest = await start({
      ...BY_WORKER,
      agents: [agent],
      directories: {
        held: (name) => held.get(name) ?? null,
        all: () => held,
        want: (name, by) => void wanted.push(name, by),
      },
    });
    const { method, url: address, headers } = await signer.sign({});
    const { host, pathname, search } = new URL(address);
    const line = {
      ...{ host, method, path: pathname + search, scheme: 'https', user_agent: 'Bytespider/1.0' },
      ...{ timestamp: NOW - 3_600_000, signature: headers['signature'] },
      ...{ signature_input: headers['signature-input'], signature_agent: headers['signature-agent'] },
    };
    await ingest.post('custom', JSON.stringify(line));
    expect(wanted).toEqual([url, { organizationId: ORGANIZATION, isListed: true }]);
    held = new Map([[url, { keys: [signer.key], isFresh: true }]]);
    await ingest.post('custom', JSON.stringify({ ...line, n: 2 }));
    expect(ingest.spool.hits.map((hit) => hit.verdict_reason)).toEqual([
      'signature_key_unknown',
      'log_signature',
    ]);
  });
});

it('lets only so many arrays of one key wait for a worker, and forgets those whose senders leave', async () => {
  const ingest = await start({
    limits: { smallArrayBytes: 0, largeArraysPerKey: 2 },
    startThread: () => new Worker('setInterval(() => {}, 1e6)', { eval: true }),
  });
  const body = JSON.stringify([workerHit()]);
  const leaving = new AbortController();
  const waiting = [1, 2].map(() =>
    fetch(`${ingest.url}/v1/logs/edge_worker`, {
      ...{ method: 'POST', body, headers: { 'X-API-Key': KEY }, signal: leaving.signal },
    }).catch(() => 'left'),
  );
  const status = async (key: string) => {
    const answer = await ingest.post('edge_worker', body, { key });
    return [answer.status, answer.headers.get('retry-after')];
  };
  await expect.poll(() => Promise.race([status(KEY), sleep(200)])).toEqual([503, '5']);
  leaving.abort();
  expect(await Promise.all(waiting)).toEqual(['left', 'left']);
  expect(ingest.spool.entries).toEqual([]);
});

describe('arrays that inflate to a thousand times their size', () => {
  const members = Array.from({ length: 340_000 }, () => '{}').join(',');
  const body = gzipSync(`[${members}]`);

  it('are read one after the other, so that a worker’s heap bears any number of them', async () => {
    const threads: Worker[] = [];
    const ingest = await start({
      limits: { arraysReadPerOrganization: 1 },
      startThread: () => {
        const thread = startThread(96);
        threads.push(thread);
        return thread;
      },
    });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ingest.post('edge_worker', body)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422));
    expect(answers[0]?.json.errors).toHaveLength(20);
    expect(threads).toHaveLength(1);
  });
});

it('hands a worker no more arrays of an organization at once than it may', async () => {
  let begun = 0;
  const ingest = await start({
    limits: { smallArrayBytes: 0, arraysReadPerOrganization: 2 },
    startThread: () => {
      const thread = new Worker('setInterval(() => {}, 1e6)', { eval: true });
      const send = thread.postMessage.bind(thread);
      thread.postMessage = (message, transfer) => {
        begun += 1;
        send(message, transfer as []);
      };
      return thread;
    },
  });
  const body = JSON.stringify([workerHit()]);
  const leaving = new AbortController();
  const posts = Array.from({ length: 5 }, () =>
    fetch(`${ingest.url}/v1/logs/edge_worker`, {
      ...{ method: 'POST', body, headers: { 'X-API-Key': KEY }, signal: leaving.signal },
    }).catch(() => 'left'),
  );
  // A key is looked up before and after its body arrives.
  await expect.poll(() => [begun, ingest.lookups()]).toEqual([2, 10]);
  // What came before it has come as far as it gets.
  await ingest.post('edge_logpush', ndjson(pushLine()));
  expect(begun).toBe(2);
  leaving.abort();
  await Promise.all(posts);
});

describe('an array under which a worker ends', () => {
  const body = JSON.stringify([workerHit()]);
  const dying = (): Worker =>
    new Worker('require("node:worker_threads").parentPort.once("message", () => process.exit(1))', {
      eval: true,
    });

  it('is read again by another: the body of another may have been the cause', async () => {
    const threads: Worker[] = [];
    const ingest = await start({
      limits: { smallArrayBytes: 0 },
      startThread: () => {
        const thread = threads.length === 0 ? dying() : startThread();
        threads.push(thread);
        return thread;
      },
    });
    const answers = await Promise.all([
      ingest.post('edge_worker', body),
      ingest.post('edge_worker', gzipSync(body)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect([ingest.spool.kept, threads.length]).toEqual([2, 2]);
  });

  it('is to be sent again after the second', async () => {
    let threads = 0;
    const ingest = await start({
      limits: { smallArrayBytes: 0 },
      startThread: () => {
        threads += 1;
        return dying();
      },
    });
    const { status, headers } = await ingest.post('edge_worker', body);
    expect([status, headers.get('retry-after'), threads]).toEqual([503, '5', 2]);
  });
});

describe('a worker that ends', () => {
  const lines = ndjson(...Array.from({ length: 2_000 }, (_, n) => pushLine({ n })));
  const head = `POST /v1/logs/edge_logpush HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Length: ${lines.length}\r\n\r\n`;

  it('leaves its upload to be sent again, and another takes its place', async () => {
    const threads: Worker[] = [];
    const ingest = await start({
      startThread: () => {
        const thread = startThread();
        threads.push(thread);
        return thread;
      },
    });
    const socket = connect(ingest.port, '127.0.0.1').on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.write(head + lines.slice(0, -1));
    await expect.poll(() => ingest.spool.open).toBe(1);
    await threads[0]?.terminate();
    await expect.poll(() => answer).toMatch(/^HTTP\/1.1 503[\s\S]*Retry-After: 5\r\n/);
    socket.destroy();
    expect([ingest.spool.open, ingest.spool.entries.length]).toEqual([0, 0]);
    expect((await ingest.post('edge_logpush', lines)).status).toBe(204);
    expect([ingest.spool.kept, threads.length]).toEqual([2_000, 2]);
  });

  it('is no end of the service, though each one fails at its start', async () => {
    const errors: string[] = [];
    const log = {
      debug() {},
      info() {},
      warn() {},
      error: (_: object, text: string) => void errors.push(text),
    };
    const ingest = await start({
      log: { ...log, child: () => ({ ...log, child: () => log as never }) },
      startThread: () => new Worker('throw new Error("no memory")', { eval: true }),
    });
    for (let n = 0; n < 2; n += 1) {
      const { status, headers } = await ingest.post('edge_logpush', lines);
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    }
    expect(errors).toContain('a thread that reads uploads died');
    expect((await ingest.post('edge_logpush', ndjson(pushLine()))).status).toBe(204);
  });
});
