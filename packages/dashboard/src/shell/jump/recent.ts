/** What was last opened from the command palette, in this browser, for one caller. Forgotten with the sign-out. */

export interface Recent {
  readonly text: string;
  readonly detail: string;
  /** A path of this site, with its search parameters. */
  readonly href: string;
  /** A name of the palette's kinds, which picks the icon. */
  readonly kind: string;
}

const KEY = 'ghostlight.recent';
const MOST = 5;
const MAX_TEXT = 300;

/** @param propertyId only its places and those outside of properties are listed */
export function recentPlaces(caller: string, propertyId: string | null): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return [];
    const { caller: owner, places } = kept as Record<string, unknown>;
    if (owner !== caller || !Array.isArray(places)) return [];
    return places
      .filter(isRecent)
      .filter(({ href }) => !href.startsWith('/p/') || href.startsWith(`/p/${propertyId}/`))
      .slice(0, MOST);
  } catch {
    return [];
  }
}

/** Puts a place first. */
export function rememberPlace(caller: string, place: Recent): void {
  try {
    const before = allPlaces(caller).filter(({ href }) => href !== place.href);
    const places = [place, ...before].slice(0, MOST * 4);
    localStorage.setItem(KEY, JSON.stringify({ caller, places }));
  } catch {
    // Without storage nothing is remembered.
  }
}

export function forgetPlaces(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was remembered.
  }
}

function allPlaces(caller: string): Recent[] {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as {
    caller?: unknown;
    places?: unknown;
  } | null;
  return kept?.caller === caller && Array.isArray(kept.places) ? kept.places.filter(isRecent) : [];
}

/** What another version, or a person, left in the storage may be anything. */
function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null) return false;
  const { text, detail, href, kind } = value as Record<string, unknown>;
  const isText = (one: unknown) => typeof one === 'string' && one.length <= MAX_TEXT;
  // Only a path on this site: `//elsewhere` would leave it.
  return isText(text) && isText(detail) && isText(kind) && isText(href) && /^\/(?![/\\])/.test(String(href));
}
