/** Which crawler a user agent says that it is, where no list knows it. */
import { compileTokens, embeddedSearchEngines, MAX_TOKEN_LENGTH, tokenFault } from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };

export interface CrawlerName {
  /** As it is written. */
  readonly name: string;
  /** What a list would look for; null: the name can't be one. */
  readonly token: string | null;
  /** Why not, to stand after "the token is"; null: it can. */
  readonly fault: string | null;
  /** Its name is one that crawlers have. */
  readonly isNamed: boolean;
  /** The host of the address that it gives for questions; empty: none. */
  readonly contact: string;
}

const PRODUCT = /[A-Za-z][A-Za-z0-9_.-]*(?:bot|crawler|spider)\b|[A-Za-z][A-Za-z0-9_.-]*/gi;
const CRAWLER = /bot|crawl|spider|agent|fetch|scrap|index|archiv|scan|preview|monitor|check/i;
/** Parts of a browser's user agent, and words of its brackets. */
const OF_BROWSERS =
  /^(?:mozilla|applewebkit|khtml|like|gecko|chrome|headlesschrome|safari|mobile|version|compatible|windows|nt|macintosh|intel|mac|os|x|linux|android|x11|win64|x64|u|en|en-us|rv|firefox|edg|opr|ubuntu|iphone|ipad|cpu|k|build|trident|msie|https?|www|mailto)$/i;
const ADDRESS = /(?:https?:\/\/|www\.)([a-z0-9.-]+\.[a-z]{2,})|[a-z0-9._-]+@([a-z0-9.-]+\.[a-z]{2,})/i;

const searchEngines = compileTokens(embeddedSearchEngines().patterns);

/** @returns null for a crawler of a search engine, which is known, and where nothing is named */
export function crawlerName(userAgent: string): CrawlerName | null {
  if (searchEngines.match(userAgent) !== null) return null;
  const found = ADDRESS.exec(userAgent);
  const contact = (found?.[1] ?? found?.[2] ?? '').toLowerCase().replace(/^www\./, '');
  const bare = userAgent.replaceAll(/(?:https?:\/\/|www\.)\S+|\S+@\S+/gi, ' ');
  const products = [...bare.matchAll(PRODUCT)]
    .map(([word]) => word.replace(/[.-]+$/, ''))
    .filter((word) => !OF_BROWSERS.test(word) && word.length > 1);
  const name = products.find((word) => CRAWLER.test(word)) ?? products[0];
  if (name === undefined) return null;
  const token = name.toLowerCase().slice(0, MAX_TOKEN_LENGTH);
  const isNamed = CRAWLER.test(name);
  // A library's name is in the user agents of many programs.
  const fault = isNamed || contact !== '' ? tokenFault(token, userAgents.cases) : 'not that of a crawler';
  return {
    ...{ name: name.slice(0, MAX_TOKEN_LENGTH), token: fault === null ? token : null, fault },
    ...{ isNamed, contact },
  };
}
