/**
 * How a key is presented at the ingest endpoints. Every wrong form is the same 401 outside; inside, its cause is named, and where a real
 * key can be seen through the mistake it is handed on as the candidate, so that the setup checker can tell its owner what is wrong.
 */
import { hasKeyForm, type KeyPrefix } from './format.ts';

/** Why a request was not let in. The first five are seen in the request itself, the last two in the database. */
export const KEY_CAUSES = [
  'missing',
  'bearer_prefix',
  'whitespace',
  'two_keys',
  'malformed',
  'unknown',
  'revoked',
] as const;
export type KeyCause = (typeof KEY_CAUSES)[number];

/** Where a request may carry its key. */
export interface KeyPlaces {
  /** The `X-API-Key` header, or the source's own, as Node gives it: a repeated one arrives joined, `a, b`. */
  readonly header: string | undefined;
  /** The decoded value of the query parameter that the source's senders use; see `queryKey`. */
  readonly query: string | undefined;
}

export type PresentedKey =
  | {
      readonly ok: true;
      readonly key: string;
      /** Once it was looked up: a request is asked about twice, before and after its body. */
      digest?: string;
    }
  | {
      readonly ok: false;
      readonly cause: Exclude<KeyCause, 'unknown' | 'revoked'>;
      /** A well-formed key inside the wrong form, never good for anything but naming whose mistake it is. */
      readonly candidate: string | null;
    };

/** Longer than any wrong form worth reading. */
const MAX_LENGTH = 512;
const BEARER = /^\s*(bearer|token|basic)(\s|%20|:|=|$)/i;
/** Blanks of any kind, quotes, and a blank that was encoded once too often. */
const STRAY = /[\s"'`\u00a0\u200b\ufeff“”‘’]|%(?:20|22|27|09|0a|0d)/gi;

export function presentedKey({ header, query }: KeyPlaces, prefix: KeyPrefix = 'svc_cf_'): PresentedKey {
  // Every hit passes here; what nearly all of them send needs no list.
  if (query === undefined && header !== undefined && hasKeyForm(prefix, header))
    return { ok: true, key: header };
  const present = [header, query].filter((text) => text !== undefined && text !== '');
  // A header sent twice, whose copies Node joins, is the same as two places; the same key in all of them is one key.
  const values = new Set(present.flatMap((text) => (text ?? '').split(/,\s*/)));
  const [value, second] = values;
  if (value === undefined) return { ok: false, cause: 'missing', candidate: null };
  if (second !== undefined) return { ok: false, cause: 'two_keys', candidate: null };
  if (hasKeyForm(prefix, value)) return { ok: true, key: value };
  if (value.length > MAX_LENGTH) return { ok: false, cause: 'malformed', candidate: null };

  const bearer = BEARER.exec(value);
  const bare = value.slice(bearer?.[0].length ?? 0).replace(STRAY, '');
  const candidate = hasKeyForm(prefix, bare) ? bare : null;
  if (bearer !== null) return { ok: false, cause: 'bearer_prefix', candidate };
  if (bare === '') return { ok: false, cause: 'missing', candidate: null };
  if (bare !== value) return { ok: false, cause: 'whitespace', candidate };
  return { ok: false, cause: 'malformed', candidate: null };
}

/**
 * The key of a query string (the part after `?`, undecoded); a parameter given twice is joined as Node joins headers.
 * @param parameter its name in lower case
 */
export function queryKey(query: string, parameter = 'header_x-api-key'): string | undefined {
  if (query === '') return undefined;
  const values = [...new URLSearchParams(query)]
    .filter(([name]) => name.toLowerCase() === parameter)
    .map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
