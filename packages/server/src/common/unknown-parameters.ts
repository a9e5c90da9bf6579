/**
 * Parameters that a report does not have. A misspelt filter (`contry=DE`) would be answered with figures for the whole world, which the reader
 * takes for Germany's: that is refused, with the name that was meant. Any other name asks for nothing that a report could miss, and clients add
 * such names themselves (`_=1732…`, `utm_source`): it is passed over, and the answer names it.
 */
import { ServiceError } from './errors.ts';

const MAX_NAMED = 20;
const MAX_NAME = 64;
/** A client that asks for a file would take the JSON for it. */
const NO_FILE = 'This report has no file. Leave `format` out for JSON.';
/** A shorter name is too near to too many. */
const MIN_LENGTH = 3;

/** The names in a query. JSON is what a report without a file answers anyway: it is as if left out. */
export const givenParameters = (url: string): string[] =>
  [...new URL(url).searchParams].flatMap(([name, value]) =>
    name === 'format' && value === 'json' ? [] : [name],
  );

/** @returns the names that are passed over @throws ServiceError `invalid` for a misspelt one */
export function unknownParameters(given: Iterable<string>, known: readonly string[]): string[] {
  const unknown = [...new Set(given)].filter((name) => !known.includes(name));
  const errors = unknown.flatMap((name) => {
    if (name === 'format') return [{ pointer: '/format', message: NO_FILE }];
    // Some clients write a list so: `bot[]=GPTBot`.
    const meant = known.find((one) => isNear(name.toLowerCase().replace(/\[\d*\]$/, ''), one));
    return meant === undefined
      ? []
      : [{ pointer: `/${shortened(name)}`, message: `There is no such parameter. Did you mean ${meant}?` }];
  });
  const [first] = errors;
  if (first !== undefined)
    throw new ServiceError(
      'invalid',
      `The query has an error at ${first.pointer.slice(1)}: ${lower(first.message)}`,
      {
        errors: errors.slice(0, MAX_NAMED),
      },
    );
  return unknown.slice(0, MAX_NAMED).map(shortened);
}

const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
const shortened = (name: string): string => name.slice(0, MAX_NAME).toWellFormed();

/** One slip of the hand, two in a long name, another letter case, or the plural. */
function isNear(name: string, known: string): boolean {
  if (name === known) return true;
  if (name.length < MIN_LENGTH || known.length < MIN_LENGTH) return false;
  if (name === `${known}s` || name === `${known.replace(/y$/, 'ie')}s`) return true;
  const slips = known.length > 5 ? 2 : 1;
  return Math.abs(name.length - known.length) <= slips && distance(name, known) <= slips;
}

/** Letters to add, leave out, change, or swap with their neighbour. Both texts are short. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
