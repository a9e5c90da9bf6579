/** The name of a browser and its system, from a user agent. For the list of sessions, not for decisions. */

/** The first match counts: each of these user agents contains the names of those after it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox on Windows`; or the known part, or `Unknown browser`. */
export function browserName(userAgent: string | null): string {
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return system === undefined ? 'Unknown browser' : `A browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
