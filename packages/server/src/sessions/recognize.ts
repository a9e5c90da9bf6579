/** Whose events a request brings, where a cookie of ours may know it better than the page. */
import type { BrowserEvent } from '@ghostlight/core';
import { RESET } from './accept.ts';
import type { TrackingDomains } from './ports.ts';
import { readMaster, type VisitorStamp } from './visitor-cookie.ts';

export interface Recognized {
  /** Of one of the request's events; null: the visitor may not, or can't, be identified. */
  visitorOf(event: BrowserEvent): string | null;
  /** What the cookie is to say from now on; null: no cookie. */
  readonly stamp: VisitorStamp | null;
}

/**
 * On a custom domain our cookie outlives the page's own, so it takes precedence over an id that the page has newly generated, unless the page says that this is
 * another person. Everywhere else, and where analytics is refused, the page alone says who it is.
 */
export function recognize(
  request: Request,
  events: readonly BrowserEvent[],
  domains: TrackingDomains,
  host: string,
  now: number,
): Recognized {
  const asTold = (event: BrowserEvent) => event.visitorId;
  if (domains.domainOf(host) === null || events.some(({ consent }) => consent?.analytics === false))
    return { visitorOf: asTold, stamp: null };
  const isReset = events.some(({ extra }) => extra[RESET] === true);
  const known = isReset ? null : readMaster(request.headers.get('cookie'));
  if (known !== null) return { visitorOf: () => known.visitorId, stamp: known };
  const told = events.findLast(({ visitorId }) => visitorId !== null)?.visitorId ?? null;
  return {
    visitorOf: asTold,
    stamp: told === null ? null : { visitorId: told, firstSeen: Math.floor(now / 1_000) },
  };
}
