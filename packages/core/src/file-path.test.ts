import { expect, it } from 'vitest';
import { isFilePath } from './file-path.ts';

it.each([
  ...[
    '/robots.txt',
    '/llms.txt',
    '/llms-full.txt',
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/sitemap-1.xml.gz',
    '/ads.txt',
  ],
  ...[
    '/feed',
    '/feed/',
    '/blog/feed/',
    '/rss',
    '/rss.xml',
    '/atom',
    '/index.atom',
    '/comments/RSS2/',
    '/feed.json',
  ],
  ...[
    '/.well-known/webmcp.json',
    '/.well-known/security.txt',
    '/.well-known/acme-challenge/x',
    '/manifest.json',
  ],
  ...[
    '/site.webmanifest',
    '/favicon.ico',
    '/img/Photo.JPG',
    '/a.b/c.svg',
    '/style.css',
    '/app.min.js',
    '/fonts/x.woff2',
  ],
  ...[
    '/paper.pdf',
    '/docs/page.md',
    '/prices.CSV',
    '/v/clip.mp4',
    '/x.tar.gz',
    '/wp-json/wp/v2/posts',
    '/cdn-cgi/trace',
  ],
  ...['/_next/image', '/_next/data/b/x.json', '/.env'],
])('takes %s for a file', (path) => expect(isFilePath(path)).toBe(true));

it.each([
  ...[
    '/',
    '',
    '/about',
    '/about/',
    '/index.html',
    '/index.HTM',
    '/shop.php',
    '/default.aspx',
    '/page.xhtml',
    '/x.jsp',
  ],
  ...[
    '/v1.2',
    '/v1.2/',
    '/who-is.who',
    '/notes/example.com',
    '/feeds',
    '/my-feed',
    '/feed/news',
    '/rss-reader',
    '/atoms/',
  ],
  ...[
    '/pdf',
    '/robots',
    '/sitemap',
    '/sitemap/',
    '/well-known/x',
    '/blog/.well-known/x',
    '/a.pdf/',
    '/a.pdf/read',
  ],
  ...['/x.json/', '/x.', '/.', '/wp-json', '/md', '/x.mdoc'],
])('takes %s for no file', (path) => expect(isFilePath(path)).toBe(false));

it('folds no letter beyond ASCII: engines would disagree', () => {
  expect(isFilePath('/x.p\u017f')).toBe(false);
  expect(isFilePath('/x.m\u212av')).toBe(false);
});
