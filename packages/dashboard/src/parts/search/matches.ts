/** Search among options. */
import { fold } from '../../format/fold.ts';

export interface Option {
  readonly value: string;
  readonly text: string;
  /** Shown beside the text, and searched too. */
  readonly detail?: string;
}

/** The most results; further letters narrow them. */
const MOST = 100;

export interface Found<T extends Option> {
  readonly options: readonly T[];
  /** The number of further matches. */
  readonly more: number;
}

/** Options that contain every word; prefix matches first, otherwise in order. */
export function matches<T extends Option>(options: readonly T[], text: string): Found<T> {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const whole = words.join(' ');
  const found = options.filter(({ text: name, detail = '' }) => {
    const folded = fold(`${name} ${detail}`);
    return words.every((word) => folded.includes(word));
  });
  const first = found.filter(({ text: name }) => fold(name).startsWith(whole));
  const ordered = whole === '' ? found : [...first, ...found.filter((option) => !first.includes(option))];
  return { options: ordered.slice(0, MOST), more: Math.max(0, ordered.length - MOST) };
}
