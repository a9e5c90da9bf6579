/**
 * Whatever a browser, a blocker or the page itself has taken away or made to throw (storage in a sandboxed frame, cookies, beacons), the
 * page must not notice: each such access goes through here.
 */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/**
 * JSON, also where Prototype.js before 1.7 has given arrays a `toJSON` that writes them as quoted text: no event would be one. What it added is
 * there again afterwards. undefined for what has no JSON.
 */
export function toJson(value: unknown, replacer?: (key: string, part: unknown) => unknown): string {
  const prototype: { toJSON?: unknown } = Array.prototype as object;
  const theirs = prototype.toJSON;
  delete prototype.toJSON;
  const text = attempt(() => JSON.stringify(value, replacer));
  if (theirs) prototype.toJSON = theirs;
  return text as string;
}
