/** One Markdown file as HTML. HTML inside the Markdown is shown as text: nothing of the documentation can run. */
import highlighter from 'highlight.js/lib/common';
import nginx from 'highlight.js/lib/languages/nginx';
import MarkdownIt, { type Token } from 'markdown-it';

export interface Section {
  /** The id of its heading; empty for what is above the first one below the title. */
  readonly anchor: string;
  readonly heading: string;
  /** 1 for the title. */
  readonly depth: number;
  /** What it says, without any markup. */
  readonly text: string;
}

export interface Rendered {
  readonly title: string;
  /** Its first sentence. */
  readonly about: string;
  readonly html: string;
  /** In the order of the page. */
  readonly sections: readonly Section[];
}

/** Where a link leads. */
export interface Target {
  readonly href: string;
  /** The title of the page there; undefined: no page of the documentation. */
  readonly title?: string;
}

/** @param target of a link or an image, as the file has it @returns null: it leads nowhere here, so it is shown as text */
export type LinkOf = (target: string) => Target | null;

/** Characters: as wide as a column of a phone's table can be. */
const SHORT_CODE = 12;

highlighter.registerLanguage('nginx', nginx);
// Straight quotes and apostrophes of the files are shown as a book prints them; code keeps its own. Nothing else is replaced: `--` may be an option.
const markdown = new MarkdownIt({ html: false, typographer: true }).disable('replacements');
const { rules } = markdown.renderer;
// A wide table or block scrolls by itself, with the keyboard too.
rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
rules['table_close'] = () => '</table></div>\n';
rules['fence'] = (tokens, index) => `<pre tabindex="0"><code>${highlighted(tokens[index])}</code></pre>\n`;
// A long name may break between its words: `CLICKHOUSE_` and `CLUSTER`. A short one never breaks.
rules['code_inline'] = (tokens, index) => {
  const code = tokens[index]?.content ?? '';
  return code.length <= SHORT_CODE
    ? `<code class="short">${escapeHtml(code)}</code>`
    : `<code>${escapeHtml(code).replaceAll('_', '_<wbr>')}</code>`;
};
rules['heading_close'] = (tokens, index) => {
  const id = attributeOf(tokens[index - 2], 'id');
  const tag = tokens[index]?.tag ?? 'h2';
  const anchor = `<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to this section">#</a>`;
  return `${tag === 'h1' ? '' : ` ${anchor}`}</${tag}>\n`;
};

export function renderMarkdown(source: string, linkOf: LinkOf): Rendered {
  const tokens = markdown.parse(source, {});
  const slugs = createSlugs();
  const sections: { anchor: string; heading: string; depth: number; text: string[] }[] = [];
  for (const [index, token] of tokens.entries()) {
    // The policy of the service allows no inline styles; a column's alignment is one.
    const style = attributeOf(token, 'style');
    if (style !== '') token.attrs = [['class', style.replace('text-align:', '')]];
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[index + 1]);
      const id = slugs(heading);
      token.attrSet('id', id);
      const depth = Number(token.tag.slice(1));
      sections.push({ anchor: depth === 1 ? '' : id, heading, depth, text: [] });
    } else if (token.type === 'inline') {
      relink(token.children ?? [], linkOf);
      if (tokens[index - 1]?.type !== 'heading_open') sections.at(-1)?.text.push(textOf(token));
    } else if (token.type === 'fence') sections.at(-1)?.text.push(token.content);
  }
  return {
    title: sections[0]?.heading ?? '',
    about: firstSentence(textOf(tokens.find((_, index) => tokens[index - 1]?.type === 'paragraph_open'))),
    html: markdown.renderer.render(tokens, markdown.options, {}),
    sections: sections.map(({ text, ...section }) => ({
      ...section,
      text: text.join(' ').replaceAll(/\s+/g, ' ').trim(),
    })),
  };
}

/** A block of code as HTML, its words in classes: the policy of the service allows no inline styles. */
function highlighted({ content, info }: Pick<Token, 'content' | 'info'> = { content: '', info: '' }): string {
  if (highlighter.getLanguage(info) === undefined) return escapeHtml(content);
  return highlighter.highlight(content, { language: info }).value;
}

function textOf(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('');
}

function firstSentence(paragraph: string): string {
  return (/^.+?[.:](?= |$)/.exec(paragraph)?.[0] ?? paragraph).replace(/:$/, '.');
}

/** A link's text that only repeats the name of a file, as in the repository. */
const FILE_NAME = /^[\w./-]+\.md$/;

/**
 * Points links at the pages of this documentation. One that leads to no page becomes plain text, and one whose text is the name of a file gets
 * the title of the page.
 */
function relink(children: Token[], linkOf: LinkOf): void {
  const closing: string[] = [];
  for (const [index, token] of children.entries()) {
    if (token.type === 'link_open') {
      const target = linkOf(attributeOf(token, 'href'));
      token.tag = target === null ? 'span' : 'a';
      token.attrs = target === null ? [] : [['href', target.href]];
      if (target !== null && /^https?:/.test(target.href)) token.attrSet('rel', 'noopener noreferrer');
      const text = children[index + 1];
      if (target?.title !== undefined && text !== undefined && FILE_NAME.test(text.content))
        text.content = target.title;
      closing.push(token.tag);
    } else if (token.type === 'link_close') token.tag = closing.pop() ?? 'a';
    else if (token.type === 'image') token.attrSet('src', linkOf(attributeOf(token, 'src'))?.href ?? '');
  }
}

/** Ids of headings as code hosts make them, so that a link works in both places. A repeated one gets a number. */
function createSlugs(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

const attributeOf = (token: Token | undefined, name: string): string => String(token?.attrGet(name) ?? '');

export function escapeHtml(text: string): string {
  return markdown.utils.escapeHtml(text);
}
