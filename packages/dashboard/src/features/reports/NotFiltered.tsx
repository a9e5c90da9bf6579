import { FILTER_WORDS, type FilterName } from './search.ts';

/** Says in one short sentence which of the chosen filters a panel does not follow. */
export function NotFiltered({ by }: { by: readonly FilterName[] | undefined }) {
  return by === undefined || by.length === 0 ? null : <p className="quiet">{notFilteredText(by)}</p>;
}

/** `Not filtered by bot or path.` */
export function notFilteredText(by: readonly FilterName[]): string {
  const words = [...new Set(by.map((name) => FILTER_WORDS[name]))];
  return `Not filtered by ${[...words.slice(0, -2), words.slice(-2).join(' or ')].join(', ')}.`;
}
