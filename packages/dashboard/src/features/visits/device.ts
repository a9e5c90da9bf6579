/** The devices that a user agent names, the most particular first: an iPhone names "Mac OS X", too. */
const DEVICES: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'on an iPhone'],
  [/\biPad\b/, 'on an iPad'],
  [/\bAndroid\b/, 'on an Android device'],
  [/\bCrOS\b/, 'on a Chromebook'],
  [/\bMacintosh\b/, 'on a Mac'],
  [/\bWindows\b/, 'on a Windows computer'],
  [/\bLinux\b/, 'on a Linux computer'],
];

/** `on an iPhone`, as a part of a sentence; empty where it is not said. */
export const deviceOf = (userAgent: string): string =>
  DEVICES.find(([form]) => form.test(userAgent))?.[1] ?? '';
