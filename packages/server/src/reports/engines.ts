/** Which product belongs to which crawlers: the two lists name the same company in different words (bots its key, referrers its product). */

import type { ReferrerMatcher } from '@ghostlight/core';

/** Product, as the referrer list names it → the key of its maker's bots. Products of makers without a bot in the list have none. */
const MAKERS: Readonly<Record<string, string>> = {
  ChatGPT: 'openai',
  Claude: 'anthropic',
  Perplexity: 'perplexity',
  Copilot: 'microsoft',
  Gemini: 'google',
  NotebookLM: 'google',
  'Meta AI': 'meta',
  'Le Chat': 'mistral',
  DeepSeek: 'deepseek',
  Kimi: 'moonshot',
  Qwen: 'alibaba',
  Tongyi: 'alibaba',
  ERNIE: 'baidu',
  ChatGLM: 'zhipu',
  Doubao: 'bytedance',
  'Duck.ai': 'duckduckgo',
  iAsk: 'iask',
  Phind: 'phind',
};

/** The key that joins a product with its maker's crawlers. */
export const makerOf = (product: string): string => MAKERS[product] ?? `product:${product}`;

/** The product that a conversion's source names, and the key of its maker; null for every other source. */
export function engineOf(
  source: string,
  referrers: ReferrerMatcher,
): { readonly product: string; readonly maker: string } | null {
  const product = productOf(source, referrers);
  return product === null ? null : { product, maker: makerOf(product) };
}

/** The product that a conversion's source names: `chatgpt.com`, `ChatGPT`, an app's package; null for every other source. */
export function productOf(source: string, referrers: ReferrerMatcher): string | null {
  const listed = referrers.match('', source) ?? referrers.matchHost(source);
  const name = source.toLowerCase();
  return listed?.engine ?? Object.keys(MAKERS).find((product) => product.toLowerCase() === name) ?? null;
}
