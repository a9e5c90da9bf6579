/** What is read in the demo's past, and what was wrong with it on which days. Hosts: the shop, its journal, and the help pages behind log push. */
import { PRODUCTS } from '../products.ts';
import { HOST, LEXICON, PAGES } from '../shop.ts';
import type { Day } from './days.ts';
import { isDeployed, RENAMED_AGO } from './incidents.ts';

export const JOURNAL = `journal.${HOST}`;
export const HELP = `help.${HOST}`;

type Weighted = readonly (readonly [weight: number, path: string])[];

/** No AI bot has read these, though the sitemap names them: they are new, or nothing links to them. */
const UNREAD = new Set([
  '/contact',
  '/cart',
  ...['/lexicon/batten', '/lexicon/pin-spot', '/lexicon/scoop', '/lexicon/strike', '/lexicon/wash'],
]);

const falling = (paths: Iterable<string>, most: number): Weighted =>
  [...paths].filter((path) => !UNREAD.has(path)).map((path, place) => [most / (1 + place / 3), path]);

const PRODUCT_PAGES = falling(
  PRODUCTS.keys().map((slug) => `/products/${slug}`),
  20,
);
const GUIDES = falling(
  [...PAGES.keys()].filter((path) => path.startsWith('/guides/')),
  14,
);
const REST = falling(
  [...PAGES.keys()].filter((path) => !path.startsWith('/guides/')),
  6,
);
const LEXICON_PAGES = falling(
  LEXICON.keys().map((slug) => `/lexicon/${slug}`),
  5,
);
/** Since `RENAMED_AGO` on a host of their own. Who has read them once asks for them again. */
const HELP_ONCE = falling(
  [
    ...['/help/change-a-bulb', '/help/dimmers-that-fit', '/help/return-a-lamp', '/help/warranty'],
    ...['/help/clean-brass', '/help/which-cable', '/help/hang-a-lantern', '/help/old-remote'],
  ],
  3,
);
/** What there was once, and what never was. */
const MOVED: Weighted = [
  [2.5, '/products/gas-lamp'],
  [1.5, '/shop'],
];
const GONE: Weighted = [
  [1.4, '/llms.txt'],
  [1.2, '/old-catalogue.pdf'],
  [0.8, '/de/kontakt'],
];
/** Agents look for tools; the shop has offered none before its first start. */
const TOOLS = '/.well-known/webmcp.json';
const FOR_SALE: Weighted = [
  [4, '/'],
  ...PRODUCT_PAGES.map(([weight, path]) => [weight * 2, path] as const),
  ...[...GUIDES, ...REST, ...MOVED],
];

export type Taste = 'everything' | 'answers' | 'forbidden';
export const SHOP_PAGES: Readonly<Record<Taste, Weighted>> = {
  everything: [
    [9, '/robots.txt'],
    [4, '/sitemap.xml'],
    [10, '/'],
    ...[...PRODUCT_PAGES, ...GUIDES, ...REST, ...LEXICON_PAGES, ...HELP_ONCE, ...MOVED, ...GONE],
  ],
  answers: [...FOR_SALE, ...HELP_ONCE, [2, TOOLS]],
  // Half of it what robots.txt asks to leave alone, and never robots.txt itself.
  forbidden: [...PRODUCT_PAGES, ...GUIDES, [75, '/search']],
};
export const JOURNAL_PAGES: Weighted = falling(
  [
    ...['/', '/2026/a-theatre-reopens', '/2026/what-a-ghost-light-costs', '/2026/led-or-not'],
    ...['/2025/a-year-in-lamps', '/2025/touring-light', '/feed.xml'],
  ],
  10,
);
export const HELP_PAGES: Weighted = [
  ...falling(
    [
      ...['/', '/articles/change-a-bulb', '/articles/dimmers-that-fit', '/articles/return-a-lamp'],
      ...['/articles/warranty', '/articles/clean-brass', '/articles/which-cable'],
    ],
    10,
  ),
  [0.7, '/articles/old-remote'],
];
export const PEOPLE_READ: Weighted = [...FOR_SALE, ...HELP_ONCE];
/** People load more than pages. */
export const PEOPLE_LOAD: Weighted = [
  ...PEOPLE_READ,
  [30, '/assets/site.css'],
  [45, '/images/ghost-light.svg'],
  [40, '/images/stage-lantern.svg'],
  [15, '/search'],
  [10, '/cart'],
  [6, '/contact'],
];

const LOST = new Set(['/articles/old-remote', TOOLS, ...GONE.map(([, path]) => path)]);
const REDIRECTED = new Set(MOVED.map(([, path]) => path));
/** What the deploy of `isDeployed` broke. */
const BROKEN = /^\/(?:products|guides|search)(?:\/|$)/;

/** What the server answered. @param luck 0 to 1 */
export function statusOf(host: string, path: string, at: number, day: Day, luck: number): number {
  if (LOST.has(path)) return 404;
  if (REDIRECTED.has(path)) return 301;
  if (path.startsWith('/help/') && day.ago <= RENAMED_AGO) return 404;
  if (host === HOST && BROKEN.test(path) && isDeployed(at, day)) return 500;
  if (luck < 0.004) return 503;
  return luck < 0.03 ? 304 : 200;
}

/** Bytes of an answer's body; the same page is always about as long. */
export function bytesOf(path: string, status: number): number {
  if (status === 301 || status === 304) return 0;
  if (status !== 200) return 1_204;
  let sum = path.length;
  for (let at = 0; at < path.length; at += 1) sum = (sum * 31 + path.charCodeAt(at)) % 65_521;
  return 3_800 + (path.startsWith('/images/') ? sum * 6 : sum % 38_000);
}
