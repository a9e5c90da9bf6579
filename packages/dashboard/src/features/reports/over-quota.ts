/** Days whose figures are too low, since visits were dropped over the quota: the page, its charts and their files say so alike. */
import { dayLabel } from '../../format/time.ts';

const MOST_NAMED = 3;

/** A sentence with a space behind it; empty: there are no such days. @param days `YYYY-MM-DD`, ascending */
export function overQuotaSentence(days: readonly string[]): string {
  if (days.length === 0) return '';
  const named = days.map((day) => dayLabel(day));
  const text = [...named.slice(0, -2), named.slice(-2).join(' and ')].join(', ');
  return `The quota was reached on ${days.length > MOST_NAMED ? `${days.length} days` : text}: visits dropped after that are missing from the figures. `;
}
