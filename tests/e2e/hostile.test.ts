/**
 * What attackers and broken senders send, against the real process: nothing but 503 may be a 5xx, nothing may take the process down or make
 * it grow, and the rest of each batch is kept.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { pushLine } from '../harness/lines.ts';
import { expectQuick } from '../harness/quick.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import { head, type RawAnswer, rawRequest } from '../harness/raw.ts';
import { ADMIN_TOKEN, type Answer, TestService, workerHit } from '../harness/service.ts';

const MIB = 1024 ** 2;
/** The bound on what an upload of any size may add to the memory of the process. */
const MAX_GROWTH = 200 * MIB;
/** Repeated members: a gzip of any size without holding or compressing it. */
const MEMBER_BYTES = 16 * MIB;

const service = new TestService();
let property: { id: string; key: string };
/** For senders that hold slots: its uploads must not be in the way of the other key's. */
let slow: { id: string; key: string };
let pid: number;

beforeAll(async () => {
  await service.start();
  property = await service.property();
  slow = await service.property('Slow', 'slow.example');
  pid = service.pid;
});
afterAll(async () => {
  await service.dispose();
});

async function worker(body: string | Uint8Array<ArrayBuffer>): Promise<Answer> {
  return await service.call('POST', '/v1/logs/edge_worker', {
    headers: { 'X-API-Key': property.key },
    body,
  });
}

async function push(body: string | Uint8Array<ArrayBuffer>): Promise<Answer> {
  return await service.call('POST', `/v1/logs/edge_logpush?attribution_id=${property.id}`, {
    headers: { 'X-API-Key': property.key },
    body,
  });
}

/** As a sender does: again, where the service was too busy to answer in time. */
async function pushUntilAnswered(body: Uint8Array<ArrayBuffer>): Promise<Answer> {
  for (;;) {
    const answer = await push(body);
    if (answer.status !== 503) return answer;
  }
}

interface StoredRow {
  path: string;
  user_agent: string;
  query_params: Record<string, string>;
}

/** What the warehouse holds once everything is stored. */
async function stored(): Promise<StoredRow[]> {
  await expectConservation(service);
  const { body } = await service.api('GET', `/api/v1/properties/${property.id}/hits?format=ndjson`);
  return String(body)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StoredRow);
}

async function row(path: string): Promise<StoredRow> {
  const found = (await stored()).find((candidate) => candidate.path === path);
  if (found === undefined) throw new Error(`${path} is not stored`);
  return found;
}

async function memory(): Promise<number> {
  return (await service.metrics()).get('ghostlight_process_resident_memory_bytes') ?? 0;
}

/** How much the process grows at most while something runs. */
async function growthDuring(run: () => Promise<void>): Promise<number> {
  const before = await memory();
  let highest = before;
  let over = false;
  const watching = (async () => {
    while (!over) {
      highest = Math.max(highest, await memory());
      await sleep(50);
    }
  })();
  try {
    await run();
  } finally {
    over = true;
    await watching;
  }
  return highest - before;
}

