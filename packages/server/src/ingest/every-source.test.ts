/** What every log source does. A new one is held to all of this by its line in the register and its sample. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuthForm, SOURCES } from '../sources/index.ts';
import type { SampleVisit } from '../sources/testing/sample.ts';
import { SAMPLES } from '../sources/testing/samples.ts';
import {
  type Answer,
  FOREIGN_PROPERTY,
  GPTBOT,
  type Harness,
  KEY,
  NOW,
  type PostOptions,
  PROPERTY,
  REVOKED_KEY,
  startIngest,
  UNKNOWN_KEY,
} from './testing/harness.ts';

const VISIT: SampleVisit = {
  at: NOW - 60_000,
  host: 'shop.example',
  method: 'GET',
  path: '/products/1',
  query: new Map([['page', '2']]),
  ip: '198.51.100.7',
  userAgent: GPTBOT,
  referrer: 'https://www.shop.example/list',
  status: 200,
  bytes: 5120,
  requestId: '8f1c2d3e4a5b6c7d',
};
const OTHER: SampleVisit = { ...VISIT, path: '/products/2', requestId: '8f1c2d3e4a5b6c7e' };

let ingest: Harness;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(() => ingest.close());

const NAMED = SOURCES.map((source) => [source.about.name, source] as const);

describe.each(NAMED)('%s', (name, source) => {
  const sample = SAMPLES[name];
  const lacks = new Set(sample?.lacks ?? []);
  const print = (...visits: SampleVisit[]) => {
    if (sample === undefined) throw new Error(`${name} has no sample`);
    return sample.print(visits);
  };

  /** As the sender does it, with the key where most can put it. */
  const send = (
    printed: ReturnType<typeof print>,
    options: PostOptions & { readonly property?: string; readonly form?: AuthForm } = {},
  ): Promise<Answer> => {
    const { key = KEY, form = source.auth[0], property = PROPERTY } = options;
    const parameters = new URLSearchParams(printed.query);
    parameters.set('attribution_id', property);
    const headers: Record<string, string> = { ...printed.headers, ...options.headers };
    if (key !== null && form?.place === 'query') parameters.set(form.name, key);
    else if (key !== null && form !== undefined) headers[form.name] = headerOf(form, key);
    return ingest.post(name, printed.body, { key: null, query: `?${parameters}`, headers });
  };

  it('is read back as it was written', async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(visits, { minLength: 1, maxLength: 3 }), async (several) => {
        const before = ingest.spool.hits.length;
        // Also when a failing example is tried again in a smaller form.
        const distinct = several.map((visit) => {
          sent += 1;
          return { ...visit, requestId: `${visit.requestId}${sent}`, path: `${visit.path}~${sent}` };
        });
        const { status, text } = await send(print(...distinct));
        expect([200, 204], text).toContain(status);
        const read = ingest.spool.hits.slice(before);
        expect(read.map((hit) => shown(hit, lacks))).toEqual(
          distinct.map((visit) => shown(asStored(visit), lacks)),
        );
      }),
      { numRuns: 25 },
    );
  });

  it.each(source.auth.map((form) => [`${form.place} ${form.name}`, form] as const))(
    'takes the key by %s, and no other key',
    async (_, form) => {
      for (const key of [null, UNKNOWN_KEY, REVOKED_KEY, `${KEY}x`]) {
        const { status } = await send(print(VISIT), { form, key });
        expect(status).toBe(401);
      }
      expect(ingest.spool.entries).toEqual([]);
      expect((await send(print(VISIT), { form })).status).toBeLessThan(300);
      expect(ingest.spool.kept).toBe(1);
    },
  );

  it('counts what is sent again once', async () => {
    await send(print(VISIT, OTHER));
    const again = await send(print(VISIT, OTHER));
    expect(again.status).toBeLessThan(300);
    if (!lacks.has('requestId')) {
      // Not the same body, but the same visits.
      expect((await send(print(OTHER, VISIT))).status).toBeLessThan(300);
    }
    expect(ingest.spool.kept).toBe(2);
  });

  it('is the same compressed', async () => {
    const { body, ...printed } = print(VISIT, OTHER);
    for (const [encoding, compressed] of [
      ['gzip', gzipSync(body)],
      ['zstd', zstdCompressSync(body)],
    ] as const) {
      ingest.spool.entries.length = 0;
      const headers = { ...printed.headers, 'Content-Encoding': encoding };
      const again = await startIngest();
      try {
        const parameters = new URLSearchParams(printed.query);
        parameters.set('attribution_id', PROPERTY);
        const form = source.auth[0] as AuthForm;
        const answer = await again.post(name, compressed, {
          key: null,
          query: `?${parameters}`,
          headers: { ...headers, [form.name]: headerOf(form, KEY) },
        });
        expect(answer.status).toBeLessThan(300);
        expect(again.spool.kept).toBe(2);
      } finally {
        await again.close();
      }
    }
  });

  it('keeps what can be taken of a body, and names what can’t', async () => {
    const future = { ...VISIT, at: NOW + 5 * 86_400_000, requestId: '8f1c2d3e4a5b6c7f' };
    const { status } = await send(print(VISIT, future, OTHER));
    expect(status).toBe(200);
    expect(ingest.spool.kept).toBe(2);
    expect(ingest.spool.sum('rejected')).toEqual({ in_future: 1 });
    expect(ingest.spool.entries[0]?.quarantine).toMatchObject([{ endpoint: name, reason: 'in_future' }]);
  });

  it('drops people’s visits without keeping anything of them', async () => {
    const person = {
      ...VISIT,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    expect((await send(print(person))).status).toBeLessThan(300);
    expect(ingest.spool.kept).toBe(0);
    expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 1 });
  });

  it('takes an empty body without a fault', async () => {
    const { query, headers } = print(VISIT);
    const { status } = await send({
      body: '',
      ...(query === undefined ? {} : { query }),
      ...(headers === undefined ? {} : { headers }),
    });
    expect(status).toBeLessThan(500);
    expect(ingest.spool.kept).toBe(0);
    expect(ingest.spool.open).toBe(0);
  });

  it('is crashed by no body', async () => {
    const printed = print(VISIT);
    const whole = Buffer.from(printed.body);
    const bodies = [
      ...[
        '{',
        '[',
        '"',
        'null',
        '[[[[',
        '{}\n{}',
        '[{}]',
        'x',
        '\0',
        '-',
        '\t\t\t',
        '{"records":[{"data":1}]}',
      ],
      '{"__proto__":{"a":1},"constructor":1}',
      `${'['.repeat(5_000)}`,
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      `{"${'k'.repeat(100_000)}":1}`,
      '{"timestamp":"\\ud800","host":"\\udfff","path":"\\ud800","user_agent":"\\ud800 GPTBot"}',
      ...[1, 3, 7].map((parts) => whole.subarray(0, Math.floor((whole.length * parts) / 8))),
    ];
    for (const body of bodies) {
      const { status } = await send({ ...printed, body });
      expect(status, String(body).slice(0, 60)).toBeLessThan(500);
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 12 }), async (at, bytes) => {
        const broken = Buffer.concat([
          whole.subarray(0, at % whole.length),
          Buffer.from(bytes),
          whole.subarray(at % whole.length),
        ]);
        expect((await send({ ...printed, body: broken })).status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
    expect(ingest.spool.open).toBe(0);
  });

  it('gives nothing to a property of another organization', async () => {
    const isNamed = source.transport === 'lines';
    const { status } = await send(print(VISIT), { property: isNamed ? FOREIGN_PROPERTY : PROPERTY });
    expect(status).toBeLessThan(300);
    expect(ingest.spool.kept).toBe(isNamed ? 0 : 1);
    if (isNamed) expect(ingest.spool.sum('rejected')).toEqual({ unknown_attribution_id: 1 });
  });

  // Collectors check addresses themselves.
  if (name !== 'edge_worker')
    it('says spoofed of a whole address alone: never where it is missing, cut short or a proxy’s', async () => {
      await ingest.close();
      ingest = await startIngest({ freshLists: true });
      const isEdge = name.startsWith('edge_');
      const flawed = [
        ...['', '198.51.100.0', '2001:db8:1:2::'],
        // Cloudflare logs who connected to it: that is never a proxy of the site's.
        ...(isEdge ? [] : ['10.1.2.3', '192.168.0.7', '127.0.0.1', 'fd00::7', '172.70.1.1', '2a04:4e42::1']),
      ];
      for (const [index, ip] of ['198.51.100.7', ...flawed].entries())
        await send(print({ ...VISIT, ip, requestId: `${VISIT.requestId}${index}`, path: `/${index}` }));
      const [whole, missing, ...others] = ingest.spool.hits.map(
        ({ verified, verdict_reason: reason }) => `${verified} ${reason}`,
      );
      expect(whole).toBe('false outside_ranges');
      // A server that was given no address of a client logs that of its peer.
      expect(missing).toMatch(/^null (?:no|proxy)_address$/);
      const [short, short6, ...proxies] = others;
      expect([short, short6]).toEqual(['null anonymized_address', 'null anonymized_address']);
      expect(new Set(proxies)).toEqual(new Set(isEdge ? [] : ['null proxy_address']));
    });
});

