/**
 * What a sitemap says (sitemaps.org 0.9): pages, or further sitemaps; XML, or one address a line. No XML library: of the format only
 * `<loc>` is read, by one pass over the text, and nothing of it can refer to anything (entities beyond the five of XML stay as they are).
 */

export interface SitemapText {
  /** `index`: the addresses are sitemaps; `pages`: they are pages; null: it is neither. */
  readonly kind: 'index' | 'pages' | null;
  readonly addresses: readonly string[];
  /** There were more. */
  readonly truncated: boolean;
}

const MAX_ADDRESS = 2_048;
const NOT_A_SITEMAP: SitemapText = { kind: null, addresses: [], truncated: false };

/** @param most addresses that are read; the rest is left */
export function readSitemapText(text: string, most: number): SitemapText {
  const head = text
    .slice(0, 4_096)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (head.startsWith('<')) {
    const root = /<(?:[\w-]+:)?(urlset|sitemapindex)[\s>/]/.exec(head)?.[1];
    if (root === undefined) return NOT_A_SITEMAP;
    return { kind: root === 'urlset' ? 'pages' : 'index', ...collected(locations(text), most) };
  }
  if (!/^https?:\/\//i.test(head)) return NOT_A_SITEMAP;
  return { kind: 'pages', ...collected(lines(text), most) };
}

function collected(found: Generator<string>, most: number): Pick<SitemapText, 'addresses' | 'truncated'> {
  const addresses: string[] = [];
  for (const address of found) {
    if (addresses.length >= most) return { addresses, truncated: true };
    addresses.push(address);
  }
  return { addresses, truncated: false };
}

/** Texts of `<loc>`; of extensions (`image:loc`, `video:loc`) none, which are no pages. */
function* locations(text: string): Generator<string> {
  for (const [, raw = ''] of text.matchAll(
    /<loc>([^<]{0,4096}|\s{0,64}<!\[CDATA\[[^\]]{0,4096}\]\]>\s{0,64})<\/loc>/g,
  )) {
    const address = decoded(raw.replace(/^\s*<!\[CDATA\[([^\]]*)\]\]>\s*$/, '$1')).trim();
    if (address !== '' && address.length <= MAX_ADDRESS) yield address;
  }
}

function* lines(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).trim();
    if (/^https?:\/\//i.test(line) && line.length <= MAX_ADDRESS) yield line;
    from = end === -1 ? text.length : end + 1;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
  });

/** `Sitemap:` lines of a robots.txt. */
export function sitemapsOfRobots(text: string, most: number): string[] {
  return [...text.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,2048})/gim)]
    .slice(0, most)
    .map(([, address = '']) => address);
}