/** Gzip of `prefix`, then `members` × 16 MiB of one letter, then `suffix`. */
function hugeGzip(letter: string, members: number, prefix = '', suffix = ''): Uint8Array<ArrayBuffer> {
  const member = gzipSync(Buffer.alloc(MEMBER_BYTES, letter), { level: 9 });
  return new Uint8Array(
    Buffer.concat([gzipSync(prefix), ...Array.from({ length: members }, () => member), gzipSync(suffix)]),
  );
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

describe('compressed bodies', () => {
  it('refuses a truncated gzip on both endpoints and stores nothing of it', async () => {
    const hits = gzipSync(JSON.stringify([workerHit({ pathname: '/truncated' })]));
    const lines = gzipSync(
      Array.from({ length: 5_000 }, () => pushLine({ ClientRequestURI: '/truncated' })).join('\n'),
    );
    for (const cut of [3, 12, Math.floor(hits.length / 2), hits.length - 1]) {
      expect((await worker(new Uint8Array(hits.subarray(0, cut)))).status).toBe(400);
      expect((await push(new Uint8Array(lines.subarray(0, cut)))).status).toBe(400);
    }
    expect((await push(new Uint8Array(lines.subarray(0, lines.length - 5)))).status).toBe(400);
    expect((await stored()).filter(({ path }) => path === '/truncated')).toEqual([]);
  });

  it('stops a gzip bomb at its limit and stays small', async () => {
    const growth = await growthDuring(async () => {
      const answer = await worker(hugeGzip('\0', 32));
      expect(answer.status).toBe(413);
      expect(answer.headers.get('content-type')).toContain('problem+json');
      expect((await pushUntilAnswered(hugeGzip('\0', 70))).status).toBe(413);
    });
    expect(growth).toBeLessThan(MAX_GROWTH);
  });

  it('keeps the lines around a line of 1 GiB, without holding the line', async () => {
    const before = pushLine({ ClientRequestURI: '/before-the-long-line' });
    const after = pushLine({ ClientRequestURI: '/after-the-long-line' });
    const growth = await growthDuring(async () => {
      const answer = await pushUntilAnswered(
        hugeGzip('a', 64, `${before}\n{"ClientRequestURI":"/`, `"}\n${after}\n`),
      );
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        kept: 2,
        rejected: 1,
        errors: [{ index: 1, reason: 'line_too_long' }],
      });
    });
    expect(growth).toBeLessThan(MAX_GROWTH);
    const paths = (await stored()).map(({ path }) => path);
    expect(paths).toContain('/before-the-long-line');
    expect(paths).toContain('/after-the-long-line');
  });
});

