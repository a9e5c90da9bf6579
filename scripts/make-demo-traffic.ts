/**
 * Makes packages/server/demo/traffic.ndjson: ten minutes of a believable shop's visitors, which `npm run demo` sends through the collector
 * with the time of the day, and of a log push job's lines. Seeded: the same file every time. Run: node scripts/make-demo-traffic.ts
 */
import { writeFileSync } from 'node:fs';
import type { Recorded, Visit } from '../packages/server/src/cli/demo/recording.ts';

const DURATION_MS = 600_000;
const EVENTS = 3_600;
/** The log push job's zone: one host with two sources would be counted twice, and the set-up checker says so. */
const LOGPUSH_HOST = 'help.shop.example';

let seed = 20_261_121;
/** Mulberry32: small, seeded, good enough for a demonstration. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
/** Picks by weight: [weight, value]. */
function weighted<T>(items: readonly (readonly [number, T])[]): T {
  let left = random() * items.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of items) {
    left -= weight;
    if (left <= 0) return value;
  }
  return pick(items)[1];
}

interface Crawler {
  ua: string;
  /** An address inside the vendor's published ranges, and the network it belongs to. */
  ip: string;
  asn: number;
  country: string;
  /** The vendor publishes ranges, so that a stranger under this name is found out. */
  verifiable: boolean;
}

