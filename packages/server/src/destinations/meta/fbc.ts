/** `fbc`: the click on an ad as Meta's own pixel would write it. */
import { CLOCK_SKEW_MS } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import type { MatchContext } from '../port.ts';

/** Meta forgets clicks after that. */
const MAX_AGE_MS = 90 * DAY_MS;
const COOKIE = /^fb\.\d{1,2}\.(\d{10,13})\.([\w.~-]{1,500})$/;

/**
 * The pixel's cookie where it tells of the same click as the landing page did, else `fb.1.<landing ms>.<fbclid>`. A click is never given
 * another date than its own: Meta would count it for the wrong ad.
 *
 * @param at when the conversion happened
 */
export function fbcOf({ clickIds, browserIds }: MatchContext, at: number): string | null {
  const cookie = COOKIE.exec(browserIds['_fbc'] ?? '');
  const click = clickIds['fbclid'];
  if (click === undefined) return cookie !== null && isInTime(Number(cookie[1]), at) ? cookie[0] : null;
  const isSame = cookie?.[2] === click.value || cookie?.[2]?.startsWith(`${click.value}.`) === true;
  const since = isSame ? Number(cookie?.[1]) : click.at;
  if (!isInTime(since, at)) return null;
  return isSame && cookie !== null ? cookie[0] : `fb.1.${click.at}.${click.value}`;
}

/** Old cookies are in seconds, ours and the newer ones in milliseconds. */
function isInTime(clicked: number, at: number): boolean {
  const clickedAt = clicked < 1e11 ? clicked * 1000 : clicked;
  return clickedAt <= at + CLOCK_SKEW_MS && at - clickedAt <= MAX_AGE_MS;
}
