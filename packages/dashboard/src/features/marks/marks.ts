/**
 * What is shown next to the name of a company, a platform or a log source: its logo in one colour, or two letters where there is none
 * (logos/README.md). One register for vendors of bots, AI engines, ad platforms, shops and sources.
 */
import platforms from './logos/platforms.svg?url';
import vendors from './logos/vendors.svg?url';

export interface Mark {
  /** Without a logo. */
  readonly letters: string;
  /** The address of a symbol of 24 by 24. */
  readonly logo: string | null;
}

const vendor = (id: string) => `${vendors}#${id}`;
const platform = (id: string) => `${platforms}#${id}`;

/** By name in lower case, as the service or the platform has it. */
export const LOGOS: Readonly<Record<string, string>> = {
  alibaba: vendor('alibabacloud'),
  anthropic: vendor('anthropic'),
  apple: vendor('apple'),
  atlassian: vendor('atlassian'),
  baidu: vendor('baidu'),
  bytedance: vendor('bytedance'),
  claude: vendor('claude'),
  cloudflare: vendor('cloudflare'),
  deepseek: vendor('deepseek'),
  'duck.ai': vendor('duckduckgo'),
  duckduckgo: vendor('duckduckgo'),
  gemini: vendor('googlegemini'),
  github: vendor('github'),
  google: vendor('google'),
  huawei: vendor('huawei'),
  kagi: vendor('kagi'),
  kimi: vendor('kimi'),
  'le chat': vendor('mistralai'),
  meta: vendor('meta'),
  'meta ai': vendor('meta'),
  mistral: vendor('mistralai'),
  moonshot: vendor('moonshotai'),
  mozilla: vendor('mozilla'),
  notebooklm: vendor('google'),
  perplexity: vendor('perplexity'),
  poe: vendor('poe'),
  qwen: vendor('alibabacloud'),
  tongyi: vendor('alibabacloud'),

  akamai: platform('akamai'),
  'amazon cloudfront': platform('sign-cloud'),
  apache: platform('apache'),
  'bunny.net': platform('bunnydotnet'),
  caddy: platform('caddy'),
  'cloudflare logpush': vendor('cloudflare'),
  'cloudflare worker': platform('cloudflareworkers'),
  'edge worker': platform('cloudflareworkers'),
  fastly: platform('fastly'),
  'fluent bit': platform('fluentbit'),
  ga4: platform('googleanalytics'),
  google_ads: platform('googleads'),
  haproxy: platform('haproxy'),
  iis: platform('sign-server'),
  'log files': platform('sign-file'),
  'log push': vendor('cloudflare'),
  netlify: platform('netlify'),
  nginx: platform('nginx'),
  'node.js application': platform('nodedotjs'),
  opentelemetry: platform('opentelemetry'),
  pinterest: platform('pinterest'),
  reddit: platform('reddit'),
  'send a test visit': platform('sign-send'),
  shopify: platform('shopify'),
  snap: platform('snapchat'),
  tiktok: platform('tiktok'),
  vector: platform('sign-route'),
  vercel: platform('vercel'),
  wordpress: platform('wordpress'),
  'your own json': platform('json'),
};

/** Where the beginning of a name would be another's too. */
const LETTERS: Readonly<Record<string, string>> = {
  amazon: 'Az',
  'common crawl': 'Cc',
  microsoft: 'Ms',
  openai: 'Oa',
  chatgpt: 'Cg',
};

export function markOf(name: string): Mark {
  const known = name.trim().toLowerCase();
  return { letters: lettersOf(known), logo: Object.hasOwn(LOGOS, known) ? (LOGOS[known] ?? null) : null };
}

function lettersOf(known: string): string {
  if (Object.hasOwn(LETTERS, known)) return LETTERS[known] ?? '';
  const [first = '·', second = ''] = [...known].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  return `${first.toUpperCase()}${second}`;
}
