/** People of the demo's past: AI referrals, and all others. Addresses are of those that documentation may use. */
import type { Day } from './days.ts';
import { FIRST_ENGINE } from './incidents.ts';

export const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
] as const;

/** Programs that are no AI bots: search engines, monitors, link checkers. */
export const OTHER_BOTS = [
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  // No list names it: it can be added on the Trust page.
  'Mozilla/5.0 (compatible; AnswerSpider/1.2; +https://answerspider.example/about)',
] as const;

export const HOMES = [
  '198.51.100.20',
  '203.0.113.41',
  '203.0.113.207',
  '2001:db8:85a3::8a2e:370:7334',
] as const;
export const HOME_NETWORKS = [3_320, 7_922, 2_856, 3_215] as const;
export const COUNTRIES = ['US', 'US', 'DE', 'DE', 'GB', 'FR', 'SE', 'JP'] as const;
export const OTHER_REFERRERS = ['', '', 'https://www.google.com/', 'https://www.bing.com/'] as const;

export interface Engine {
  readonly referrer: string;
  /** Its own links are tagged and bring no referrer: share of its visitors. */
  readonly tagged: number;
  readonly tag: string;
  perDay(day: Day): number;
}

const growing =
  (from: number, to: number) =>
  ({ index, ago, isWeekend }: Day): number =>
    from * (to / from) ** (index / Math.max(1, index + ago)) * (isWeekend ? 0.75 : 1);

export const ENGINES: readonly Engine[] = [
  { referrer: 'https://chatgpt.com/', tagged: 0.35, tag: 'chatgpt.com', perDay: growing(9, 42) },
  { referrer: 'android-app://com.openai.chatgpt/', tagged: 0, tag: '', perDay: growing(0.6, 5) },
  { referrer: 'https://www.perplexity.ai/', tagged: 0, tag: '', perDay: growing(5, 11) },
  { referrer: 'https://gemini.google.com/', tagged: 0, tag: '', perDay: growing(2, 9) },
  { referrer: 'https://claude.ai/', tagged: 0, tag: '', perDay: growing(1.5, 7) },
  { referrer: 'https://copilot.microsoft.com/', tagged: 0, tag: '', perDay: growing(2.5, 4) },
  {
    referrer: FIRST_ENGINE.referrer,
    tagged: 0,
    tag: '',
    perDay: ({ ago }) => (ago <= FIRST_ENGINE.ago ? 2 : 0),
  },
];

/** Samples that the collector reports of a day, at `SAMPLE_RATE`. */
export const samplesPerDay = ({ isWeekend, index }: Day): number => (255 + index / 2) * (isWeekend ? 0.7 : 1);
export const SAMPLE_RATE = 0.02;
/** Share of samples that are other programs'. */
export const OTHER_BOTS_SHARE = 0.13;
