/** The documentation as a site: every file of docs/ as a page, and an index for its search. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ABOUT, DECISIONS, FIRST_STEPS, GROUPS, MORE, OTHER_FILES } from './contents.ts';
import { escapeHtml, type Rendered, renderMarkdown, type Section } from './markdown.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface DocPage extends Rendered {
  /** Below `/docs/`: `reports`, `decisions/0001-embedded-warehouse-child`. */
  readonly path: string;
}

export interface Site {
  readonly pages: readonly DocPage[];
  /** Pictures, by path below `/docs/`. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}

/** @param root the repository */
export function readSite(root: string = ROOT): Site {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
  const sources = new Map<string, string>(
    names.filter((name) => name.endsWith('.md')).map((name) => [name.slice(0, -3), `docs/${name}`]),
  );
  for (const [path, file] of Object.entries(OTHER_FILES)) sources.set(path, file);
  const pictures = new Map(
    names
      .filter((name) => /\.(?:png|svg)$/.test(name))
      .map((name) => [name, new Uint8Array(readFileSync(join(root, 'docs', name)))]),
  );
  const files = new Map(
    [...sources].map(([path, file]) => {
      const source = readFileSync(join(root, file), 'utf8');
      return [file, { path, source, title: (/^# (.+)$/m.exec(source)?.[1] ?? path).replaceAll("'", '’') }];
    }),
  );
  const pages = [...files].map(([file, { path, source }]) => ({
    path,
    ...renderMarkdown(source, (target) => {
      if (/^(?:https?:|mailto:|#)/.test(target)) return { href: target };
      const [relative = '', anchor] = target.split('#');
      const wanted = posix.join(posix.dirname(file), relative);
      const picture = wanted.replace(/^docs\//, '');
      if (pictures.has(picture)) return { href: `/docs/${picture}` };
      const page = files.get(wanted);
      if (page === undefined) return null;
      return { href: `/docs/${page.path}${anchor === undefined ? '' : `#${anchor}`}`, title: page.title };
    }),
  }));
  return { pages, pictures };
}

/** The navigation, in the order of contents.ts. */
export function groupsOf(pages: readonly DocPage[]): { title: string; pages: DocPage[] }[] {
  const named = new Set(GROUPS.flatMap((group) => group.pages));
  const more = pages.filter(({ path }) => !named.has(path) && !path.startsWith(DECISIONS));
  return [
    ...GROUPS.map((group) => ({
      title: group.title,
      pages: group.pages.flatMap((path) => pages.filter((page) => page.path === path)),
    })),
    { title: MORE, pages: more },
  ];
}

/** What the search reads: each section of each page, decisions without their text. */
export function searchIndex(pages: readonly DocPage[]): string {
  return JSON.stringify(
    pages.flatMap(({ path, title, sections }) =>
      sections
        .filter(({ depth }) => depth === 1 || !path.startsWith(DECISIONS))
        .map(({ anchor, heading, text }) => ({
          path,
          title,
          anchor,
          heading,
          text: path.startsWith(DECISIONS) ? '' : text,
        })),
    ),
  );
}

/** @param template the page with `{{names}}`, as Vite built it @param page null: the page for an address that is none */
export function fillTemplate(template: string, site: Site, page: DocPage | null, version: string): string {
  const parts: Readonly<Record<string, string>> = {
    title: escapeHtml(page?.title ?? 'Page not found'),
    version: escapeHtml(version),
    navigation: navigation(site.pages, page?.path),
    article: page === null ? NOT_FOUND : `${crumb(site.pages, page)}${page.html}`,
    contents: page === null ? '' : contents(page),
    neighbours: page === null ? '' : neighbours(site.pages, page.path),
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => parts[name] ?? whole);
}

/** The first page: every page with what it is about, which is its navigation too. */
export function homePage(pages: readonly DocPage[]): DocPage {
  const first = Object.entries(FIRST_STEPS).map(([path, [title, about]]) => item(path, title, about));
  const groups = groupsOf(pages).map(
    ({ title, pages: listed }) =>
      `<section><h2>${escapeHtml(title)}</h2>${linkList('links', listed.map(itemOf))}</section>`,
  );
  return {
    path: '',
    title: 'Documentation',
    about: '',
    html: `<h1>Documentation</h1><p class="lede">Install Ghostlight, connect your site, and see how AI crawlers use it.</p>${linkList('cards', first)}${groups.join('')}`,
    sections: [],
  };
}

/** @param look a class of docs.css @param items of `item` */
const linkList = (look: 'cards' | 'links', items: readonly string[]): string =>
  `<ul class="${look}">${items.join('')}</ul>`;

const item = (path: string, title: string, about: string): string =>
  `<li><a href="/docs/${path}">${escapeHtml(title)}</a><p>${escapeHtml(about)}</p></li>`;

const itemOf = ({ path, title, about }: DocPage): string => item(path, title, ABOUT[path] ?? about);

const NOT_FOUND =
  '<h1>Page not found</h1><p>The documentation of this version has no such page. Search for it above, or start at <a href="/docs">the contents</a>.</p>';

function navigation(pages: readonly DocPage[], open: string | undefined): string {
  return groupsOf(pages)
    .map(({ title, pages: listed }) => {
      const items = listed.map(
        ({ path, title: name }) =>
          `<li><a href="/docs/${path}"${path === open ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`,
      );
      return `<p>${escapeHtml(title)}</p><ul>${items.join('')}</ul>`;
    })
    .join('');
}

/** The pages before and after one in the order of the navigation; nothing for a page that is not in it. */
function neighbours(pages: readonly DocPage[], open: string): string {
  const order = groupsOf(pages).flatMap((group) => group.pages);
  const at = order.findIndex(({ path }) => path === open);
  if (at < 0) return '';
  const link = (page: DocPage | undefined, label: string, direction: 'prev' | 'next') =>
    page === undefined
      ? ''
      : `<a href="/docs/${page.path}" rel="${direction}"><span>${label}</span>${escapeHtml(page.title)}</a>`;
  return `<nav class="docs-neighbours" aria-label="Previous and next page">${link(order[at - 1], 'Previous', 'prev')}${link(order[at + 1], 'Next', 'next')}</nav>`;
}

/** Where a page is, above its title; nothing for the first page and for decisions, which no group has. */
function crumb(pages: readonly DocPage[], { path }: DocPage): string {
  const group = groupsOf(pages).find(({ pages: listed }) => listed.some((page) => page.path === path));
  if (group === undefined) return '';
  return `<p class="docs-crumb"><a href="/docs">Docs</a> <span aria-hidden="true">/</span> ${escapeHtml(group.title)}</p>`;
}

/** The headings of a page, folded until the script finds room for them beside the text; nothing for a page with one. */
function contents({ sections }: DocPage): string {
  const shown = sections.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return '';
  const link = ({ anchor, heading }: Section) =>
    `<a href="#${escapeHtml(anchor)}">${escapeHtml(heading)}</a>`;
  const items: { own: string; below: string[] }[] = [];
  for (const section of shown) {
    const last = items.at(-1);
    if (section.depth === 3 && last !== undefined) last.below.push(`<li>${link(section)}</li>`);
    else items.push({ own: link(section), below: [] });
  }
  const list = items.map(
    ({ own, below }) => `<li>${own}${below.length === 0 ? '' : `<ul>${below.join('')}</ul>`}</li>`,
  );
  return `<nav class="docs-contents" aria-label="On this page"><details><summary>On this page</summary><ul>${list.join('')}</ul></details></nav>`;
}
