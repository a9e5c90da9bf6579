/** The plugin's PHP against core's vectors, and against core itself: both must say the same. */
import {
  clientAddress,
  compileLists,
  embeddedLists,
  FIELD_LIMITS,
  parseReferrer,
  parseTrustedProxies,
  truncateIp,
} from '@ghostlight/core';
import fc from 'fast-check';
import { isbot } from 'isbot';
import { expect, it } from 'vitest';
import userAgents from '../../core/vectors/classify.json' with { type: 'json' };
import referrers from '../../core/vectors/referrers.json' with { type: 'json' };
import truncate from '../../core/vectors/truncate.json' with { type: 'json' };
import { PHP, resultsOf } from '../testing/php.ts';

const PERSON = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';
const withPhp = it.skipIf(PHP === null);
/** The same cases each time: a fault is found by all, or by none. */
const samples = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { seed: 17, numRuns: count });

const bot = (userAgent: string) => ({ what: 'bot', user_agent: userAgent });
const referral = ({
  referrer = '',
  utm_source,
  host = 'shop.example',
  own = [],
}: Partial<(typeof referrers.cases)[number]>) => ({
  what: 'referral',
  traits: {
    ...{ host, user_agent: PERSON, referrer },
    query: utm_source === undefined ? 'a=1' : `a=1&${new URLSearchParams({ utm_source })}`,
  },
  own,
});

withPhp(
  'meets every vector with the packed list, and with the list as the service publishes it',
  async () => {
    const expected = [
      ...userAgents.cases.map((vector) => vector.bot),
      ...referrers.cases.map(({ engine, signal }) => (engine === null ? null : { engine, signal })),
      ...truncate.cases.map(({ truncated }) => truncated),
    ];
    const cases = [
      ...userAgents.cases.map(({ user_agent: userAgent }) => bot(userAgent)),
      ...referrers.cases.map(referral),
      ...truncate.cases.map(({ ip }) => ({ what: 'truncate', ip })),
    ];
    const named = (results: readonly unknown[]) => results.map((result, index) => [cases[index], result]);
    for (const lists of [null, embeddedLists()])
      expect(named(await resultsOf(cases, lists))).toEqual(named(expected));
  },
);

withPhp(
  'names the same bot as core for user agents around tokens, and calls the same ones programs',
  async () => {
    const lists = compileLists(embeddedLists());
    const tokens = embeddedLists().bot_patterns.map(({ pattern }) => pattern);
    const piece = fc.oneof(
      fc.constantFrom(...tokens).map((token) => token.toUpperCase()),
      fc.constantFrom(...tokens),
      fc.constantFrom(
        ' ',
        '/',
        '-',
        '_',
        '.',
        '.x',
        '.1',
        ';',
        '+https://www.',
        '1',
        'é',
        '😀',
        'K',
        '(compatible; ',
        PERSON,
      ),
      fc.string({ maxLength: 3 }),
    );
    const agents = samples(
      fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
      1500,
    );
    const found = await resultsOf(agents.map(bot));
    expect(found.map((name, index) => [agents[index], name])).toEqual(
      agents.map((agent) => [agent, lists.tokens.match(agent.replaceAll('\0', ''))?.bot_name ?? null]),
    );
    const known = [...userAgents.cases.map(({ user_agent: agent }) => agent), PERSON];
    const programs = await resultsOf(known.map((agent) => ({ what: 'program', user_agent: agent })));
    expect(programs.map((is, index) => [known[index], is])).toEqual(
      known.map((agent) => [agent, isbot(agent)]),
    );
  },
);

