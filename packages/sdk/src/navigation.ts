/** Tells when a page shows another address without being loaded: single-page applications, the back button, the back/forward cache. */

/** @param onChange `isReturn`: the page itself has come back from the cache, as it was left */
export function watchNavigation(onChange: (isReturn?: boolean) => void): void {
  for (const type of ['popstate', 'hashchange']) addEventListener(type, () => onChange());
  addEventListener('pageshow', (event) => event.persisted && onChange(true));
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (...change) {
      original.apply(this, change);
      onChange();
    };
  }
}
