/**
 * Who sends people: search engines, social networks, video, shops and portals, mail in the browser. Ours: the public host names of these
 * services, and the words that people write into `utm_source` for them (as seen in public tagging guides). AI products are not here;
 * their list is kept fresh by the service (`ReferrerMatcher`).
 */
import type { Platform } from './tags.ts';

export type SourceKind = 'search' | 'social' | 'video' | 'shopping' | 'email';

export interface TrafficSource {
  /** As reports show it. */
  readonly name: string;
  readonly kind: SourceKind;
  /** The ad platform it belongs to, if there is one that takes its conversions. */
  readonly platform?: Platform;
  /** Host names: itself and everything below; with `.*` at the end that very name under any country's domain. Or Android packages. */
  readonly hosts: readonly string[];
  /** Other values of `utm_source` for it, besides its name and hosts. */
  readonly aliases?: readonly string[];
}

/** More particular hosts stand before the general: the first that matches counts. */
export const SOURCES: readonly TrafficSource[] = [
  { name: 'gmail', kind: 'email', hosts: ['mail.google.com', 'com.google.android.gm'] },
  {
    name: 'outlook',
    kind: 'email',
    hosts: [
      'outlook.live.com',
      'outlook.office.com',
      'outlook.office365.com',
      'com.microsoft.office.outlook',
    ],
  },
  {
    name: 'yahoo mail',
    kind: 'email',
    hosts: ['mail.yahoo.com', 'mail.aol.com', 'com.yahoo.mobile.client.android.mail'],
  },
  {
    name: 'gmx',
    kind: 'email',
    hosts: ['navigator.gmx.net', 'navigator.gmx.com', 'lite.gmx.net', 'deref-gmx.net', 'deref-gmx.com'],
  },
  {
    name: 'web.de',
    kind: 'email',
    hosts: ['navigator.web.de', 'lite.web.de', 'deref-web-02.de', 'deref-mail.com'],
  },
  { name: 'proton mail', kind: 'email', hosts: ['mail.proton.me'] },

  {
    name: 'google shopping',
    kind: 'shopping',
    platform: 'google',
    hosts: ['shopping.google.*'],
    aliases: ['googleshopping', 'google-shopping', 'google_shopping', 'merchant-center'],
  },
  { name: 'amazon', kind: 'shopping', hosts: ['amazon.*', 'www.amazon.*', 'm.amazon.*', 'smile.amazon.*'] },
  { name: 'ebay', kind: 'shopping', hosts: ['ebay.*', 'www.ebay.*', 'm.ebay.*'] },
  { name: 'etsy', kind: 'shopping', hosts: ['etsy.com', 'etsy.me'] },
  { name: 'walmart', kind: 'shopping', hosts: ['walmart.com'] },
  { name: 'aliexpress', kind: 'shopping', hosts: ['aliexpress.com', 'aliexpress.ru'] },
  { name: 'alibaba', kind: 'shopping', hosts: ['alibaba.com'] },
  { name: 'temu', kind: 'shopping', hosts: ['temu.com'] },
  { name: 'rakuten', kind: 'shopping', hosts: ['rakuten.co.jp', 'rakuten.com'] },
  {
    name: 'mercado libre',
    kind: 'shopping',
    hosts: ['mercadolibre.*', 'www.mercadolibre.*', 'mercadolivre.com.br'],
  },
  { name: 'flipkart', kind: 'shopping', hosts: ['flipkart.com'] },
  { name: 'shopee', kind: 'shopping', hosts: ['shopee.*'] },
  { name: 'lazada', kind: 'shopping', hosts: ['lazada.*', 'www.lazada.*'] },
  { name: 'allegro', kind: 'shopping', hosts: ['allegro.pl', 'allegro.cz'] },
  { name: 'bol', kind: 'shopping', hosts: ['bol.com'] },
  { name: 'otto', kind: 'shopping', hosts: ['otto.de'] },
  { name: 'idealo', kind: 'shopping', hosts: ['idealo.*', 'www.idealo.*'] },
  {
    name: 'geizhals',
    kind: 'shopping',
    hosts: ['geizhals.de', 'geizhals.at', 'geizhals.eu', 'skinflint.co.uk'],
  },
  { name: 'billiger', kind: 'shopping', hosts: ['billiger.de'] },
  { name: 'kelkoo', kind: 'shopping', hosts: ['kelkoo.*', 'www.kelkoo.*'] },
  { name: 'pricerunner', kind: 'shopping', hosts: ['pricerunner.*', 'www.pricerunner.*'] },
  { name: 'shop app', kind: 'shopping', hosts: ['shop.app', 'com.shopify.arrive'] },

  {
    name: 'youtube',
    kind: 'video',
    platform: 'google',
    hosts: ['youtube.com', 'youtu.be', 'com.google.android.youtube'],
    aliases: ['yt'],
  },
  { name: 'vimeo', kind: 'video', hosts: ['vimeo.com'] },
  { name: 'dailymotion', kind: 'video', hosts: ['dailymotion.com'] },
  { name: 'twitch', kind: 'video', hosts: ['twitch.tv'] },
  { name: 'bilibili', kind: 'video', hosts: ['bilibili.com'] },
  { name: 'rumble', kind: 'video', hosts: ['rumble.com'] },
  { name: 'niconico', kind: 'video', hosts: ['nicovideo.jp'] },
  { name: 'netflix', kind: 'video', hosts: ['netflix.com'] },
  { name: 'hulu', kind: 'video', hosts: ['hulu.com'] },

  {
    name: 'facebook',
    kind: 'social',
    platform: 'meta',
    hosts: ['facebook.com', 'fb.com', 'fb.me', 'messenger.com', 'com.facebook.katana', 'com.facebook.orca'],
    aliases: ['fb', 'meta', 'facebook_ads', 'facebook-ads', 'facebookads', 'messenger', 'msg', 'an'],
  },
  {
    name: 'instagram',
    kind: 'social',
    platform: 'meta',
    hosts: ['instagram.com', 'com.instagram.android'],
    aliases: ['ig', 'insta'],
  },
  {
    name: 'threads',
    kind: 'social',
    platform: 'meta',
    hosts: ['threads.net', 'threads.com', 'com.instagram.barcelona'],
  },
  { name: 'whatsapp', kind: 'social', platform: 'meta', hosts: ['whatsapp.com', 'wa.me', 'com.whatsapp'] },
  {
    name: 'tiktok',
    kind: 'social',
    platform: 'tiktok',
    hosts: ['tiktok.com', 'com.zhiliaoapp.musically', 'com.ss.android.ugc.trill'],
    aliases: ['tiktok_ads', 'tiktok-ads'],
  },
  {
    name: 'linkedin',
    kind: 'social',
    platform: 'linkedin',
    hosts: ['linkedin.com', 'lnkd.in', 'com.linkedin.android'],
    aliases: ['linkedin_ads', 'linkedin-ads', 'li'],
  },
  {
    name: 'pinterest',
    kind: 'social',
    platform: 'pinterest',
    hosts: ['pinterest.*', 'www.pinterest.*', 'pin.it', 'com.pinterest'],
  },
  {
    name: 'snapchat',
    kind: 'social',
    platform: 'snap',
    hosts: ['snapchat.com', 'com.snapchat.android'],
    aliases: ['snap'],
  },
  {
    name: 'reddit',
    kind: 'social',
    platform: 'reddit',
    hosts: ['reddit.com', 'redd.it', 'com.reddit.frontpage'],
  },
  {
    name: 'x',
    kind: 'social',
    platform: 'x',
    hosts: ['x.com', 'twitter.com', 't.co', 'com.twitter.android'],
  },
  { name: 'quora', kind: 'social', platform: 'quora', hosts: ['quora.com'] },
  { name: 'bluesky', kind: 'social', hosts: ['bsky.app'] },
  { name: 'mastodon', kind: 'social', hosts: ['mastodon.social', 'mastodon.online'] },
  {
    name: 'telegram',
    kind: 'social',
    hosts: ['t.me', 'telegram.org', 'telegram.me', 'org.telegram.messenger'],
  },
  { name: 'discord', kind: 'social', hosts: ['discord.com', 'discordapp.com'] },
  { name: 'tumblr', kind: 'social', hosts: ['tumblr.com'] },
  { name: 'xing', kind: 'social', hosts: ['xing.com'] },
  { name: 'nextdoor', kind: 'social', hosts: ['nextdoor.com', 'nextdoor.de', 'nextdoor.co.uk'] },
  { name: 'vk', kind: 'social', hosts: ['vk.com', 'vk.ru', 'vkontakte.ru'] },
  { name: 'odnoklassniki', kind: 'social', hosts: ['ok.ru'] },
  { name: 'weibo', kind: 'social', hosts: ['weibo.com', 'weibo.cn'] },
  { name: 'wechat', kind: 'social', hosts: ['weixin.qq.com', 'wechat.com'] },
  { name: 'line', kind: 'social', hosts: ['line.me'] },
  { name: 'hacker news', kind: 'social', hosts: ['news.ycombinator.com'] },

  {
    name: 'google',
    kind: 'search',
    platform: 'google',
    hosts: [
      'google.*',
      'www.google.*',
      'm.google.*',
      'images.google.*',
      'encrypted.google.com',
      'com.google.android.googlequicksearchbox',
      'googleadservices.com',
      'doubleclick.net',
      'googlesyndication.com',
    ],
    aliases: ['google_ads', 'google-ads', 'googleads', 'adwords', 'gads'],
  },
  {
    name: 'bing',
    kind: 'search',
    platform: 'microsoft',
    hosts: ['bing.com', 'com.microsoft.bing'],
    aliases: ['bing_ads', 'bing-ads', 'bingads', 'microsoft', 'microsoft_ads', 'microsoft-ads', 'msn'],
  },
  {
    name: 'yahoo',
    kind: 'search',
    hosts: ['search.yahoo.com', 'search.yahoo.co.jp', 'yahoo.com', 'www.yahoo.com'],
  },
  {
    name: 'duckduckgo',
    kind: 'search',
    hosts: ['duckduckgo.com', 'com.duckduckgo.mobile.android'],
    aliases: ['ddg'],
  },
  { name: 'yandex', kind: 'search', hosts: ['yandex.*', 'www.yandex.*', 'ya.ru'] },
  { name: 'baidu', kind: 'search', hosts: ['baidu.com'] },
  { name: 'ecosia', kind: 'search', hosts: ['ecosia.org'] },
  { name: 'brave', kind: 'search', hosts: ['search.brave.com'] },
  { name: 'qwant', kind: 'search', hosts: ['qwant.com'] },
  { name: 'startpage', kind: 'search', hosts: ['startpage.com'] },
  { name: 'kagi', kind: 'search', hosts: ['kagi.com'] },
  { name: 'naver', kind: 'search', hosts: ['search.naver.com'] },
  { name: 'daum', kind: 'search', hosts: ['search.daum.net'] },
  { name: 'seznam', kind: 'search', hosts: ['search.seznam.cz'] },
  { name: 'sogou', kind: 'search', hosts: ['sogou.com'] },
  { name: '360', kind: 'search', hosts: ['so.com'] },
  { name: 'coccoc', kind: 'search', hosts: ['coccoc.com'] },
  { name: 'aol', kind: 'search', hosts: ['search.aol.com', 'search.aol.co.uk'] },
  { name: 'ask', kind: 'search', hosts: ['ask.com'] },
  { name: 'mojeek', kind: 'search', hosts: ['mojeek.com'] },
  { name: 'swisscows', kind: 'search', hosts: ['swisscows.com'] },
  { name: 'metager', kind: 'search', hosts: ['metager.de', 'metager.org'] },
  { name: 'presearch', kind: 'search', hosts: ['presearch.com', 'presearch.org'] },
  { name: 'petal', kind: 'search', hosts: ['petalsearch.com'] },
];

/** Of what follows `google.`: `de`, `co.uk`, `com.br`. */
const COUNTRY = /^(?:com|cat|[a-z]{2}|(?:co|com)\.[a-z]{2})$/;

/** @param pattern as in `hosts` */
export function hostMatches(host: string, pattern: string): boolean {
  if (pattern.endsWith('.*')) {
    const stem = pattern.slice(0, -1);
    return host.startsWith(stem) && COUNTRY.test(host.slice(stem.length));
  }
  return host.endsWith(pattern) && (host.length === pattern.length || host.at(-pattern.length - 1) === '.');
}

/** @param host lower-case, or an Android package */
export const sourceOfHost = (host: string): TrafficSource | null =>
  host === ''
    ? null
    : (SOURCES.find(({ hosts }) => hosts.some((pattern) => hostMatches(host, pattern))) ?? null);

/** @param tag a `utm_source`, as tagged: a name, an alias or a host */
export function sourceOfTag(tag: string): TrafficSource | null {
  const word = tag.toLowerCase();
  return SOURCES.find(({ name, aliases }) => name === word || aliases?.includes(word)) ?? sourceOfHost(word);
}