describe('strange JSON', () => {
  it('stores hits with NUL in their texts, and refuses NUL between them', async () => {
    const hit = workerHit({
      pathname: '/nul\u0000here',
      user_agent: 'GPTBot/1.2\u0000',
      host: 'shop.example',
    });
    expect((await worker(JSON.stringify([hit]))).status).toBe(204);
    expect((await worker(`[${JSON.stringify(workerHit())},\0]`)).status).toBe(400);
    const lines = [
      pushLine({ ClientRequestURI: '/nul\u0000line' }),
      '\0\0\0',
      pushLine({ ClientRequestURI: '/after-nul' }),
    ];
    const answer = await push(lines.join('\n'));
    expect(answer.body).toMatchObject({ kept: 2, rejected: 1 });
    await row('/after-nul');
  });

  it('survives a million levels of nesting', async () => {
    const deep = nested(1_000_000);
    expect((await worker(deep)).status).toBe(413);
    expect((await worker(new Uint8Array(gzipSync(deep)))).status).toBe(413);
    // As deep as the limits let through: the elements around it are kept.
    const fitting = nested(200_000);
    const beside = JSON.stringify(workerHit({ pathname: '/beside-depth' }));
    const inside = beside.replace('"query_params":{}', `"query_params":{"a":${fitting}}`);
    const answer = await worker(`[${beside},${fitting},${inside}]`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ errors: [{ index: 1, reason: 'not_an_object' }] });
    const under = pushLine({ ClientRequestURI: '/under-depth' });
    const pushed = await push([deep, fitting, under.replace('"/under-depth"', fitting), under].join('\n'));
    expect(pushed.status).toBe(200);
    expect((pushed.body as { kept: number }).kept).toBeGreaterThanOrEqual(1);
    await row('/beside-depth');
    await row('/under-depth');
  });

  it('takes __proto__ and constructor as names like any other', async () => {
    const hostile =
      '{"__proto__":{"polluted":"yes","kept":1},"constructor":{"prototype":{"polluted":"yes"}},"toString":1,';
    const hit = JSON.stringify(workerHit({ pathname: '/proto' })).replace(
      '"query_params":{}',
      '"query_params":{"__proto__":"x","constructor":"y","hasOwnProperty":"z"}',
    );
    expect((await worker(`[${hostile}${hit.slice(1)}]`)).status).toBe(204);
    expect((await push(`${hostile}${pushLine({ ClientRequestURI: '/proto-line' }).slice(1)}`)).status).toBe(
      204,
    );
    expect((await push('{"__proto__":{"ClientRequestUserAgent":"GPTBot/1.2"}}')).status).toBeLessThan(300);
    await row('/proto');
    await row('/proto-line');
    expect(await service.hits(property.key, workerHit()).then(({ status }) => status)).toBe(204);
  });

  it('stores lone surrogates well-formed, so that they block no other row', async () => {
    const hit = JSON.stringify(workerHit({ pathname: '/lone-PLACE', user_agent: 'GPTBot/1.2 PLACE' }));
    expect((await worker(`[${hit.replaceAll('PLACE', '\\ud800')}]`)).status).toBe(204);
    const line = pushLine({ ClientRequestURI: '/lone-line-PLACE', ClientRequestHost: 'shop.example' });
    expect((await push(line.replaceAll('PLACE', '\\udfff'))).status).toBe(204);
    expect((await service.hits(property.key, workerHit({ pathname: '/after-lone' }))).status).toBe(204);
    await row('/after-lone');
    expect((await row('/lone-\ufffd')).user_agent.isWellFormed()).toBe(true);
    await row('/lone-line-\ufffd');
  });

  it('cuts 10,000 query parameters and a user agent of 1 MiB to their bounds', async () => {
    const query = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, 'v']));
    expect(
      (await worker(JSON.stringify([workerHit({ pathname: '/many', query_params: query })]))).status,
    ).toBe(204);
    expect(Object.keys((await row('/many')).query_params).length).toBeLessThanOrEqual(64);
    const search = Array.from({ length: 10_000 }, (_, index) => `p${index}=v`).join('&');
    expect((await push(pushLine({ ClientRequestURI: `/many-pushed?${search}` }))).status).toBe(204);
    expect(Object.keys((await row('/many-pushed')).query_params).length).toBeLessThanOrEqual(64);

    const agent = `GPTBot/1.2 ${'x'.repeat(MIB - 2_000)}`;
    expect(
      (await worker(JSON.stringify([workerHit({ pathname: '/agent', user_agent: agent })]))).status,
    ).toBe(204);
    expect((await row('/agent')).user_agent.length).toBe(1_024);
    const whole = `GPTBot/1.2 ${'x'.repeat(MIB)}`;
    const answer = await push(
      [pushLine({ ClientRequestUserAgent: whole }), pushLine({ ClientRequestURI: '/beside-agent' })].join(
        '\n',
      ),
    );
    expect(answer.body).toMatchObject({ kept: 1, rejected: 1 });
    await row('/beside-agent');
  });
});