const chromeLike = (token: string, url: string) =>
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${token}; +${url})`;

const CRAWLERS: readonly (readonly [number, Crawler])[] = [
  [
    22,
    {
      ua: chromeLike('GPTBot/1.3', 'https://openai.com/gptbot'),
      ip: '20.171.206.17',
      asn: 8075,
      country: 'US',
      verifiable: true,
    },
  ],
  [
    18,
    {
      ua: chromeLike('ChatGPT-User/1.0', 'https://openai.com/bot'),
      ip: '4.197.64.3',
      asn: 8075,
      country: 'AU',
      verifiable: true,
    },
  ],
  [
    10,
    {
      ua: chromeLike('OAI-SearchBot/1.3', 'https://openai.com/searchbot'),
      ip: '104.210.140.133',
      asn: 8075,
      country: 'US',
      verifiable: true,
    },
  ],
  [
    16,
    {
      ua: chromeLike('ClaudeBot/1.0', 'claudebot@anthropic.com'),
      ip: '216.73.216.44',
      asn: 16_509,
      country: 'US',
      verifiable: true,
    },
  ],
  [
    5,
    {
      ua: chromeLike('Claude-User/1.0', 'Claude-User@anthropic.com'),
      ip: '216.73.217.9',
      asn: 16_509,
      country: 'US',
      verifiable: true,
    },
  ],
  [
    8,
    {
      ua: chromeLike('PerplexityBot/1.0', 'https://perplexity.ai/perplexitybot'),
      ip: '107.20.236.150',
      asn: 14_618,
      country: 'US',
      verifiable: true,
    },
  ],
  [
    6,
    {
      ua: chromeLike('Perplexity-User/1.0', 'https://perplexity.ai/perplexity-user'),
      ip: '44.208.221.197',
      asn: 14_618,
      country: 'US',
      verifiable: true,
    },
  ],
  [
    7,
    {
      ua: 'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
      ip: '110.249.201.8',
      asn: 4837,
      country: 'CN',
      verifiable: false,
    },
  ],
  [
    7,
    {
      ua: 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
      ip: '57.141.0.11',
      asn: 32_934,
      country: 'US',
      verifiable: false,
    },
  ],
  [
    4,
    {
      ua: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
      ip: '18.97.14.84',
      asn: 16_509,
      country: 'US',
      verifiable: true,
    },
  ],
  [
    4,
    {
      ua: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
      ip: '17.241.208.170',
      asn: 714,
      country: 'US',
      verifiable: true,
    },
  ],
  [
    3,
    {
      ua: chromeLike('MistralAI-User/1.0', 'https://docs.mistral.ai/robots'),
      ip: '20.240.160.161',
      asn: 8075,
      country: 'SE',
      verifiable: true,
    },
  ],
  [
    2,
    {
      ua: 'DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)',
      ip: '4.149.142.7',
      asn: 8075,
      country: 'US',
      verifiable: true,
    },
  ],
];

const PAGES: readonly (readonly [number, string])[] = [
  [12, '/'],
  [10, '/products/ghost-light'],
  [8, '/products/brass-desk-lamp'],
  [6, '/products/stage-lantern'],
  [5, '/products/edison-bulb-set'],
  [2, '/products/gas-lamp'],
  [1, '/shop'],
  [2, '/search'],
  [7, '/guides/how-to-light-a-small-stage'],
  [6, '/guides/warm-or-cold-light'],
  [5, '/shipping-and-returns'],
  [4, '/pricing'],
  [4, '/faq'],
  [3, '/about'],
  [3, '/sitemap.xml'],
  [4, '/robots.txt'],
  [2, '/blog/why-theatres-leave-one-lamp-on'],
  [2, '/blog/the-history-of-limelight'],
];
const GONE = ['/old-catalogue.pdf', '/de/kontakt', '/llms.txt'] as const;
const MANIFEST = '/.well-known/webmcp.json';

const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
] as const;
const SEARCH_BOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';
const REFERRERS: readonly (readonly [number, string])[] = [
  [12, 'https://chatgpt.com/'],
  [6, 'https://www.perplexity.ai/search/a-lamp-for-an-empty-stage'],
  [4, 'https://gemini.google.com/'],
  [4, 'https://claude.ai/'],
  [3, 'https://copilot.microsoft.com/'],
  [1, 'android-app://com.openai.chatgpt/'],
];
/** Documentation addresses: nobody's. */
const HOMES = ['198.51.100.20', '203.0.113.41', '203.0.113.207', '2001:db8:85a3::8a2e:370:7334'] as const;

const events = Array.from({ length: EVENTS }, () => Math.floor(random() * DURATION_MS))
  .sort((a, b) => a - b)
  .map((at) => JSON.stringify({ at, ...event() } satisfies Recorded));
writeFileSync(new URL('../packages/server/demo/traffic.ndjson', import.meta.url), `${events.join('\n')}\n`);
console.log(`${events.length} events over ${DURATION_MS / 1_000} s`);

type Event = Recorded extends infer R ? (R extends unknown ? Omit<R, 'at'> : never) : never;

function event(): Event {
  const kind = weighted([
    [52, crawl],
    [12, spoof],
    [2, agent],
    [9, referral],
    [36, person],
    [5, ordinary],
  ] as const);
  return kind();
}

/** What the path becomes, the shop decides: pages that are gone or moved are among them. */
function visit(of: Omit<Visit, 'method' | 'path' | 'query'> & { path?: string; query?: string }): Event {
  return {
    via: 'edge',
    visit: {
      method: random() < 0.02 ? 'HEAD' : 'GET',
      path: random() < 0.05 ? pick(GONE) : weighted(PAGES),
      query: '',
      ...of,
    },
  };
}

/** A quarter of the crawls come by log push, where our own range check gives the verdict. */
function crawl(): Event {
  const { ua, ip, asn, country } = weighted(CRAWLERS);
  return random() < 0.25
    ? logpush(ua, ip, country)
    : visit({ user_agent: ua, referer: '', ip, asn, country });
}

/** Somebody's script in a GPTBot mask, from a hosting network. */
function spoof(): Event {
  const { ua } = weighted(CRAWLERS.filter(([, { verifiable }]) => verifiable));
  if (random() < 0.25) return logpush(ua, '203.0.113.77', 'NL');
  const [ip, asn, country] = pick([
    ['203.0.113.77', 14_061, 'NL'],
    ['198.51.100.140', 24_940, 'DE'],
    ['198.51.100.201', 9_009, 'RU'],
    ['203.0.113.9', 14_061, 'SG'],
  ] as const);
  return visit({ user_agent: ua, referer: '', ip, asn, country });
}

/** An assistant on behalf of its user, which looks up what tools the shop has. */
function agent(): Event {
  const { ua, ip, asn, country } = weighted(CRAWLERS.filter(([, { ua }]) => ua.includes('-User/')));
  return visit({ user_agent: ua, referer: '', ip, asn, country, path: MANIFEST });
}

/** Who an AI engine has sent; its own links are tagged and bring no referrer. */
function referral(): Event {
  const tagged = random() < 0.3;
  return visit({
    ...home(),
    referer: tagged ? '' : weighted(REFERRERS),
    query: tagged ? 'utm_source=chatgpt.com' : '',
  });
}

/** Everybody else, of whom the collector reports a sample. */
function person(): Event {
  const looks = random() < 0.15;
  return visit({
    ...home(),
    ...(random() < 0.08 ? { user_agent: SEARCH_BOT } : {}),
    ...(looks ? { path: '/search', query: pick(['query=lamp', 'query=brass', 'query=stage+lantern']) } : {}),
    referer: pick(['', 'https://www.google.com/', 'https://www.bing.com/']),
  });
}

function home(): Pick<Visit, 'user_agent' | 'ip' | 'asn' | 'country'> {
  return {
    user_agent: pick(BROWSERS),
    ip: pick(HOMES),
    asn: pick([3_320, 7_922, 2_856, 3_215]),
    country: pick(['US', 'DE', 'GB', 'FR', 'SE', 'JP']),
  };
}

/** What an unfiltered log push job also sends, and the service drops. */
function ordinary(): Event {
  return logpush(pick([...BROWSERS, SEARCH_BOT]), '198.51.100.20', 'DE');
}

function logpush(userAgent: string, ip: string, country: string): Event {
  const isGone = random() < 0.07;
  const status = isGone
    ? 404
    : weighted([
        [95, 200],
        [2, 304],
        [2, 301],
        [1, 503],
      ] as const);
  return {
    via: 'edge_logpush',
    line: {
      ClientRequestHost: LOGPUSH_HOST,
      ClientRequestMethod: 'GET',
      ClientRequestURI: isGone ? pick(GONE) : weighted(PAGES),
      ClientRequestUserAgent: userAgent,
      ClientRequestReferer: '',
      ClientIP: ip,
      ClientCountry: country.toLowerCase(),
      EdgeResponseStatus: status,
      EdgeResponseBytes: isGone ? 1_204 : status === 200 ? 4_000 + Math.floor(random() * 60_000) : 0,
    },
  };
}
