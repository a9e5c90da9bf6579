/** Requests that the zone makes of itself. */

/**
 * Whether a Worker of the visited zone made this request: then the visit that it serves is counted already. The edge sets `CF-Worker`
 * to the zone of the Worker that asks; who forges it only stays uncounted, as with a browser's user agent. Another zone's Worker is a
 * visitor like any other.
 */
export function isOwnSubrequest(headers: Headers, hostname: string): boolean {
  const zone = headers.get('CF-Worker')?.toLowerCase();
  return zone !== undefined && zone !== '' && (hostname === zone || hostname.endsWith(`.${zone}`));
}