describe('strange requests', () => {
  const body = '[]';
  const framed = (...headers: string[]) =>
    head('/v1/logs/edge_worker', [...headers, `Content-Length: ${body.length}`]) + body;

  it('answers every wrong form of key with the same 401', async () => {
    const other = `svc_cf_${'0'.repeat(43)}`;
    const forms = [
      [`X-API-Key: Bearer ${property.key}`],
      [`X-API-Key: Bearer `],
      [`X-API-Key: ${property.key.slice(0, 20)} ${property.key.slice(20)}`],
      [`X-API-Key: ${property.key}`, `X-API-Key: ${other}`],
      [`X-API-Key: ${property.key}`, `X-API-Key: ${slow.key}`],
      [`Authorization: Bearer ${property.key}`],
      [`X-API-Key: ${other}`],
      [`X-API-Key: ${'k'.repeat(8_000)}`],
      ['X-API-Key:'],
    ];
    const answers = await Promise.all(
      forms.map((headers) => rawRequest(service.address, framed(...headers))),
    );
    expect(answers.map(({ status }) => status)).toEqual(forms.map(() => 401));
    expect(new Set(answers.map(({ text }) => text.split('\r\n\r\n')[1])).size).toBe(1);
    const twoPlaces = `/v1/logs/edge_logpush?attribution_id=${property.id}&header_X-API-Key=${slow.key}`;
    expect(
      (await service.call('POST', twoPlaces, { headers: { 'X-API-Key': property.key }, body: '' })).status,
    ).toBe(401);
    // What Node's parser strips around the value was never part of it.
    expect((await rawRequest(service.address, framed(`X-API-Key: \t ${property.key} \t `))).status).toBe(204);
  });

  it('finds an endpoint that a proxy names by its whole address', async () => {
    const key = `X-API-Key: ${property.key}`;
    const absolute = framed(key).replace('POST /v1', 'POST http://test/v1');
    expect((await rawRequest(service.address, absolute)).status).toBe(204);
    expect((await rawRequest(service.address, absolute.replace('edge_worker', 'edge_worker/'))).status).toBe(
      404,
    );
    // Two hosts for one request: which of them would count?
    const other = absolute.replace('POST http://test', 'POST http://other.example');
    expect((await rawRequest(service.address, other)).status).toBe(400);
  });

  it('refuses a request that is framed twice, and a head without end', async () => {
    const key = `X-API-Key: ${property.key}`;
    const twice = head('/v1/logs/edge_worker', [key, 'Content-Length: 2', 'Transfer-Encoding: chunked']);
    const smuggled = `${twice}0\r\n\r\nPOST /v1/logs/edge_worker HTTP/1.1\r\nHost: test\r\n\r\n`;
    const answer = await rawRequest(service.address, smuggled);
    expect(answer.status).toBe(400);
    expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    const lengths = head('/v1/logs/edge_worker', [key, 'Content-Length: 2', 'Content-Length: 7']);
    expect((await rawRequest(service.address, `${lengths}[]`)).status).toBe(400);
    const long = head('/v1/logs/edge_worker', [key, `X-Long: ${'x'.repeat(64 * 1024)}`]);
    expect((await rawRequest(service.address, long)).status).toBe(431);
  });

  it('serves the healthy at once while 300 senders are slow, and lets go of those', async () => {
    const unfinished = head('/v1/logs/edge_worker', [`X-API-Key: ${slow.key}`, 'Content-Length: 1000']);
    const upload = head(`/v1/logs/edge_logpush?attribution_id=${slow.id}`, [
      `X-API-Key: ${slow.key}`,
      'Transfer-Encoding: chunked',
    ]);
    // Twenty in turn; a slow sender that blocked would cost 8 s.
    await expectQuick(4_000, async () => {
      const senders: Promise<RawAnswer>[] = Array.from({ length: 300 }, (_, index) =>
        rawRequest(service.address, index % 50 === 0 ? `${upload}1\r\n{\r\n` : `${unfinished}[`, {
          giveUpMs: 25_000,
        }),
      );
      await sleep(500);
      const started = performance.now();
      for (let count = 0; count < 20; count += 1) {
        expect((await service.hits(property.key, workerHit({ pathname: '/healthy' }))).status).toBe(204);
      }
      const took = performance.now() - started;
      const answers = await Promise.all(senders);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([408]));
      expect(Math.max(...answers.map(({ closedMs }) => closedMs))).toBeLessThan(24_000);
      return took;
    });
  });
});

