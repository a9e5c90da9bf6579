/** What a user agent says of a browser, its system and its device. To be shown, not for decisions. */

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
/** Systems, each with the device that it runs on. An iPhone names "Mac OS X", too. */
const SYSTEMS: readonly (readonly [pattern: RegExp, system: string, device: string])[] = [
  [/\biPhone\b/, 'iPhone', 'an iPhone'],
  [/\biPad\b/, 'iPad', 'an iPad'],
  [/\bAndroid\b/, 'Android', 'an Android device'],
  [/\bCrOS\b/, 'ChromeOS', 'a Chromebook'],
  [/\bWindows\b/, 'Windows', 'a Windows computer'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS', 'a Mac'],
  [/\bLinux\b/, 'Linux', 'a Linux computer'],
];

/** `Firefox on Windows`; or the known part, or `Unknown browser`. */
export function browserName(userAgent: string | null): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const system = systemOf(userAgent ?? '')?.[1];
  if (browser === undefined) return system === undefined ? 'Unknown browser' : `A browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}

const systemOf = (userAgent: string) => SYSTEMS.find(([pattern]) => pattern.test(userAgent));

/** `on an iPhone`, as a part of a sentence; empty where it is not said. */
export function deviceOf(userAgent: string): string {
  const device = systemOf(userAgent)?.[2];
  return device === undefined ? '' : `on ${device}`;
}
