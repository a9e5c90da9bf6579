/** What the service gets to know of a visit, class by class, through the whole Worker. */
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };
import { WORKER_VERSION } from './index.ts';
import { createSigner } from './signature/testing.ts';
import { closesAfterEach } from './testing/dispose.ts';
import { type Edge, type EdgeOptions, startEdge } from './testing/edge.ts';
import { createInternet, SERVICE_HOST, SITE_HOST } from './testing/internet.ts';
import { INSIDE, listedAgent, OUTSIDE, publish, publishedLists, TODAY } from './testing/lists.ts';
import { until } from './testing/until.ts';
import { API_KEY, ATTRIBUTION_ID, CHROME, ENV, GOOGLEBOT, GPTBOT } from './testing/values.ts';

const closeAfter = closesAfterEach();
const SITE = `https://${SITE_HOST}`;
const SAMPLED = { ...ENV, SERVICE_SAMPLE_RATE: '1' };

async function start(options: EdgeOptions = {}, lists = publishedLists()): Promise<Edge> {
  const internet = options.internet ?? createInternet();
  publish(internet, lists);
  return closeAfter(await startEdge({ ...options, internet }));
}

type Hit = Record<string, unknown>;

/** The hits so far, once there are `count` of them. */
const hitsOf = (edge: Edge, count: number): Promise<Hit[]> =>
  until(`${count} hits arrive`, () => edge.internet.hits().length >= count && edge.internet.hits());

/** Visits once and hands out the one hit of it. */
async function hitOf(edge: Edge, path: string, headers: Record<string, string>, cf?: Hit): Promise<Hit> {
  const before = edge.internet.hits().length;
  await (await edge.visit(SITE + path, { headers }, cf)).text();
  return (await hitsOf(edge, before + 1))[before] ?? {};
}

/** A bot's visit whose hit shows that whatever came before it has been dealt with. */
async function hitsAfterMarker(edge: Edge): Promise<Hit[]> {
  await (await edge.visit(`${SITE}/marker`, { headers: { 'user-agent': GPTBOT } })).text();
  const isMarked = (): boolean => edge.internet.hits().some(({ pathname }) => pathname === '/marker');
  await until('the marker arrives', isMarked);
  return edge.internet.hits().filter(({ pathname }) => pathname !== '/marker');
}