function headerOf({ place }: AuthForm, key: string): string {
  if (place === 'bearer') return `Bearer ${key}`;
  return place === 'basic' ? `Basic ${Buffer.from(`anyone:${key}`).toString('base64')}` : key;
}

const word = fc.stringMatching(/^[a-zA-Z0-9._~-]{1,12}$/);
/** Nothing that another form has no way to write: texts of printable characters, without blanks at their ends. */
const visits: fc.Arbitrary<SampleVisit> = fc.record({
  at: fc.integer({ min: NOW - 20 * 86_400_000, max: NOW }),
  host: fc.constantFrom('shop.example', 'www.shop.example', 'xn--bcher-kva.example'),
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS'),
  path: fc
    .array(
      fc.oneof(word, fc.constantFrom('%20', '%C3%A9', '%2520', '+', "'", '(', '@', ':', ';', '=', '!')),
      {
        maxLength: 6,
      },
    )
    .map((parts) => `/${parts.join('/')}`),
  query: fc
    .dictionary(word, fc.string({ unit: fc.constantFrom(...'abc09 +&=%"\\é\u{1f4a5}'), maxLength: 8 }), {
      maxKeys: 3,
      noNullPrototype: true,
    })
    .map((query) => new Map(Object.entries(query).filter(([key]) => key !== '__proto__'))),
  ip: fc.oneof(fc.constant('198.51.100.7'), fc.constant('2001:db8::7')),
  userAgent: fc
    .string({ unit: fc.constantFrom(...'aB9 ;()/+,:.%"\\|\té\u{1f916}'), maxLength: 30 })
    .map((text) => `GPTBot/1.2 (${text})`),
  referrer: fc.constantFrom('', 'https://www.shop.example/a?b=c%20d', 'https://search.example/"quoted"'),
  status: fc.constantFrom(200, 301, 404, 500),
  bytes: fc.nat(),
  requestId: fc.stringMatching(/^[A-Za-z0-9_=-]{8,40}$/),
});

type Stored = Harness['spool']['hits'][number];

function asStored({
  at,
  host,
  method,
  path,
  query,
  userAgent,
  referrer,
  status,
  bytes,
  requestId,
}: SampleVisit) {
  return {
    ...{ at, host, method, path, status, bytes, referrer },
    ...{ query_params: Object.fromEntries(query), user_agent: userAgent, ray_id: requestId },
  };
}

/** Without what the sender does not say. */
function shown(hit: Pick<Stored, keyof ReturnType<typeof asStored>>, lacks: ReadonlySet<string>) {
  const { at, host, method, path, query_params, user_agent, referrer, status, bytes, ray_id } = hit;
  return {
    ...{ path, query_params, status },
    user_agent: lacks.has('plus') ? user_agent.replaceAll('+', ' ') : user_agent,
    ...(lacks.has('method') ? {} : { method }),
    at: lacks.has('seconds') ? Math.floor(at / 1_000) : at,
    ...(lacks.has('host') ? {} : { host }),
    ...(lacks.has('referrer') ? {} : { referrer }),
    ...(lacks.has('bytes') ? {} : { bytes }),
    ...(lacks.has('requestId') ? {} : { ray_id: ray_id.toLowerCase() }),
  };
}
