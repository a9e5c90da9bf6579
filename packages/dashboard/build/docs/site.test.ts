import { describe, expect, it } from 'vitest';
import { PAGES, PEOPLE_PAGES } from '../../src/features/page/pages.tsx';
import { ABOUT, FIRST_STEPS } from './contents.ts';
import { renderMarkdown } from './markdown.ts';
import { fillTemplate, groupsOf, homePage, readSite, searchIndex } from './site.ts';

const site = readSite();
const render = (source: string) => renderMarkdown(source, (href) => ({ href })).html;
const pageAt = (path: string) => site.pages.find((page) => page.path === path);

/** What is wrong with an address within the documentation; null: it leads somewhere. @param target `/docs/reports#bots` */
function faultOf(target: string): string | null {
  const [path = '', anchor] = target.replace(/^\/docs\//, '').split('#');
  if (site.pictures.has(path)) return null;
  const page = pageAt(path);
  if (page === undefined) return `${target}: no such page`;
  return anchor === undefined || page.html.includes(` id="${anchor}"`) ? null : `${target}: no such section`;
}

describe('a document', () => {
  it('shows HTML as text and keeps no link that runs', () => {
    const html = render(
      [
        '# A <b>title</b>',
        '<script>alert(1)</script> <img src=x onerror=alert(2)>',
        '[a](javascript:alert(3)) [b](JAVASCRIPT:alert(4)) [c](data:text/html,x) ![d](javascript:alert(5))',
        '```html\n</code></pre><script>alert(6)</script>\n```',
        '`<svg onload=alert(7)>`',
      ].join('\n\n'),
    );
    expect(html).not.toMatch(/<(?:script|img|b|svg)\b/);
    expect(html).not.toMatch(/(?:href|src)="\s*(?:javascript|data):/i);
    expect(html).toContain('&lt;<span class="hljs-name">script</span>&gt;');
  });

  it('breaks a long name between its words, and a short one nowhere', () => {
    expect(render('`/bots` and `CLICKHOUSE_CLUSTER`')).toContain(
      '<code class="short">/bots</code> and <code>CLICKHOUSE_<wbr>CLUSTER</code>',
    );
  });

  it('has no inline style: the alignment of a column is a class', () => {
    const html = render('| a | b |\n|---|---:|\n| 1 | 2 |');
    expect(html).not.toContain('style=');
    expect(html).toContain('<td class="right">2</td>');
  });

  it('has the anchors that code hosts give its headings, repeated ones numbered', () => {
    const { sections } = renderMarkdown(
      '# Top\n\nFirst.\n\n## `KEY=x`, and more?\n\n## Twice\n\n## Twice\n\n> *q*',
      (href) => ({ href }),
    );
    expect(sections).toEqual([
      { anchor: '', heading: 'Top', depth: 1, text: 'First.' },
      { anchor: 'keyx-and-more', heading: 'KEY=x, and more?', depth: 2, text: '' },
      { anchor: 'twice', heading: 'Twice', depth: 2, text: '' },
      { anchor: 'twice-1', heading: 'Twice', depth: 2, text: 'q' },
    ]);
  });

  it('turns a link that leads to no page into text', () => {
    const { html } = renderMarkdown('# T\n\n[code](../src/x.ts) and [site](https://example.com)', (href) =>
      href.startsWith('https:') ? { href } : null,
    );
    expect(html).toContain('<span>code</span>');
    expect(html).toContain('<a href="https://example.com" rel="noopener noreferrer">site</a>');
  });
});

it('a link whose text is the name of a file says the title of its page', () => {
  const { html } = renderMarkdown('# T\n\n[api.md](api.md#x) and [the API](api.md)', () => ({
    href: '/docs/api',
    title: 'The API',
  }));
  expect(html).toContain('<a href="/docs/api">The API</a> and <a href="/docs/api">the API</a>');
});

it('a block of code has its words in classes, where the language is known', () => {
  expect(render('```sh\n# A <b>\n```')).toContain('<span class="hljs-comment"># A &lt;b&gt;</span>');
  expect(render('```text\n# A <b>\n```')).toContain('<code># A &lt;b&gt;\n</code>');
});

describe('the documentation', () => {
  it('has each page in one group of the navigation, decisions aside', () => {
    const listed = groupsOf(site.pages).flatMap(({ pages }) => pages.map(({ path }) => path));
    expect(new Set(listed).size).toBe(listed.length);
    expect([...listed].sort()).toEqual(
      site.pages.flatMap(({ path }) => (path.startsWith('decisions/') ? [] : [path])).sort(),
    );
    for (const { title, pages } of groupsOf(site.pages)) expect(pages, title).not.toHaveLength(0);
  });

  it('leads nowhere that is not there, by page and by section', () => {
    const faults = site.pages.flatMap(({ path, html }) =>
      [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
        .map(([, target = '']) => (target.startsWith('#') ? `/docs/${path}${target}` : target))
        .filter((target) => target.startsWith('/'))
        .flatMap((target) => faultOf(target) ?? [])
        .map((fault) => `${path} → ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('has the section that each page of the dashboard names', () => {
    const named = [...PAGES, ...PEOPLE_PAGES].map(({ docs }) => docs);
    expect(named.length).toBeGreaterThan(20);
    expect(named.flatMap((target) => faultOf(`/docs/${target}`) ?? [])).toEqual([]);
  });

  it('is found by its search, section by section', () => {
    const index = JSON.parse(searchIndex(site.pages)) as { path: string; anchor: string; text: string }[];
    expect(index.find(({ path, anchor }) => path === 'reports' && anchor === 'ai-share')?.text).toContain(
      'Counted.',
    );
    expect(index.filter(({ path }) => path.startsWith('decisions/')).every(({ text }) => text === '')).toBe(
      true,
    );
  });

  it('fills one template: title, version, navigation and headings, and a page for no page', () => {
    const template = '{{title}}|{{version}}|{{navigation}}|{{contents}}|{{article}}|{{other}}';
    const page = pageAt('reports') ?? null;
    const [title, version, navigation, contents, article] = fillTemplate(template, site, page, '1.2.3').split(
      '|',
    );
    expect([title, version]).toEqual(['Reports', '1.2.3']);
    expect(navigation).toContain('href="/docs/reports" aria-current="page"');
    expect(contents).toContain('<a href="#ai-share">AI share</a>');
    expect(article).toContain('<h1 id="reports">Reports</h1>');
    expect(fillTemplate('{{article}}{{other}}', site, null, '')).toMatch(/Page not found.*\{\{other\}\}$/);
    const order = ['install', 'guide-marketing', 'guide-agency'].map((path) => pageAt(path) ?? null);
    const [first, second] = order.map((at) => fillTemplate('{{neighbours}}', site, at, ''));
    expect(first).not.toContain('Previous<');
    expect(second).toContain('href="/docs/install" rel="prev"');
    expect(second).toContain('href="/docs/guide-agency" rel="next"');
    expect(fillTemplate('{{neighbours}}', site, pageAt('decisions/0009-forwarding') ?? null, '')).toBe('');
    const home = homePage(site.pages);
    for (const path of [...Object.keys(FIRST_STEPS), ...Object.keys(ABOUT)])
      expect(pageAt(path), path).toBeDefined();
    for (const { path } of groupsOf(site.pages).flatMap(({ pages }) => pages))
      expect(home.html).toContain(`href="/docs/${path}"`);
  });
});