withPhp('reads hosts of referrers as core does, or not at all', async () => {
  const piece = fc.constantFrom(
    ...[
      'https://',
      'HTTP://',
      'http:',
      'android-app://',
      'ftp://',
      '//',
      '\\',
      '/',
      '?',
      '#',
      '@',
      ':',
      ':8080',
      '.',
      '..',
    ],
    ...[
      'chatgpt.com',
      'ChatGPT.com',
      'com.openai.chatgpt',
      '%2e',
      '%2F',
      '%00',
      ' ',
      '\t',
      '\n',
      '1.2.3.4',
      '[2001:DB8::1]',
    ],
    ...['[', ']', 'a', '-', '_', '"', '<', '|', '^', '`', '{', '%', 'é', '\u0001', '127', '0x7f'],
  );
  const urls = samples(
    fc
      .array(piece, { minLength: 1, maxLength: 7 })
      .map((parts) => (parts[0] === 'a' ? '' : 'https://') + parts.join('')),
    3000,
  );
  const found = (await resultsOf(urls.map((url) => ({ what: 'origin', url })))) as ({
    host: string;
    is_app: boolean;
  } | null)[];
  let read = 0;
  for (const [index, url] of urls.entries()) {
    const expected = parseReferrer(url);
    const mine = found[index] ?? null;
    // Numbers that browsers turn into addresses, names beyond ASCII, and numeric hosts of apps are left out, and never read as another host.
    if (
      mine === null &&
      (expected === null || /^[\d.]+$/.test(expected.host) || /xn--|%|^\[/.test(expected.host))
    )
      continue;
    expect([url, mine?.host, mine?.is_app]).toEqual([url, expected?.host, expected?.isApp]);
    read += 1;
  }
  expect(read).toBeGreaterThan(300);
});

withPhp(
  'truncates addresses as core does, and finds the client behind proxies as ghostlight-tail does',
  async () => {
    const addresses = samples(
      fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string({ maxLength: 12 })),
      1000,
    );
    const cut = await resultsOf(addresses.map((ip) => ({ what: 'truncate', ip })));
    expect(cut.map((ip, index) => [addresses[index], ip])).toEqual(
      addresses.map((ip) => [ip, truncateIp(ip)]),
    );

    const one = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4().map((ip) => `${ip}:4711`),
      fc.ipV6().map((ip) => `[${ip}]:80`),
    );
    const chains = samples(fc.tuple(fc.array(one, { maxLength: 4 }), fc.integer({ min: 1, max: 4 })), 500);
    const found = await resultsOf(
      chains.map(([chain, proxies]) => ({
        ...{ what: 'client', mode: 'proxies', proxies, header: '' },
        server: { REMOTE_ADDR: '10.0.0.1', HTTP_X_FORWARDED_FOR: chain.join(', ') },
      })),
    );
    for (const [index, [chain, proxies]] of chains.entries()) {
      const record = { ip: '10.0.0.1', forwarded_for: chain.join(', ') };
      expect([record, proxies, found[index]]).toEqual([
        ...[record, proxies],
        clientAddress(record, parseTrustedProxies(String(proxies))),
      ]);
    }
  },
);

withPhp('takes the address where the setting says, and none rather than a wrong one', async () => {
  const server = {
    REMOTE_ADDR: '10.0.0.1',
    HTTP_X_FORWARDED_FOR: '203.0.113.9, 198.51.100.4',
    HTTP_CF_CONNECTING_IP: '2001:db8::7',
    HTTP_X_REAL_IP: 'unknown',
  };
  const client = (mode: string, proxies = 1, header = '') => ({
    what: 'client',
    server,
    mode,
    proxies,
    header,
  });
  expect(
    await resultsOf([
      client('direct'),
      client('proxies', 1),
      client('proxies', 2),
      client('proxies', 3),
      client('header', 1, 'CF-Connecting-IP'),
      client('header', 1, 'X-Real-IP'),
      client('header', 1, 'True-Client-IP'),
    ]),
  ).toEqual(['10.0.0.1', '198.51.100.4', '203.0.113.9', '', '2001:db8::7', '', '']);
  const twice = { HTTP_X_REAL_IP: '198.51.100.66, 203.0.113.9' };
  expect(await resultsOf([{ ...client('header', 1, 'X-Real-IP'), server: twice }])).toEqual(['203.0.113.9']);
});

