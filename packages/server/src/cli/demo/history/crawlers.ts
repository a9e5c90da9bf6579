/** Who reads the demo's shop, and how much of it: the AI bots of its past, each with a rhythm of its own. */
import type { Day, Rhythm } from './days.ts';
import { FIRST_BOT, GONE_AGO, SPIKE } from './incidents.ts';
import type { Taste } from './pages.ts';

/** Where a request comes from. */
export interface Network {
  readonly ip: string;
  readonly asn: number;
  readonly country: string;
}

export interface Crawler extends Network {
  readonly userAgent: string;
  /** Of an agent that signs its requests; its address then proves nothing. */
  readonly signatureAgent?: string;
  readonly rhythm: Rhythm;
  /** What it reads most. */
  readonly taste: Taste;
  /** Log push says how Cloudflare classifies it. */
  readonly category: 'AI Crawler' | 'AI Search' | 'AI Assistant';
  /** Visits on a day, of all hosts. */
  perDay(day: Day): number;
}

const compatible = (token: string, url: string): string =>
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${token}; +${url})`;
const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36';

/** Straight from one number to another over the days, with a factor for weekends. */
const trend =
  (from: number, to: number, weekend = 1) =>
  ({ index, ago, isWeekend }: Day): number =>
    (from + ((to - from) * index) / Math.max(1, index + ago)) * (isWeekend ? weekend : 1);

/** Crawls come in waves of some days: between 0.6 and 1.4 of the number that a trend gives. */
const waves =
  (perDay: (day: Day) => number, days: number) =>
  (day: Day): number =>
    perDay(day) * (1 + 0.4 * Math.sin((2 * Math.PI * day.index) / days));

const CRAWLER = { rhythm: 'bursts', taste: 'everything', category: 'AI Crawler' } as const;
const SEARCH = { rhythm: 'even', taste: 'everything', category: 'AI Search' } as const;
/** A person asks: by day, on working days, and rather what is for sale. */
const ASSISTANT = { rhythm: 'waking', taste: 'answers', category: 'AI Assistant' } as const;

/** Addresses lie in the ranges that their vendors publish (`crawlers.test.ts`), where they publish any. */
export const CRAWLERS: readonly Crawler[] = [
  {
    ...CRAWLER,
    userAgent: compatible('GPTBot/1.3', 'https://openai.com/gptbot'),
    ...{ ip: '20.171.206.17', asn: 8_075, country: 'US' },
    perDay: waves(trend(150, 220), 9),
  },
  {
    ...SEARCH,
    userAgent: compatible('OAI-SearchBot/1.3', 'https://openai.com/searchbot'),
    ...{ ip: '104.210.140.133', asn: 8_075, country: 'US' },
    perDay: trend(50, 105),
  },
  {
    ...ASSISTANT,
    userAgent: compatible('ChatGPT-User/1.0', 'https://openai.com/bot'),
    ...{ ip: '4.197.64.3', asn: 8_075, country: 'AU' },
    perDay: trend(60, 190, 0.55),
  },
  {
    ...ASSISTANT,
    userAgent: CHROME,
    signatureAgent: 'https://chatgpt.com',
    ...{ ip: '198.51.100.66', asn: 8_075, country: 'US' },
    perDay: trend(1, 14, 0.6),
  },
  {
    ...CRAWLER,
    userAgent: compatible(`${SPIKE.bot}/1.0`, 'claudebot@anthropic.com'),
    ...{ ip: '216.73.216.44', asn: 16_509, country: 'US' },
    perDay: (day) => (day.ago === SPIKE.ago ? 1_400 : waves(trend(130, 160), 6.5)(day)),
  },
  {
    ...SEARCH,
    userAgent: compatible('Claude-SearchBot/1.0', 'https://www.anthropic.com'),
    ...{ ip: '216.73.218.20', asn: 16_509, country: 'US' },
    perDay: trend(8, 26),
  },
  {
    ...ASSISTANT,
    userAgent: compatible('Claude-User/1.0', 'Claude-User@anthropic.com'),
    ...{ ip: '216.73.217.9', asn: 16_509, country: 'US' },
    perDay: trend(12, 44, 0.5),
  },
  {
    ...SEARCH,
    userAgent: compatible('PerplexityBot/1.0', 'https://perplexity.ai/perplexitybot'),
    ...{ ip: '107.20.236.150', asn: 14_618, country: 'US' },
    perDay: trend(70, 62),
  },
  {
    ...ASSISTANT,
    userAgent: compatible('Perplexity-User/1.0', 'https://perplexity.ai/perplexity-user'),
    ...{ ip: '44.208.221.197', asn: 14_618, country: 'US' },
    perDay: trend(22, 30, 0.6),
  },
  {
    ...CRAWLER,
    userAgent: 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    ...{ ip: '57.141.0.11', asn: 32_934, country: 'US' },
    perDay: waves(trend(60, 130), 4.5),
  },
  {
    ...CRAWLER,
    userAgent:
      'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
    ...{ ip: '110.249.201.8', asn: 4_837, country: 'CN' },
    perDay: waves(trend(85, 35), 11),
  },
  {
    ...CRAWLER,
    userAgent: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
    ...{ ip: '18.97.14.84', asn: 16_509, country: 'US' },
    // A crawl of the whole web comes by once a month and takes three days.
    perDay: ({ ago }) => (ago % 30 >= 9 && ago % 30 <= 11 ? 260 : 2),
  },
  {
    ...SEARCH,
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
    ...{ ip: '17.241.208.170', asn: 714, country: 'US' },
    perDay: trend(38, 42),
  },
  {
    ...CRAWLER,
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36',
    ...{ ip: '198.51.100.90', asn: 14_618, country: 'US' },
    perDay: trend(30, 38),
  },
  {
    ...ASSISTANT,
    userAgent: 'DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)',
    ...{ ip: '4.149.142.7', asn: 8_075, country: 'US' },
    perDay: trend(5, 11, 0.7),
  },
  {
    ...ASSISTANT,
    userAgent: compatible(`${FIRST_BOT.bot}/1.0`, 'https://docs.mistral.ai/robots'),
    ...{ ip: '20.240.160.161', asn: 8_075, country: 'SE' },
    perDay: ({ ago }) => (ago <= FIRST_BOT.ago ? 34 - 6 * ago : 0),
  },
  {
    ...CRAWLER,
    userAgent: 'Mozilla/5.0 (compatible; Diffbot/0.1; +http://www.diffbot.com/our-apis/crawler/)',
    ...{ ip: '203.0.113.140', asn: 14_061, country: 'US' },
    perDay: ({ ago }) => (ago >= GONE_AGO ? 32 : 0),
  },
];

/** Where scripts come from that claim to be one of them: hosting networks, documentation addresses. */
export const MASKS: readonly (readonly [weight: number, from: Network])[] = [
  [5, { ip: '203.0.113.77', asn: 14_061, country: 'NL' }],
  [3, { ip: '198.51.100.140', asn: 24_940, country: 'DE' }],
  [2, { ip: '198.51.100.201', asn: 9_009, country: 'RU' }],
  [2, { ip: '203.0.113.9', asn: 14_061, country: 'SG' }],
];

/** As whom: bots whose vendors publish where they come from. */
export const MASKED = ['GPTBot', 'ChatGPT-User', 'OAI-SearchBot', 'PerplexityBot', 'CCBot'] as const;

/** Of `isSurge`: one script on one rented machine. */
export const SURGE = {
  bot: 'GPTBot',
  from: { ip: '203.0.113.186', asn: 14_061, country: 'NL' },
  perDay: 520,
} as const;
export const masksPerDay = ({ isWeekend }: Day): number => (isWeekend ? 18 : 26);
