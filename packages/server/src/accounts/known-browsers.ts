/**
 * A browser that signed in once carries a mark of it, so that attackers who guess at its owner's password can't lock that browser out: it has a
 * bucket of its own (the device cookie of OWASP's authentication cheat sheet). The mark opens nothing; it is worth a few more guesses.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const KNOWN_BROWSER_COOKIE = 'ghostlight_browser';
/** The longest that browsers keep a cookie. */
export const KNOWN_BROWSER_S = 400 * 86_400;
/** People who share one browser. The one who signed in longest ago gives way. */
const MAX_PEOPLE = 5;
const NONCE_BYTES = 16;
/** Of the digest in base64url: 128 bits. */
const MARK_LENGTH = 22;

export interface KnownBrowsers {
  /** @returns the name of the browser's own bucket when this person has signed in with it; null when not, or when the cookie is not ours */
  recognize(cookie: string | undefined, personId: string): string | null;
  /** @returns the cookie's next value: it recognises this person too */
  remember(cookie: string | undefined, personId: string): string;
}

/** @param key changes with ADMIN_TOKEN, as the sessions do */
export function createKnownBrowsers(key: Buffer): KnownBrowsers {
  const markOf = (nonce: string, personId: string) =>
    createHmac('sha256', key)
      .update(`known browser\n${nonce}\n${personId}`)
      .digest('base64url')
      .slice(0, MARK_LENGTH);

  return {
    recognize(cookie, personId) {
      const { nonce, marks } = read(cookie);
      const expected = Buffer.from(markOf(nonce, personId));
      return marks.some((mark) => timingSafeEqual(Buffer.from(mark), expected))
        ? `${nonce}:${personId}`
        : null;
    },
    remember(cookie, personId) {
      const before = read(cookie);
      const nonce = before.nonce === '' ? randomBytes(NONCE_BYTES).toString('base64url') : before.nonce;
      const mark = markOf(nonce, personId);
      const marks = [mark, ...before.marks.filter((other) => other !== mark)].slice(0, MAX_PEOPLE);
      return [nonce, ...marks].join('.');
    },
  };
}

/** A value that is not of our form is that of an unknown browser. */
function read(cookie = ''): { nonce: string; marks: readonly string[] } {
  const [nonce = '', ...marks] = cookie.split('.');
  const isOurs = [nonce, ...marks].every((part) => /^[\w-]{22}$/.test(part)) && marks.length <= MAX_PEOPLE;
  return isOurs ? { nonce, marks } : { nonce: '', marks: [] };
}
