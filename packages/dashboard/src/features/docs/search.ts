/** The search in the documentation: the same in the docs and in the command palette. */
import { fold } from '../../format/fold.ts';

/** A section of a page, as `/docs/search.json` has it. */
export interface DocSection {
  /** Below `/docs/`. */
  readonly path: string;
  /** Of the page. */
  readonly title: string;
  /** Empty for the head of the page. */
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

export interface DocHit {
  readonly href: string;
  readonly heading: string;
  /** Of the page; empty when the section is its head. */
  readonly page: string;
  /** The words around the first match. */
  readonly snippet: string;
}

/** Where a word is found counts, in this order. */
const WEIGHTS = { heading: 60, headingStart: 30, whole: 80, title: 25, text: 6, glossary: 20 } as const;
const MAX_WORDS = 8;
const SNIPPET = 110;

/** Sections that contain every word, the best first. @param text as typed */
export function searchDocs(sections: readonly DocSection[], text: string, most: number): DocHit[] {
  const words = fold(text.replaceAll("'", '’')).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const whole = words.join(' ');
  const found = sections.flatMap((section) => {
    const heading = fold(section.heading);
    const [title, body] = [fold(section.title), fold(section.text)];
    let score = 0;
    for (const word of words) {
      const one =
        (heading.includes(word) ? WEIGHTS.heading : 0) +
        (startsAWord(heading, word) ? WEIGHTS.headingStart : 0) +
        (title.includes(word) ? WEIGHTS.title : 0) +
        (body.includes(word) ? WEIGHTS.text : 0);
      if (one === 0) return [];
      score += one;
    }
    if (heading === whole) score += WEIGHTS.whole;
    if (section.path === 'glossary') score += WEIGHTS.glossary;
    return [{ section, score }];
  });
  return found
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section: { path, anchor, heading, title, text: body } }) => ({
      href: `/docs/${path}${anchor === '' ? '' : `#${anchor}`}`,
      heading: named(path, heading),
      page: anchor === '' ? '' : named(path, title),
      snippet: around(body, words[0] ?? ''),
    }));
}

/** `Decision 3: …`: outside of their list, the number alone does not tell what it is. */
const named = (path: string, heading: string): string =>
  path.startsWith('decisions/') ? heading.replace(/^(\d+)\. /, 'Decision $1: ') : heading;

function startsAWord(text: string, word: string): boolean {
  return text.startsWith(word) || text.includes(` ${word}`);
}

function around(text: string, word: string): string {
  const at = Math.max(0, fold(text).indexOf(word));
  const from = at < SNIPPET / 3 ? 0 : text.indexOf(' ', at - SNIPPET / 3) + 1;
  const cut = text.slice(from, from + SNIPPET);
  return `${from > 0 ? '… ' : ''}${cut}${from + SNIPPET < text.length ? ' …' : ''}`;
}

let loading: Promise<readonly DocSection[]> | null = null;

/** The index, loaded once; a failed load is tried again by the next call. */
export function loadDocs(): Promise<readonly DocSection[]> {
  loading ??= fetch('/docs/search.json')
    .then((answer) => (answer.ok ? (answer.json() as Promise<DocSection[]>) : []))
    .catch(() => {
      loading = null;
      return [];
    });
  return loading;
}