describe('random bytes', () => {
  const seed = Number(process.env['FUZZ_SEED'] ?? 1);
  const random = seededRandom(seed);
  const allowed = (status: number) => status < 500 || status === 503;

  /** Some bytes of the text replaced, doubled or cut out. */
  function mutate(text: string): Uint8Array<ArrayBuffer> {
    let bytes = Buffer.from(text);
    for (let count = 1 + random.below(6); count > 0; count -= 1) {
      const at = random.below(bytes.length + 1);
      const change = random.pick(['replace', 'insert', 'cut', 'double'] as const);
      const middle =
        change === 'cut'
          ? Buffer.alloc(0)
          : change === 'double'
            ? Buffer.concat([bytes.subarray(at, at + 20), bytes.subarray(at, at + 20)])
            : random.bytes(1 + random.below(4));
      const skip = change === 'insert' ? 0 : change === 'replace' ? middle.length : random.below(12);
      bytes = Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at + skip)]);
    }
    return new Uint8Array(bytes);
  }

  function randomBody(source: Random): Uint8Array<ArrayBuffer> {
    const hit = JSON.stringify([workerHit({ pathname: '/fuzz' }), workerHit({ sample_rate: 0.02 })]);
    const text = source.pick([
      hit,
      pushLine(),
      `${pushLine()}\n${pushLine()}`,
      '{"name":"F","domain":"f.example"}',
      '{"token":"x"}',
      '',
    ]);
    const plain = source.below(3) === 0 ? new Uint8Array(source.bytes(source.below(300))) : mutate(text);
    const form = source.below(6);
    if (form === 0) return new Uint8Array(gzipSync(plain));
    if (form === 1) return new Uint8Array(gzipSync(plain).subarray(0, source.below(60)));
    return plain;
  }

  async function inParallel(count: number, run: (index: number) => Promise<void>): Promise<void> {
    let next = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (next < count) {
          next += 1;
          await run(next);
        }
      }),
    );
  }

  it(`never makes the service fail (FUZZ_SEED=${seed})`, async () => {
    const paths = [
      '/v1/logs/edge_worker',
      `/v1/logs/edge_logpush?attribution_id=${property.id}`,
      '/v1/logs/edge_logpush?attribution_id=%ff%00',
      `/v1/logs/edge_logpush?tags=attribution_id=${property.id}&header_x-api-key=${property.key}`,
    ];
    const failures: string[] = [];
    await inParallel(2_000, async () => {
      const path = random.pick(paths);
      const body = randomBody(random);
      const { status } = await service.call('POST', path, { headers: { 'X-API-Key': property.key }, body });
      if (!allowed(status)) failures.push(`${status} ${path} ${Buffer.from(body).toString('base64')}`);
    });
    expect(failures).toEqual([]);
  });

  it(`never makes the management API fail (FUZZ_SEED=${seed})`, async () => {
    const ids = [
      property.id,
      randomUUID(),
      'x',
      '%00',
      '%ff',
      '..%2f..%2f',
      "'%20OR%201=1--",
      'A'.repeat(300),
    ];
    const tails = [
      '',
      '/live',
      '/live?limit=-1',
      '/live?after=%00&class=x',
      '/setup',
      '/quarantine?limit=1e9',
    ];
    const queries = [
      '',
      '?organization=x',
      '?organization=',
      '?%',
      '?a=%ff&a=b',
      '?format=xml&from=-1&to=9e99',
    ];
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'DELETE'];
    const failures: string[] = [];
    await inParallel(1_500, async () => {
      const id = random.pick(ids);
      const method = random.pick(methods);
      const path = random.pick([
        `/api/v1/properties/${id}${random.pick(tails)}`,
        `/api/v1/properties/${id}/hits${random.pick(queries)}`,
        `/api/v1/ingest-keys/${id}${random.pick(queries)}`,
        `/api/v1/properties${random.pick(queries)}`,
        `/api/v1/ingest-keys${random.pick(queries)}`,
        '/api/v1/session',
        '/v1/config/ai-bots',
        `/${random.pick(['', 'assets/', 'v1/', 'webhooks/custom/', 'metrics', 'readyz'])}${id}`,
      ]);
      // The property of the other tests stays.
      if (method === 'DELETE' && path.includes(property.id)) return;
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: randomBody(random) };
      const { status } = await service.call(method, path, {
        headers: {
          ...(random.below(4) === 0 ? {} : { Authorization: `Bearer ${ADMIN_TOKEN}` }),
          'Content-Type': random.pick(['application/json', 'text/plain', 'application/json; charset=x']),
          ...(random.below(8) === 0
            ? { Cookie: `ghostlight_session=${random.bytes(20).toString('hex')}` }
            : {}),
          ...(random.below(8) === 0 ? { 'If-None-Match': '"\'*,W/' } : {}),
        },
        ...body,
      });
      if (!allowed(status)) failures.push(`${status} ${method} ${path}`);
    });
    expect(failures).toEqual([]);
  });

  it(`never loses its place on a socket that talks nonsense (FUZZ_SEED=${seed})`, async () => {
    await inParallel(200, async () => {
      const start = random.pick([
        '',
        'GET / HTTP/1.1\r\n',
        'POST /v1/logs/edge_worker HTTP/1.1\r\nX-API-Key: ',
      ]);
      const bytes = Buffer.concat([
        Buffer.from(start),
        random.bytes(random.below(400)),
        Buffer.from('\r\n\r\n'),
      ]);
      const { status } = await rawRequest(service.address, bytes, { enoughMs: 5, giveUpMs: 300 });
      expect(status === 0 || allowed(status)).toBe(true);
    });
    expect((await service.call('GET', '/healthz')).status).toBe(200);
  });

  it(`keeps every good line of a batch whose other lines are noise (FUZZ_SEED=${seed})`, async () => {
    for (let round = 0; round < 40; round += 1) {
      const noise = () => Buffer.from(random.bytes(random.below(200)).filter((byte) => byte !== 0x0a));
      const lines: Buffer[] = [];
      const good = 1 + random.below(20);
      for (let count = 0; count < good; count += 1) {
        if (random.below(2) === 0) lines.push(noise());
        lines.push(Buffer.from(pushLine({ ClientRequestURI: `/good/${randomUUID()}` })));
      }
      const body = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
      const answer = await push(new Uint8Array(random.below(2) === 0 ? gzipSync(body) : body));
      expect([200, 204]).toContain(answer.status);
      if (answer.status === 200) expect((answer.body as { kept: number }).kept).toBe(good);
    }
  });
});

