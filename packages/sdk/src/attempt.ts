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