withPhp('takes no address of a request that shows a proxy while no choice is made', async () => {
  const shown = [
    ...['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'],
    ...['fastly-client-ip', 'fly-client-ip', 'x-vercel-forwarded-for', 'x-client-ip', 'x-sucuri-clientip'],
    ...['cdn-loop', 'x-cluster-client-ip', 'incap-client-ip', 'x-azure-clientip'],
  ].map((name) => ({ [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`]: '203.0.113.9' }));
  const none = [{}, { HTTP_X_FORWARDED_FOR: '' }, { HTTP_USER_AGENT: 'GPTBot/1.3' }];
  const cases = (mode: string) =>
    [...none, ...shown].map((server) => ({
      ...{ what: 'client', mode, proxies: 1, header: '' },
      server: { REMOTE_ADDR: '198.51.100.4', ...server },
    }));
  const own = [...none, ...shown].map(() => '198.51.100.4');
  expect(await resultsOf(cases('direct'))).toEqual(own);
  expect(await resultsOf(cases('unsaid'))).toEqual([
    ...none.map(() => '198.51.100.4'),
    ...shown.map(() => ''),
  ]);
});

const FACTS = {
  ...{ at: 1_796_000_000_000, status: 200, ip: '203.0.113.77', request_id: 'r1', scheme: 'https' },
  ...{ sample_rate: 0.02, worker_version: '1.2.3' },
};
const request = (more: object, isDrawn = false) => ({
  what: 'line',
  server: {
    ...{
      HTTP_HOST: 'shop.example',
      REQUEST_METHOD: 'GET',
      REQUEST_URI: '/a?q=secret&utm_source=x&GCLID=1',
      HTTP_USER_AGENT: PERSON,
    },
    ...more,
  },
  facts: FACTS,
  is_drawn: isDrawn,
});

withPhp('tells of crawlers everything, of people only what the service keeps', async () => {
  const common = {
    timestamp: FACTS.at,
    host: 'shop.example',
    method: 'GET',
    status: 200,
    request_id: 'r1',
    worker_version: '1.2.3',
  };
  const [crawler, arrived, fromApp, other, drawn, signed] = (await resultsOf([
    request({ HTTP_USER_AGENT: 'GPTBot/1.3', HTTP_REFERER: 'https://a.example/b?c' }),
    request({ HTTP_REFERER: 'https://chatgpt.com/c/private?x=1' }),
    request({ HTTP_REFERER: 'android-app://com.openai.chatgpt/' }),
    request({ HTTP_REFERER: 'https://a.example/b?c' }),
    request({ HTTP_REFERER: 'https://A.example/b?c' }, true),
    request({
      HTTP_SIGNATURE: 'sig1=:x:',
      HTTP_SIGNATURE_INPUT: 'sig1=()',
      HTTP_SIGNATURE_AGENT: '"https://a.example"',
      HTTP_ACCEPT: '*/*',
    }),
  ])) as { kind: string; line: object }[];
  expect(crawler).toEqual({
    kind: 'ai_bot',
    line: {
      ...{ ...common, pathname: '/a?q=secret&utm_source=x&GCLID=1', user_agent: 'GPTBot/1.3' },
      ...{ referer: 'https://a.example/b?c', ip: '203.0.113.77' },
    },
  });
  expect(arrived).toEqual({
    kind: 'ai_referral',
    line: {
      ...common,
      pathname: '/a?utm_source=x&GCLID=1',
      user_agent: PERSON,
      referer: 'https://chatgpt.com/',
    },
  });
  expect(fromApp?.line).toMatchObject({ referer: 'android-app://com.openai.chatgpt/' });
  expect(other).toBeNull();
  expect(drawn).toEqual({
    kind: 'sample',
    line: {
      ...common,
      pathname: '/a',
      user_agent: PERSON,
      referer: 'a.example',
      ip: '203.0.113.0',
      sample_rate: 0.02,
    },
  });
  expect(signed).toMatchObject({
    kind: 'signed',
    line: {
      signature: 'sig1=:x:',
      signature_input: 'sig1=()',
      signature_agent: '"https://a.example"',
      accept: '*/*',
      scheme: 'https',
    },
  });
});

withPhp('reads the first value of a tag, as the service does, and knows its own links', async () => {
  const tagged = (uri: string, referrer = '') => request({ REQUEST_URI: uri, HTTP_REFERER: referrer });
  const kinds = (
    (await resultsOf([
      tagged('/?utm_source=chatgpt.com'),
      tagged('/?utm_source=news&utm_source=chatgpt.com'),
      tagged('/?utm%5Fsource=chatgpt.com'),
      tagged('https://shop.example/?utm_source=chatgpt.com'),
      tagged('/?utm_source=chatgpt.com', 'https://www.shop.example/a'),
      request({ HTTP_USER_AGENT: 'curl/8.5.0', HTTP_REFERER: 'https://chatgpt.com/' }),
      request({ HTTP_USER_AGENT: '', HTTP_REFERER: 'https://chatgpt.com/' }),
    ])) as ({ kind: string } | null)[]
  ).map((result) => result?.kind ?? null);
  expect(kinds).toEqual(['ai_referral', null, null, 'ai_referral', null, null, null]);
});

withPhp('makes text of any bytes, and cuts it between characters', async () => {
  const bytes = (text: string | Buffer, limit = 10) => ({
    what: 'cut',
    bytes: Buffer.from(text).toString('base64'),
    limit,
  });
  expect(
    await resultsOf([
      bytes('GPTBot'),
      bytes(Buffer.from([0x47, 0xff, 0x50, 0x00, 0x54])),
      bytes('ä'.repeat(20)),
      bytes('&lt;<>"\'', 20),
      bytes(''),
    ]),
  ).toEqual(['GPTBot', 'G\uFFFDPT', 'ä'.repeat(10), '&lt;<>"\'', '']);
  const hostile = samples(fc.uint8Array({ maxLength: 3000 }), 200);
  const cut = await resultsOf(hostile.map((part) => bytes(Buffer.from(part), FIELD_LIMITS.userAgent)));
  for (const text of cut) expect([...(text as string)].length).toBeLessThanOrEqual(FIELD_LIMITS.userAgent);
});

withPhp('refuses a list that would blind it or match half of the web', async () => {
  const good = embeddedLists();
  const [pattern] = good.bot_patterns;
  const judged = await resultsOf(
    [
      good,
      { ...good, bot_patterns: [] },
      { ...good, ai_referrer_domains: [] },
      { ...good, bot_patterns: [{ ...pattern, pattern: 'a' }] },
      { ...good, bot_patterns: [{ ...pattern, pattern: 'GPTBot' }] },
      { ...good, ai_referrer_domains: ['com'] },
      { ...good, ai_referrer_apps: [7] },
      {
        ...good,
        bot_patterns: Array.from({ length: 1001 }, (_, index) => ({ ...pattern, pattern: `bot-${index}x` })),
      },
      { ...good, version: 'new' },
      [],
      null,
      'text',
    ].map((body) => ({ what: 'lists', body })),
  );
  expect(judged).toEqual([true, ...Array(11).fill(false)]);
});

withPhp('understands an address of the service however it was copied', async () => {
  const cleaned = await resultsOf(
    [
      'https://Ghost.example',
      'https://ghost.example/',
      'https://ghost.example:8443/v1/logs/wordpress',
      'https://ghost.example/sub/path/',
      'http://127.0.0.1:8080',
      'http://[::1]:8080/',
      'ghost.example',
      'ftp://ghost.example',
      'https://user:word@ghost.example',
      'https://ghost.example/?key=x',
      'https://ghost.example\n',
      '',
    ].map((url) => ({ what: 'url', url })),
  );
  expect(cleaned).toEqual([
    ...[
      'https://ghost.example',
      'https://ghost.example',
      'https://ghost.example:8443',
      'https://ghost.example/sub/path',
    ],
    ...['http://127.0.0.1:8080', 'http://[::1]:8080', '', '', '', '', '', ''],
  ]);
});

withPhp('knows what an answer of the service means', async () => {
  const answered = (status: number, body = '') => ({
    what: 'outcome',
    answer: { status, body, error: '', etag: '', retry_after: '' },
  });
  expect(
    await resultsOf([
      answered(204),
      answered(200, '{"ok":true}'),
      answered(200, '{"kept":1,"dropped":0,"duplicate":0,"rejected":0,"errors":[]}'),
      answered(200, '{"kept":0,"rejected":1,"errors":[{"message":"why"}]}'),
      answered(200, '<html>Please log in'),
      answered(301),
      answered(401),
      answered(404),
      answered(422),
      answered(429),
      answered(503),
      answered(0),
    ]),
  ).toEqual([
    'no_service',
    'no_service',
    'taken',
    'rejected',
    'no_service',
    'redirect',
    'key',
    'no_service',
    'refused',
    'busy',
    'busy',
    'unreachable',
  ]);
});

withPhp('names the cache that an answer is from', async () => {
  const headers = (headers: object) => ({ what: 'caches', headers });
  expect(
    await resultsOf([
      headers({ 'cf-cache-status': 'HIT', age: '12' }),
      headers({ 'cf-cache-status': 'DYNAMIC', 'x-varnish': '32770' }),
      headers({ 'x-varnish': '32770 5', age: '3', 'x-cache': 'HIT' }),
      headers({ age: '0', 'x-cache': ['MISS', 'MISS'] }),
      headers({ age: '7', 'x-cache': 'HIT' }),
    ]),
  ).toEqual([['Cloudflare'], [], ['Varnish'], [], ['a CDN']]);
});
