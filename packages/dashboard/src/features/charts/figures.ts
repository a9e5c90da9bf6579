/** Counts as charts write them. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `≈ 12,431`: part of a figure stands on samples. In every place alike. */
export const signed = (text: string, estimated = 0): string => (estimated > 0 ? `≈\u00a0${text}` : text);

/** `12,431`. */
export const countOf = (value: number): string => WHOLE.format(value);

/** `12.4K`. */
export const shortCount = (value: number): string => SHORT.format(value);
