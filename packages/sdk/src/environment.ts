/** What the browser is asked for: what every event says of it, a random name, and when the page shows another address. */
import { VERSION } from './version.ts';

/** Not after a `u`: Cubot makes phones. The service sees the user agent too and has the whole list. */
const BOT = /[^u]bot|crawl|spider|headless/i;

export const environment = (): Record<string, unknown> => ({
  lib: 'ghostlight-js',
  lib_version: VERSION,
  screen_resolution: `${screen.width}x${screen.height}`,
  viewport_resolution: `${innerWidth}x${innerHeight}`,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  browser_language: navigator.language,
  bot: navigator.webdriver || BOT.test(navigator.userAgent),
});

/**
 * A random UUID (version 4): the name that the browser gives an object, as the File API has it. Not `crypto.randomUUID`, which exists on https pages
 * alone, and half the size of one made of random bytes.
 */
export function uuid(): string {
  const url = URL.createObjectURL(new Blob());
  URL.revokeObjectURL(url);
  return url.slice(-36);
}

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
