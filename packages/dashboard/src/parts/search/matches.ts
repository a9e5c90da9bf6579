/** What a search among options finds. */

export interface Option {
  readonly value: string;
  readonly text: string;
  /** Beside the text, and searched as well. */
  readonly detail?: string;
}

/** Nobody reads on beyond these; a letter more narrows them. */
const MOST = 100;

export interface Found<T extends Option> {
  readonly options: readonly T[];
  /** How many more there are. */
  readonly more: number;
}

/** Options that hold every word; those that begin with the words come first, else the order is kept. */
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

/** Case and accents make no difference to who searches. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