describe('a sender that asks before it sends (Expect: 100-continue)', () => {
  const asking = (path: string, key: string) =>
    head(path, [`X-API-Key: ${key}`, 'Content-Length: 2', 'Expect: 100-continue']);

  it.each(['/v1/logs/edge_worker', '/v1/logs/edge_logpush'])(
    'gets 100 Continue at %s only with a good key',
    async (path) => {
      const refused = await rawRequest(service.address, asking(path, 'svc_cf_wrong'), { enoughMs: 300 });
      expect(refused.text).toMatch(/^HTTP\/1\.1 401 /);
      const welcome = await rawRequest(service.address, asking(path, property.key), { enoughMs: 300 });
      expect(welcome.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    },
  );

  it('is answered by the management API as before', async () => {
    const answer = await rawRequest(service.address, asking('/api/v1/properties', 'none'), { enoughMs: 300 });
    expect(answer.text).toMatch(/^HTTP\/1\.1 100 Continue/);
  });
});

describe('in the end', () => {
  it('everything is accounted for, the process never fell, and no fault was logged', async () => {
    const { unstorable } = await expectConservation(service);
    expect(unstorable).toBe(0);
    expect(service.alive).toBe(true);
    expect(service.pid).toBe(pid);
    expect(service.log).not.toMatch(/"level":"(?:error|fatal)"/);
    expect(service.log).not.toMatch(/unhandled|UnhandledPromise|MaxListenersExceeded|Warning:/i);
    expect(service.log).not.toContain(property.key);
  });
});
