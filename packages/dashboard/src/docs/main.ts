/** The script of the documentation: search, theme, copying, and the mark of the section that is read. Pages work without it. */
import { loadDocs, searchDocs } from '../features/docs/search.ts';
import { copyText } from '../format/copy-text.ts';
import { nextTheme, readTheme, THEME_NAMES } from '../format/theme.ts';
import './docs.css';

const MOST = 12;
const COPIED_MS = 2000;

const search = document.querySelector<HTMLElement>('#search');
const field = search?.querySelector('input');
const results = document.querySelector<HTMLElement>('#results');
const found = document.querySelector<HTMLElement>('#found');
if (search && field && results && found) startSearch(search, field, results, found);

const theme = document.querySelector<HTMLButtonElement>('#theme');
if (theme) startTheme(theme);
const contents = document.querySelector<HTMLDetailsElement>('.docs-contents details');
if (contents) unfoldWhereRoom(contents);
markCurrent();
for (const block of document.querySelectorAll<HTMLElement>('article pre')) addCopyButton(block);

function startSearch(
  box: HTMLElement,
  input: HTMLInputElement,
  list: HTMLElement,
  status: HTMLElement,
): void {
  box.hidden = false;
  let latest = '';
  const show = async () => {
    const text = input.value.trim();
    latest = text;
    const sections = text === '' ? [] : await loadDocs();
    if (latest !== text) return;
    const hits = searchDocs(sections, text, MOST);
    list.replaceChildren(
      ...hits.map(({ href, heading, page, snippet }) => item(href, heading, page, snippet)),
    );
    list.hidden = hits.length === 0;
    status.textContent = text === '' ? '' : `${hits.length === 0 ? 'No' : hits.length} results`;
    box.dataset['empty'] = String(text !== '' && hits.length === 0);
  };
  input.addEventListener('input', () => void show());
  input.addEventListener('focus', () => void loadDocs(), { once: true });
  box.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Escape') {
      list.hidden = true;
      input.focus();
    } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') (at <= 0 ? input : links[at - 1])?.focus();
    else if (event.key === 'Enter' && at < 0) links[0]?.click();
    else return;
    event.preventDefault();
  });
  // A result of the open page only moves within it.
  list.addEventListener('click', () => {
    list.hidden = true;
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && document.activeElement !== input;
    const isK = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isK) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

function item(href: string, heading: string, page: string, snippet: string): HTMLElement {
  const [entry, link, name, where, text] = ['li', 'a', 'b', 'span', 'span'].map((tag) =>
    document.createElement(tag),
  ) as [HTMLElement, HTMLAnchorElement, HTMLElement, HTMLElement, HTMLElement];
  link.href = href;
  link.className = 'result';
  name.textContent = heading;
  where.textContent = page;
  where.className = 'result-page';
  text.textContent = snippet;
  text.className = 'result-text';
  link.append(name, ' ', where, text);
  entry.append(link);
  return entry;
}

function startTheme(button: HTMLButtonElement): void {
  const show = () => {
    button.textContent = `Theme: ${THEME_NAMES[readTheme()].toLowerCase()}`;
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    nextTheme();
    show();
  });
  show();
}

function addCopyButton(block: HTMLElement): void {
  const frame = document.createElement('div');
  frame.className = 'docs-code';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button-small';
  button.textContent = 'Copy';
  // Said aloud too: the button keeps the focus, and its name changes.
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(block.textContent.trimEnd())) ? 'Copied' : 'Select and copy it';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  });
  block.replaceWith(frame);
  frame.append(block, button);
}

/** The headings are open beside the text, and folded above it. */
function unfoldWhereRoom(list: HTMLDetailsElement): void {
  const isBeside = matchMedia('(min-width: 1101px)');
  const show = () => {
    list.open = isBeside.matches;
  };
  isBeside.addEventListener('change', show);
  show();
}

/** Below the head of the page: a heading that has come up to here is being read. */
const READ_FROM_PX = 120;

/** Marks the section that is read in the list of headings: that of the last heading above, from the start the first one. */
function markCurrent(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.docs-contents a')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  const headings = [...document.querySelectorAll('article :is(h2, h3)[id]')].filter(({ id }) =>
    links.has(id),
  );
  if (headings.length === 0) return;
  let marked: HTMLAnchorElement | undefined;
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < READ_FROM_PX);
    const link = links.get((read ?? headings[0])?.id ?? '');
    if (link === marked) return;
    marked?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    marked = link;
  };
  let isAsked = false;
  document.addEventListener(
    'scroll',
    () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}
