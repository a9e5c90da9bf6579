/** Numbers in sentences that people read. */

export type Noun = readonly [one: string, many: string];

/** `1,240`; estimates are rounded. */
export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** `1 visit`, `1,240 visits`. */
export const counted = (value: number, [one, many]: Noun): string =>
  `${count(value)} ${Math.round(value) === 1 ? one : many}`;

/** The beginning of a sentence: `The only visit`, `Both visits`, `All 12 visits`, `3 of 12 visits`. */
export function outOf(part: number, whole: number, [one, many]: Noun): string {
  const [some, all] = [Math.round(part), Math.round(whole)];
  if (some < all) return `${count(some)} of ${counted(all, [one, many])}`;
  return all === 1 ? `The only ${one}` : all === 2 ? `Both ${many}` : `All ${counted(all, [one, many])}`;
}

/** `25%`; what is neither nothing nor everything is not rounded to it. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 0 && share > 0) return 'less than 1%';
  return rounded === 100 && share < 1 ? 'more than 99%' : `${rounded}%`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `512 bytes`, `1.5 GiB`: as people compare disks and uploads. */
export function size(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}

/** A limit, as people compare it and as it is enforced: `1 MiB (1,048,576 bytes)`. In the largest unit of which it is a whole number. */
export function exactSize(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && value % 1024 === 0 && unit < UNITS.length - 1)
    [value, unit] = [value / 1024, unit + 1];
  const exact = `${count(bytes)} bytes`;
  return unit === 0 ? exact : `${count(value)} ${UNITS[unit]} (${exact})`;
}