describe('an AI bot', () => {
  it('is reported with every field of the worker log object, in its order, and without its address', async () => {
    const edge = await start();
    const before = Date.now();
    const hit = await hitOf(edge, '/shoes/red?size=7&q=a%20b&size=8', {
      'user-agent': GPTBOT,
      referer: 'https://blog.example/post?id=1',
      'cf-connecting-ip': INSIDE,
      'cf-ray': '8F2D1C0B9A8E7D6C-FRA',
    });
    const timestamp = Number(hit['timestamp']);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Date.now());
    expect(Object.entries(hit)).toEqual(
      Object.entries({
        timestamp,
        worker_version: WORKER_VERSION,
        attribution_id: ATTRIBUTION_ID,
        host: SITE_HOST,
        method: 'GET',
        pathname: '/shoes/red',
        query_params: { size: '7', q: 'a b' },
        ip: null,
        user_agent: GPTBOT,
        referer: 'https://blog.example/post?id=1',
        status: 200,
        bytes: 5,
        country: 'DE',
        asn: 3320,
        verified: true,
        verified_by: 'edge_cidr',
        ray_id: '8f2d1c0b9a8e7d6c',
        ranges_as_of: TODAY,
      }),
    );
  });

  it('is posted to the ingest address under the key', async () => {
    const edge = await start();
    await hitOf(edge, '/', { 'user-agent': GPTBOT });
    const [post] = edge.internet.requestsTo(SERVICE_HOST).filter(({ method }) => method === 'POST');
    expect(post?.path).toBe('/v1/logs/edge_worker');
    expect(post?.headers.get('x-api-key')).toBe(API_KEY);
    expect(post?.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(post?.body ?? '')).toHaveLength(1);
  });

  it.each([
    ['inside its ranges, by IPv4', GPTBOT, INSIDE, { verified: true, verified_by: 'edge_cidr' }],
    ['inside its ranges, by IPv6', GPTBOT, '2001:db8:1::7', { verified: true, verified_by: 'edge_cidr' }],
    ['outside of them', GPTBOT, OUTSIDE, { verified: false }],
    ['inside another bot’s ranges', 'OAI-SearchBot/1.0', INSIDE, { verified: false, unchecked: true }],
    ['outside of ranges that are not whole', 'ClaudeBot/1.0', OUTSIDE, { verified: false, unchecked: true }],
    [
      'of a vendor that publishes none',
      'meta-externalagent/1.1',
      OUTSIDE,
      { verified: false, unchecked: true },
    ],
    ['without a readable address', GPTBOT, 'unknown', { verified: false, unchecked: true }],
  ])('%s has its verdict', async (_, userAgent, ip, verdict) => {
    const edge = await start();
    const hit = await hitOf(edge, '/', { 'user-agent': userAgent, 'cf-connecting-ip': ip });
    const { verified, verified_by, unchecked, ip: sent } = hit;
    expect({ verified, verified_by, unchecked }).toEqual({
      verified_by: undefined,
      unchecked: undefined,
      ...verdict,
    });
    expect(sent).toBeNull();
    expect(JSON.stringify(hit)).not.toContain(ip);
  });

  it('has no country and no network where the edge knows none', async () => {
    const edge = await start();
    for (const cf of [
      { country: 'XX', asn: -1 },
      { country: 'T1', asn: 1.5 },
      { country: null, asn: 'AS1' },
    ]) {
      expect(await hitOf(edge, '/', { 'user-agent': GPTBOT }, cf)).toMatchObject({ country: '', asn: 0 });
    }
  });

  it('has an id of its own where the edge gave none', async () => {
    const edge = await start();
    const ids = [];
    for (const ray of ['', 'not a ray', '"><script>']) {
      const { ray_id: id } = await hitOf(edge, '/', {
        'user-agent': GPTBOT,
        ...(ray === '' ? {} : { 'cf-ray': ray }),
      });
      expect(id).toMatch(/^[0-9a-f]{16}$/);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('is reported with over-long values cut as the service would cut them', async () => {
    const edge = await start();
    const many = Array.from({ length: 70 }, (_, n) => `p${n}=${'v'.repeat(n === 0 ? 3_000 : 1)}`).join('&');
    const hit = await hitOf(edge, `/${'a'.repeat(5_000)}?${many}`, {
      'user-agent': `${GPTBOT} ${'u'.repeat(2_000)}`,
      referer: `https://blog.example/${'r'.repeat(3_000)}`,
    });
    const query = hit['query_params'] as Record<string, string>;
    expect(Object.keys(query)).toHaveLength(64);
    expect(query['p0']).toHaveLength(2_048);
    expect(String(hit['user_agent'])).toHaveLength(1_024);
    expect(String(hit['referer'])).toHaveLength(2_048);
    expect(String(hit['pathname'])).toHaveLength(4_096);
  });

  it('is reported with the method, the status and the size of its answer', async () => {
    const internet = createInternet();
    internet.on(SITE_HOST, ({ path }) =>
      path === '/gone' ? new Response('no such page', { status: 410 }) : new Response('x'.repeat(300)),
    );
    const edge = await start({ internet });
    expect(await hitOf(edge, '/gone', { 'user-agent': GPTBOT })).toMatchObject({ status: 410, bytes: 12 });
    expect(await hitOf(edge, '/', { 'user-agent': GPTBOT })).toMatchObject({ status: 200, bytes: 300 });
    await edge.visit(`${SITE}/head`, { method: 'HEAD', headers: { 'user-agent': GPTBOT } });
    expect((await hitsOf(edge, 3))[2]).toMatchObject({ method: 'HEAD', status: 200, bytes: 0 });
  });

  it('is found by every class of user agent in the vectors, and by nothing else', async () => {
    const edge = await start();
    const cases = userAgents.cases.filter((_, index) => index % 5 === 0);
    for (const { user_agent: userAgent } of cases) {
      await (await edge.visit(`${SITE}/`, { headers: { 'user-agent': userAgent } })).text();
    }
    const bots = cases.filter(({ bot }) => bot !== null).map(({ user_agent: userAgent }) => userAgent);
    const hits = await hitsAfterMarker(edge);
    expect(bots.length).toBeGreaterThan(10);
    expect(bots.length).toBeLessThan(cases.length);
    expect(hits.map(({ user_agent: userAgent }) => userAgent).sort()).toEqual(bots.toSorted());
  });
});

describe('a signed agent', () => {
  it('is an AI bot though it looks like a browser', async () => {
    const signer = await createSigner(Date.now());
    const edge = await start({}, publishedLists({ signature_agents: [listedAgent([signer.key])] }));
    // A cold isolate knows no keys: the first visit waits for the lists, behind its response.
    const hit = await hitOf(edge, '/', {
      'user-agent': CHROME,
      ...(await signer.sign({ url: `${SITE}/` })).headers,
    });
    expect(hit).toMatchObject({
      user_agent: CHROME,
      ip: null,
      verified: true,
      verified_by: 'signature',
      signature_agent: 'https://agent.example/.well-known/http-message-signatures-directory',
    });
    expect(hit).not.toHaveProperty('sample_rate');
    expect(hit).not.toHaveProperty('unchecked');
  });

  it('is found in a warm isolate too, where visits without a match are not kept', async () => {
    const signer = await createSigner(Date.now());
    const edge = await start({}, publishedLists({ signature_agents: [listedAgent([signer.key])] }));
    await hitOf(edge, '/warm', { 'user-agent': GPTBOT });
    const { headers } = await signer.sign({ url: `${SITE}/` });
    expect(await hitOf(edge, '/', { 'user-agent': CHROME, ...headers })).toMatchObject({
      pathname: '/',
      verified_by: 'signature',
    });
  });

  it('whose signature is false, or another site’s, is the browser that it looks like', async () => {
    const signer = await createSigner(Date.now());
    const edge = await start({}, publishedLists({ signature_agents: [listedAgent([signer.key])] }));
    const elsewhere = (await signer.sign({ url: 'https://other.example/' })).headers;
    await edge.visit(`${SITE}/`, { headers: { 'user-agent': CHROME, ...elsewhere } });
    expect(await hitsAfterMarker(edge)).toEqual([]);
  });

  it('proves a bot of its own vendor, whatever the address', async () => {
    const signer = await createSigner(Date.now());
    const edge = await start({}, publishedLists({ signature_agents: [listedAgent([signer.key])] }));
    const hit = await hitOf(edge, '/', {
      'user-agent': GPTBOT,
      'cf-connecting-ip': OUTSIDE,
      ...(await signer.sign({ url: `${SITE}/` })).headers,
    });
    expect(hit).toMatchObject({ verified: true, verified_by: 'signature' });
  });

  it.each([
    [INSIDE, { verified: true, verified_by: 'edge_cidr' }],
    [OUTSIDE, { verified: false }],
  ])('proves nothing of another vendor’s bot: from %s the address decides', async (ip, verdict) => {
    const signer = await createSigner(Date.now());
    const lists = publishedLists({ signature_agents: [listedAgent([signer.key], 'perplexity')] });
    const edge = await start({}, lists);
    const signed = (await signer.sign({ url: `${SITE}/` })).headers;
    const hit = await hitOf(edge, '/', { 'user-agent': GPTBOT, 'cf-connecting-ip': ip, ...signed });
    expect(hit).toMatchObject(verdict);
    expect(hit).not.toHaveProperty('signature_agent');
  });

  it('whose signature is broken takes nothing from a bot that its address proves', async () => {
    const signer = await createSigner(Date.now());
    const edge = await start({}, publishedLists({ signature_agents: [listedAgent([signer.key])] }));
    const broken = (await signer.sign({ url: 'https://other.example/' })).headers;
    const hit = await hitOf(edge, '/', { 'user-agent': GPTBOT, 'cf-connecting-ip': INSIDE, ...broken });
    expect(hit).toMatchObject({ verified: true, verified_by: 'edge_cidr' });
  });
});

describe('an AI referral', () => {
  const PERSON = { 'user-agent': CHROME, 'cf-connecting-ip': OUTSIDE };

  it('leaves the zone without address, private query, path of the referrer or verdict', async () => {
    const edge = await start();
    const hit = await hitOf(
      edge,
      '/offer?utm_source=chatgpt.com&UTM_Medium=ai&gclid=G1&email=lovelace%40example.com&token=t',
      {
        ...PERSON,
        referer: 'https://chatgpt.com/c/secret-conversation?user=lovelace',
      },
    );
    expect(hit).toMatchObject({
      ip: null,
      user_agent: CHROME,
      referer: 'https://chatgpt.com/',
      query_params: { utm_source: 'chatgpt.com', UTM_Medium: 'ai', gclid: 'G1' },
      pathname: '/offer',
    });
    for (const absent of ['verified', 'verified_by', 'sample_rate', 'signature_agent', 'unchecked']) {
      expect(hit).not.toHaveProperty(absent);
    }
    expect(JSON.stringify(hit)).not.toMatch(/secret|lovelace|198\.51/);
  });

  it.each([
    ['an app', 'android-app://com.openai.chatgpt/https/x', '/', 'android-app://com.openai.chatgpt/'],
    [
      'a tag, whatever the referrer',
      'https://mail.example/inbox/7',
      '/?utm_source=chatgpt.com',
      'https://mail.example/',
    ],
    ['a tag alone', '', '/?utm_source=perplexity.ai', ''],
    ['a port and a login', 'https://ada:pw@chatgpt.com:8443/c/1', '/', 'https://chatgpt.com:8443/'],
  ])('is known by %s', async (_, referer, path, sent) => {
    const edge = await start();
    expect(await hitOf(edge, path, { ...PERSON, ...(referer === '' ? {} : { referer }) })).toMatchObject({
      referer: sent,
    });
  });

  it('is a person: a crawler with an AI referrer is none', async () => {
    const edge = await start();
    await edge.visit(`${SITE}/`, { headers: { 'user-agent': GOOGLEBOT, referer: 'https://chatgpt.com/' } });
    await edge.visit(`${SITE}/`, { headers: { 'user-agent': 'curl/8.5', referer: 'https://chatgpt.com/' } });
    expect(await hitsAfterMarker(edge)).toEqual([]);
  });

  it('is reported whole and unweighted even where everything is sampled', async () => {
    const edge = await start({ env: SAMPLED });
    const hit = await hitOf(edge, '/', { ...PERSON, referer: 'https://www.perplexity.ai/search/1' });
    expect(hit).not.toHaveProperty('sample_rate');
    expect(hit['ip']).toBeNull();
  });
});

describe('all other traffic', () => {
  it('never leaves the zone when nothing is sampled', async () => {
    const edge = await start();
    for (const agent of [CHROME, GOOGLEBOT, 'curl/8.5', 'NotGPTBotAtAll/1.0', 'my-gptbot-clone']) {
      await edge.visit(`${SITE}/private?token=t`, {
        headers: { 'user-agent': agent, referer: 'https://a.example/b' },
      });
    }
    expect(await hitsAfterMarker(edge)).toEqual([]);
  });

  it.each([
    ['198.51.100.77', '198.51.100.0'],
    ['2001:db8:85a3::8a2e:370:7334', '2001:db8:85a3::'],
    ['::ffff:198.51.100.77', '198.51.100.0'],
    ['nonsense', null],
  ])('is sampled anonymously: %s becomes %s', async (ip, truncated) => {
    const edge = await start({ env: SAMPLED });
    const hit = await hitOf(edge, '/cart?email=lovelace%40example.com', {
      'user-agent': CHROME,
      'cf-connecting-ip': ip,
      referer: 'https://www.google.com/search?q=lovelace',
    });
    expect(hit).toMatchObject({
      ip: truncated,
      query_params: {},
      referer: 'www.google.com',
      sample_rate: 1,
      user_agent: CHROME,
      pathname: '/cart',
    });
    expect(hit).not.toHaveProperty('verified');
    expect(JSON.stringify(hit)).not.toContain('lovelace');
  });

  it('is sampled at its rate', async () => {
    const edge = await start({ env: { ...ENV, SERVICE_SAMPLE_RATE: '0.5' } });
    for (let n = 0; n < 200; n++) await edge.visit(`${SITE}/`, { headers: { 'user-agent': CHROME } });
    const hits = await hitsAfterMarker(edge);
    // 200 draws at one half lie within 60 and 140 except in one run in ten million.
    expect(hits.length).toBeGreaterThan(60);
    expect(hits.length).toBeLessThan(140);
    expect(new Set(hits.map((hit) => hit['sample_rate']))).toEqual(new Set([0.5]));
  });
});

describe('lists', () => {
  it('that are newer than the code count from the first visit of a cold isolate on', async () => {
    const bots = publishedLists().bot_patterns;
    const fresh = {
      pattern: 'brandnewbot',
      bot_name: 'BrandNewBot',
      intent: 'training',
      engine: 'new',
      vendor: 'New',
    } as const;
    const edge = await start({}, publishedLists({ bot_patterns: [...bots, fresh] }));
    const hit = await hitOf(edge, '/', { 'user-agent': 'BrandNewBot/1.0' });
    expect(hit).toMatchObject({ verified: false, unchecked: true, user_agent: 'BrandNewBot/1.0' });
  });

  it('that can’t be fetched leave the built-in ones in use, by which no visit is spoofed', async () => {
    const edge = closeAfter(await startEdge());
    const hit = await hitOf(edge, '/', { 'user-agent': GPTBOT, 'cf-connecting-ip': OUTSIDE });
    expect(hit).toMatchObject({ verified: false, unchecked: true });
  });
});

describe('the zone’s own traffic', () => {
  it('is passed on and not counted: the service on a covered host, and requests of the zone’s own Workers', async () => {
    const edge = await start({ env: SAMPLED });
    await edge.visit(`https://${SERVICE_HOST}/v1/config/ai-bots`, { headers: { 'user-agent': GPTBOT } });
    for (const zone of [SITE_HOST, SITE_HOST.toUpperCase()]) {
      await edge.visit(`${SITE}/`, { headers: { 'user-agent': GPTBOT, 'cf-worker': zone } });
    }
    expect(await hitsAfterMarker(edge)).toEqual([]);
    expect(edge.internet.requestsTo(SITE_HOST).length).toBe(3);
  });

  it('is not that of another zone’s Worker, nor of a zone whose name merely ends alike', async () => {
    const edge = await start();
    for (const zone of ['scraper.example', 'op.example', 'www.shop.example']) {
      await hitOf(edge, '/', { 'user-agent': GPTBOT, 'cf-worker': zone });
    }
    expect(edge.internet.hits()).toHaveLength(3);
  });
});

it('the version that every event names is the package’s, and not older than the contract’s first', () => {
  expect(WORKER_VERSION).toBe(packageFile.version);
  expect(WORKER_VERSION).toBe('0.5.0');
});
