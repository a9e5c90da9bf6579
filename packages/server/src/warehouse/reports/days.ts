/**
 * Days of a property over its raw hits. When a day begins is said in moments that this service computed; the engine is never asked for a time
 * zone, so that its tables and ours can't tell two stories of one day, and a day is a comparison and a division of numbers.
 */
import { DAY_MS } from '@ghostlight/core/time';

/** When a day begins: epoch milliseconds, of days counted from 1970-01-01. It ends where the next begins. */
export type StartOf = (day: number) => number;

const moment = (at: number): string => `fromUnixTimestamp64Milli(${at})`;

/** Days as stretches of the sorting key: a late day far back must not make the engine read all that lies between. */
export function stretches(days: readonly number[], startOf: StartOf): string {
  const ends = spansOf(days, startOf);
  if (ends.length === 0) return 'false';
  return ends.map(([from, to]) => `(h.at >= ${moment(from)} AND h.at < ${moment(to)})`).join(' OR ');
}

/** Between which moments days lie, those of neighbours in one; epoch milliseconds, the ends outside. */
export function spansOf(days: readonly number[], startOf: StartOf): [from: number, to: number][] {
  const ends: [number, number][] = [];
  for (const day of days) {
    const [from, to] = [startOf(day), startOf(day + 1)];
    const last = ends.at(-1);
    if (last !== undefined && last[1] === from) last[1] = to;
    else ends.push([from, to]);
  }
  return ends;
}

/** The day of a hit that lies in one of some days, ascending, as a `Date`. Days of 24 hours are one division, however many they are. */
export function dayOfHit(days: readonly number[], startOf: StartOf): string {
  const rows: { readonly day: number; readonly from: number; to: number; days: number }[] = [];
  for (const day of days) {
    const [from, to] = [startOf(day), startOf(day + 1)];
    const row = rows.at(-1);
    const isInRow =
      row !== undefined &&
      from - row.from === (day - row.day) * DAY_MS &&
      // The last hour of a long day would be counted as the next.
      Math.max(to - from, row.days === 1 ? row.to - row.from : 0) <= DAY_MS;
    if (!isInRow) rows.push({ day, from, to, days: 1 });
    else {
      row.to = to;
      row.days += 1;
    }
  }
  const numbers = rows.map((row) =>
    row.days === 1
      ? `${row.day}`
      : `${row.day} + intDiv(toUnixTimestamp64Milli(h.at) - ${row.from}, ${DAY_MS})`,
  );
  const last = numbers.pop() ?? '0';
  const others = numbers.map((number, index) => `h.at < ${moment(rows[index]?.to ?? 0)}, ${number}`);
  return `toDate(toUInt16(${others.length === 0 ? last : `multiIf(${[...others, last].join(', ')})`}))`;
}
