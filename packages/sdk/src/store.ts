/**
 * All that the SDK ever leaves in a browser. Closed until the visitor consents: then ids live in memory alone, and `keep` deletes.
 * `_ghl_vid` and `_ghl_sid` are `v1.<id>.<epoch, s>`, in a cookie (all hosts of the site) and in localStorage (this host); either
 * restores the other. `_ghl_consent` is a cookie alone: a copy per host would outlive a withdrawal on another host.
 */
import type { Consent } from './api.ts';
import { attempt, toJson } from './attempt.ts';
import { eraseCookie, readCookie, widestDomain, writeCookie } from './cookies.ts';

export const VISITOR = '_ghl_vid';
export const SESSION = '_ghl_sid';
const CONSENT = '_ghl_consent';
/** In localStorage. */
export const LANDING = '_ghl_landing';
/** In sessionStorage. */
export const QUEUE = '_ghl_queue';

export type Event = Record<string, unknown>;

export interface Store {
  isOpen: boolean;
  /** Of the cookies, known once the store is open. undefined: they don't work here. `''`: on this host alone. */
  domain?: string | undefined;
  memory: Record<string, string>;
}

export function openStore(store: Store, cookieDomain: string | undefined): void {
  store.isOpen = true;
  store.domain = widestDomain(cookieDomain);
}

/** Closes it and deletes all, also what an earlier page has left. */
export function eraseStore(store: Store): void {
  store.isOpen = false;
  store.memory = {};
  for (const name of [VISITOR, SESSION, CONSENT, LANDING, QUEUE]) {
    eraseCookie(name);
    keep(store, name, null);
  }
}

/** @returns of the first copy that is whole: an id, and when it was first (visitor) or last (session) seen: epoch, in seconds */
export function readStamp(store: Store, name: string): [id: string, time: number] {
  const copies = ` ${store.isOpen && `${readCookie(name)} ${kept(name)}`} ${store.memory[name]} `;
  const [, id = '', time = 0] = / v1\.([\da-f-]{1,36})\.(\d+) /.exec(copies) || [];
  return [id, +time];
}

export function writeStamp(store: Store, name: string, id: string, time: number): void {
  const value = `v1.${id}.${time}`;
  store.memory[name] = value;
  if (!store.isOpen) return;
  writeCookie(name, value, store.domain);
  keep(store, name, value);
}

const area = (name: string) => (name === QUEUE ? sessionStorage : localStorage);

/** @returns what `keep` has kept, unless another script has changed it; undefined where there is nothing */
export const kept = (name: string) => attempt(() => JSON.parse(area(name).getItem(name) as string));

/** Without personal data, which is sent but never stored. */
export function keep(store: Store, name: string, value: unknown): void {
  const text = toJson(value, (key, part) => (key === 'user_data' ? undefined : part));
  attempt(() => (store.isOpen && value ? area(name).setItem(name, text) : area(name).removeItem(name)));
}

/** @returns as it was granted on whichever page of the site, or null */
export function readConsent(): Consent | null {
  const consent = merged(attempt(() => JSON.parse(decodeURIComponent(readCookie(CONSENT)))));
  return consent.analytics ? consent : null;
}

/** Nothing but `true` is a yes: the page says what it likes, and a cookie may be any host's of the site. */
export function merged(told?: Partial<Consent>, before?: Consent | null): Consent {
  const all: Consent = { analytics: false, advertising: false, ...before, ...told };
  for (const purpose in all) all[purpose as keyof Consent] = all[purpose as keyof Consent] === true;
  return all;
}

export function writeConsent(store: Store, consent: Consent): void {
  writeCookie(CONSENT, encodeURIComponent(toJson(consent)), store.domain);
}
