/** The origin behind the demo's edge: a small shop on plain `node:http`, which knows nothing of any collector. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { document, escapeHtml, PICTURE, STYLE } from './layout.ts';
import { PRODUCTS, type Product } from './products.ts';
import { HOST, LEXICON, PAGES } from './shop.ts';

export interface Site {
  /** On loopback. */
  readonly port: number;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function startSite(): Promise<Site> {
  const server = createServer((request, response) => {
    request.resume();
    const { status, headers, body } = answer(request.url ?? '/', Date.now());
    const length = String(Buffer.byteLength(body));
    response.writeHead(status, { ...headers, 'Content-Length': length });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The search rebuilds its index for the first seconds of each minute, and says so: real sites have moments too. */
const REBUILD_MS = 10_000;
const MOVED: ReadonlyMap<string, string> = new Map([
  ['/shop', '/'],
  ['/products/gas-lamp', '/products/stage-lantern'],
]);

/**
 * @param target path and query as in the request line
 * @param now epoch milliseconds
 */
export function answer(target: string, now: number): Answer {
  const url = URL.parse(target, `https://${HOST}`);
  if (url === null) return page(400, 'Not understood', ['This address has no meaning here.']);
  const { pathname, searchParams } = url;
  const moved = MOVED.get(pathname);
  if (moved !== undefined) return { status: 301, headers: { Location: moved }, body: '' };
  if (pathname === '/robots.txt')
    return text(`User-agent: *\nDisallow: /search\n\nSitemap: https://${HOST}/sitemap.xml\n`);
  if (pathname === '/sitemap.xml')
    return { status: 200, headers: { 'Content-Type': 'application/xml' }, body: sitemap() };
  if (pathname === '/assets/site.css')
    return { status: 200, headers: { 'Content-Type': 'text/css; charset=utf-8' }, body: STYLE };
  const [, pictured = ''] = /^\/images\/([a-z-]+)\.svg$/.exec(pathname) ?? [];
  if (PRODUCTS.has(pictured))
    return { status: 200, headers: { 'Content-Type': 'image/svg+xml' }, body: PICTURE };
  if (pathname === '/') return home();
  if (pathname === '/search') {
    if (now % 60_000 < REBUILD_MS) {
      const busy = page(503, 'One moment', ['The search is building its index.']);
      return { ...busy, headers: { ...busy.headers, 'Retry-After': String(REBUILD_MS / 1_000) } };
    }
    return searchPage(searchParams.get('query') ?? '');
  }
  const [, slug = ''] = /^\/products\/([a-z-]+)$/.exec(pathname) ?? [];
  const product = PRODUCTS.get(slug);
  if (product !== undefined)
    return html(
      200,
      product.name,
      `<img src="/images/${slug}.svg" width="96" height="144" alt="">${paragraphsOf([product.text, `${product.price} · ${product.sku}`])}`,
    );
  const [, term = ''] = /^\/lexicon\/([a-z-]+)$/.exec(pathname) ?? [];
  const known = LEXICON.get(term) ?? PAGES.get(pathname);
  if (known !== undefined) return page(200, known.title, known.paragraphs);
  return page(404, 'Nothing here', ['This page is gone, or it never was. The lamps are on the first page.']);
}

function home(): Answer {
  return html(
    200,
    'A lamp to leave on',
    `<p>Lamps for stages, and for rooms that want to be one.</p>${list([...PRODUCTS])}`,
  );
}

function searchPage(query: string): Answer {
  const words = query.toLowerCase().split(/\s+/).slice(0, 10);
  const found = [...PRODUCTS].filter(([, { name, text: about }]) =>
    words.every((word) => `${name} ${about}`.toLowerCase().includes(word)),
  );
  return html(
    200,
    'Search',
    found.length > 0 ? list(found) : '<p>Nothing fits. Fewer words may find more.</p>',
  );
}

function list(products: readonly (readonly [slug: string, Product])[]): string {
  const items = products.map(
    ([slug, { name, price }]) =>
      `<li><a href="/products/${slug}">${escapeHtml(name)}</a><span class="price">${escapeHtml(price)}</span></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

function page(status: number, title: string, paragraphs: readonly string[]): Answer {
  return html(status, title, paragraphsOf(paragraphs));
}

function paragraphsOf(paragraphs: readonly string[]): string {
  return paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
}

function html(status: number, title: string, body: string): Answer {
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: document(title, body) };
}

function text(body: string): Answer {
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
}

function sitemap(): string {
  const products = PRODUCTS.keys().map((slug) => `/products/${slug}`);
  const lexicon = LEXICON.keys().map((slug) => `/lexicon/${slug}`);
  const paths = ['/', ...products, ...PAGES.keys(), ...lexicon];
  const entries = paths.map((path) => `<url><loc>https://${HOST}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`;
}
