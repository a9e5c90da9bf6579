/** How well an entry of the command palette fits what was typed. */
import { fold } from '../../format/fold.ts';

export interface Rankable {
  readonly text: string;
  /** Shown beside the text, and searched too. */
  readonly detail?: string;
  /** Where it is, shown beside the text and not searched: all of its siblings would be found. */
  readonly parent?: string;
  /** Searched and not shown: other words for the same thing. */
  readonly words?: string;
  /** The part of the text that has to be named: its siblings share the rest. */
  readonly subject?: string;
  /** Added to the score: what is meant more often comes first among equals. */
  readonly weight?: number;
}

const EXACT = 100;
const PREFIX = 80;
const WORD = 60;
const WITHIN = 40;
/** Of a word that is only in the detail, or in the other words. */
const BESIDE = 30;
/** Letters in order from the beginning of a word, with few gaps: `cnv` for `Conversions`. Lower the wider the gaps are. */
const SCATTERED = 20;
const MAX_WORDS = 8;

/** Null: it does not fit. @param text as typed, not empty */
export function scoreOf(
  { text, detail = '', words = '', subject, weight = 0 }: Rankable,
  typed: string,
): number | null {
  const wanted = fold(typed).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const name = fold(text);
  if (name === wanted.join(' ')) return EXACT + weight;
  if (subject !== undefined && !wanted.some((word) => fold(subject).includes(word))) return null;
  const beside = `${fold(detail)} ${fold(words)}`;
  let sum = 0;
  for (const word of wanted) {
    const score = scoreOfWord(name, beside, word);
    if (score === null) return null;
    sum += score;
  }
  return wanted.length === 0 ? null : sum / wanted.length + weight;
}

function scoreOfWord(name: string, beside: string, word: string): number | null {
  if (name.startsWith(word)) return PREFIX;
  if (startsAWord(name, word)) return WORD;
  if (name.includes(word)) return WITHIN;
  if (beside.includes(word)) return BESIDE;
  const gaps = gapsBetween(name, word);
  return gaps === null || gaps > word.length ? null : SCATTERED - gaps;
}

function startsAWord(name: string, word: string): boolean {
  return new RegExp(`[\\s/_.-]${word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`).test(name);
}

/** How many letters of the name lie between the letters of the word, from the first of them on; null: they are not there in this order. */
function gapsBetween(name: string, word: string): number | null {
  // Two letters in order are in any name.
  if (word.length < 3) return null;
  let at = startOf(name, word.charAt(0));
  if (at < 0) return null;
  let gaps = 0;
  for (const letter of word.slice(1)) {
    const next = name.indexOf(letter, at + 1);
    if (next < 0) return null;
    gaps += next - at - 1;
    at = next;
  }
  return gaps;
}

/** The first word that begins with a letter. */
const startOf = (name: string, letter: string): number =>
  name.split('').findIndex((one, at) => one === letter && (at === 0 || /[\s/_.-]/.test(name.charAt(at - 1))));

/** What fits, the best first; entries of one score stay in their order. */
export function ranked<T extends Rankable>(entries: readonly T[], typed: string, most: number): T[] {
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry, typed);
      return score === null ? [] : [{ entry, score }];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}
