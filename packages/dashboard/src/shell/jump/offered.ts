/** What the command palette lists, in groups that keep their order while answers arrive: those of the service and the docs come below. */
import type { Entry } from './entries.tsx';
import { KINDS, type Kind } from './kinds.tsx';
import { ranked } from './rank.ts';

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Of each part: what is known here, and what is found there. */
const MOST = 20;

/** Without a text: what was open last, commands, the pages in the order of the rail, then their parts, and other properties. */
export function offeredAtFirst(recent: readonly Entry[], entries: readonly Entry[]): Group[] {
  const seen = new Set(recent.map(({ href }) => href));
  const others = entries.filter(({ href, isRare }) => isRare !== true && !seen.has(href ?? ''));
  const of = (kind: Kind) => others.filter((entry) => entry.kind === kind);
  const pages = of('page');
  const isWhole = ({ parent }: Entry) => parent === undefined;
  return [
    { title: 'Recent', entries: recent },
    // The pages are in the rail already.
    { title: KINDS.action.title, entries: of('action') },
    {
      title: KINDS.page.title,
      entries: [...pages.filter(isWhole), ...pages.filter((page) => !isWhole(page))],
    },
    { title: KINDS.property.title, entries: of('property') },
  ].filter(({ entries: some }) => some.length > 0);
}

/**
 * What fits a text, each kind once. Kinds that are known here are ordered by their best entry; kinds that are found later are appended, so
 * that nothing moves under the pointer, and the documentation is last: what can be done comes before what can be read.
 */
export function offeredFor(text: string, known: readonly Entry[], found: readonly Entry[]): Group[] {
  const values = new Set(known.map(({ value }) => value));
  const here = ranked(known, text, MOST);
  const there = ranked(
    found.filter(({ value }) => !values.has(value)),
    text,
    MOST,
  );
  const all = [...here, ...there];
  return grouped(all, [...kindsIn(all).filter((kind) => kind !== 'docs'), 'docs']);
}

const kindsIn = (entries: readonly Entry[]): Kind[] => [...new Set(entries.map(({ kind }) => kind))];

function grouped(entries: readonly Entry[], kinds: readonly Kind[]): Group[] {
  return kinds
    .map((kind) => ({ title: KINDS[kind].title, entries: entries.filter((entry) => entry.kind === kind) }))
    .filter(({ entries: some }) => some.length > 0);
}

/** A text in pieces, of which some are what was typed. Its letters are compared without case. */
export function piecesOf(
  text: string,
  typed: string,
): { readonly text: string; readonly isMatch: boolean }[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const low = text.toLowerCase();
  const marked = new Array<boolean>(text.length).fill(false);
  for (const word of words) {
    const at = low.indexOf(word);
    if (at >= 0 && low.length === text.length) marked.fill(true, at, at + word.length);
  }
  const pieces: { text: string; isMatch: boolean }[] = [];
  for (const [index, isMatch] of marked.entries()) {
    const last = pieces.at(-1);
    if (last !== undefined && last.isMatch === isMatch) last.text += text.charAt(index);
    else pieces.push({ text: text.charAt(index), isMatch });
  }
  return pieces;
}
