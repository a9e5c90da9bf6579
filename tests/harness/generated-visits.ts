/** Visits made up from a seed: what is listed, in odd places and half right, among people and nonsense. */
import { type BotLists, compileLists } from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import { CHROME, GOOGLEBOT } from '../../packages/collector/src/testing/values.ts';
import type { DescribedVisit } from './both-sides.ts';
import type { Random } from './random.ts';

const HOSTS = [
  'shop.example',
  'shop.example.',
  'SHOP.example:8443',
  'www.münchen.example',
  '[2001:db8::1]:8080',
  '203.0.113.9',
  `${'a.'.repeat(100)}example`,
];
/** Between a token and its neighbours; what continues a word makes another word of it. */
const GLUE = ['', ' ', '/', ';', '(', '-', '_', '.', 'x', '9', '\xe9', '\xa0', '+', ',', '"'];
const VALUES = [
  '',
  'chatgpt.com',
  'perplexity.ai',
  'www.perplexity.ai.',
  'ChatGPT.com',
  'notchatgpt.com',
  'chatgpt.com%20',
  '%20chatgpt.com',
  'chatgpt%2Ecom',
  'newsletter',
  '%zz%ff%',
  '%F0%9F%91%BB',
  '%ED%A0%80',
  'a+b',
  'ü😀',
  'v'.repeat(2_049),
  `chatgpt.com${'%00'.repeat(2_100)}`,
];
const NAMES = [
  'utm_source',
  'utm_source',
  'UTM_SOURCE',
  'utm%5Fsource',
  'utm_medium',
  'gclid',
  'q',
  '7',
  '__proto__',
  '',
  'n'.repeat(300),
];
const SAMPLE_RATES = [0, 0.000_001, 0.02, 0.75, 0.75, 1];

/** @returns makes the next visit of the seed's sequence */
export function visitMaker(lists: BotLists, random: Random): () => DescribedVisit {
  const agents = lists.signature_agents.filter(({ url }) => url !== undefined);
  const finder = compileLists(lists).signatureAgents;
  const oneIn = (n: number): boolean => random.below(n) === 0;

  const anyCase = (text: string): string =>
    oneIn(2) ? text : [...text].map((c) => (oneIn(2) ? c.toUpperCase() : c.toLowerCase())).join('');
  const noise = (): string =>
    Array.from({ length: random.below(12) }, () => String.fromCharCode(0x20 + random.below(0xe0))).join('');

  const userAgent = (): string => {
    const base = oneIn(3) ? CHROME : oneIn(4) ? noise() : random.pick(userAgents.cases).user_agent;
    if (oneIn(8)) return random.pick(['', GOOGLEBOT, 'curl/8.5.0', base.repeat(20)]);
    if (oneIn(2)) return base;
    const { pattern } = random.pick(lists.bot_patterns);
    const token = anyCase(oneIn(6) ? pattern.slice(0, -1) : pattern);
    const glued = `${random.pick(GLUE)}${token}${random.pick(GLUE)}`;
    // 1,024 is where both sides cut: a token across the cut is none, and one before it may end there.
    const at = oneIn(10) ? 1_024 - random.below(token.length + 3) : random.below(base.length + 1);
    return base.slice(0, at).padEnd(at, '.') + glued + base.slice(at);
  };

  const referrer = (): string => {
    const domain = random.pick(lists.ai_referrer_domains);
    const host = random.pick([
      domain,
      domain,
      `www.${domain}`,
      `${domain}.`,
      `${domain}..`,
      `not${domain}`,
      `${domain}.evil.example`,
      domain.toUpperCase(),
      'www.google.com',
      'b\xfccher.example',
      `${'a.'.repeat(130)}${domain}`,
    ]);
    const port = random.pick(['', '', ':443', ':8443', ':99999', ':']);
    const path = random.pick(['', '/', '/c/1?q=x#y', `/${noise()}`, `/${'p'.repeat(2_100)}`, '?a=@']);
    const app = random.pick([...lists.ai_referrer_apps, 'com.android.chrome', 'com.slack']);
    return random.pick([
      '',
      '',
      host,
      `${host}${port}${path}`,
      `https://${host}${port}${path}`,
      `https://${host}${port}${path}`,
      `HTTP://${host}${path}`,
      `https://ada:pw@${host}${port}/`,
      `//${host}/`,
      `ftp://${host}/`,
      `android-app://${anyCase(app)}${random.pick(['', '/', '/https/example.com', ':1'])}`,
      noise(),
    ]);
  };

  const search = (): string => {
    if (oneIn(2)) return '';
    const pair = (): string => `${random.pick(NAMES)}${oneIn(8) ? '' : '='}${random.pick(VALUES)}`;
    const many = oneIn(30) ? Array.from({ length: 60 + random.below(10) }, (_, n) => `p${n}=${n}`) : [];
    return `?${[...many, ...Array.from({ length: 1 + random.below(4) }, pair)].join(random.pick(['&', '&', '&&', ';']))}`;
  };

  const signer = (): Pick<DescribedVisit, 'signer'> => {
    const { url: identity = '' } = random.pick(agents);
    const agent = finder.find(identity);
    return agent === null ? {} : { signer: { agent, identity } };
  };

  return () => ({
    url: `https://${random.pick(HOSTS)}/${random.pick(['', 'a/b', 'caf%C3%A9', '%zz', 'p'.repeat(20)])}${search()}`,
    headers: {
      'user-agent': userAgent(),
      referer: referrer(),
      'cf-connecting-ip': random.pick([
        '198.51.100.77',
        '2001:db8:85a3::8a2e:370:7334',
        '::ffff:192.0.2.1',
        '',
        'unknown',
      ]),
    },
    sampleRate: random.pick(SAMPLE_RATES),
    ...(oneIn(20) ? signer() : {}),
  });
}
