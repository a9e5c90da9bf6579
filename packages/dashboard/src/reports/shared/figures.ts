/** Figures as people read them. An estimate says so by its sign, in every place alike. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const FINE_PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });
const CHANGE = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
/** Beyond ten times, a percentage says less than a factor. */
const FACTOR_FROM = 9.995;

/** `1,204`; `≈ 1,204` where part of it is estimated. */
export function countText(hits: number, estimated = 0): string {
  return `${estimated > 0 ? '≈ ' : ''}${WHOLE.format(hits)}`;
}

/** `12.4K`. */
export const shortCount = (value: number): string => SHORT.format(value);

/** `12.3 %`; small shares keep two digits that count. */
export function shareText(share: number): string {
  return (Math.abs(share) < 0.01 && share !== 0 ? FINE_PERCENT : PERCENT).format(share).replace('%', ' %');
}

/** `+23 %`, `× 14`; null: there is nothing to compare with. */
export function changeText(change: number | null): string | null {
  if (change === null) return null;
  return change >= FACTOR_FROM ? `× ${SHORT.format(change + 1)}` : CHANGE.format(change).replace('%', ' %');
}

/** `1.4 MB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 }).format(value)} ${units[power]}`;
}
