/**
 * Which hits lie in hours whose other requests were counted, one and all, by a log that has every request. Of these hours the AI share needs
 * no sample. What one log counts says nothing of another host, and whatever else reports that host in that hour saw the same visits.
 */
import { COUNTED_MS } from '@ghostlight/core';
import { HOUR_MS } from '@ghostlight/core/time';

/** `here`: the log of this hit counted the others. `elsewhere`: another log did. */
export type Covered = 'here' | 'elsewhere' | 'no';

/**
 * Numbers that are of one request, which its sender took for an AI visit, make no time counted.
 * The column, as SQL over `hits AS h`.
 * @param whose a condition on `c`, the counting rows: of which properties
 * @param within moments between which the hits lie, the ends outside; epoch milliseconds
 */
export function coveredBy(whose: string, within: readonly (readonly [from: number, to: number])[]): string {
  const times = within.map(
    ([from, to]) => `(c.at >= ${moment(hourOf(from))} AND c.at < ${moment(hourOf(to - 1) + HOUR_MS)})`,
  );
  const rows = `FROM hits AS c
    WHERE c.organization_id = {organization:UUID} AND ${whose} AND c.class = 'counted'
      AND NOT startsWith(c.ray_id, 'alone:') AND (${times.join(' OR ') || 'false'})`;
  const quarter = (of: string): string => `intDiv(toUnixTimestamp64Milli(${of}.at), ${COUNTED_MS})`;
  const hour = (of: string): string => `intDiv(toUnixTimestamp64Milli(${of}.at), ${HOUR_MS})`;
  const own = `(SELECT c.attribution_id, ${quarter('c')}, toString(c.source), toString(c.host) ${rows})`;
  const others = `(SELECT c.attribution_id, ${hour('c')}, toString(c.host) ${rows})`;
  // A log with more hosts than it can tell apart counts the rest under none.
  return `multiIf(
    (h.attribution_id, ${quarter('h')}, toString(h.source), toString(h.host)) IN ${own}
      OR (h.attribution_id, ${quarter('h')}, toString(h.source), '') IN ${own}, 'here',
    (h.attribution_id, ${hour('h')}, toString(h.host)) IN ${others}, 'elsewhere', 'no')`;
}

const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;
const moment = (at: number): string => `fromUnixTimestamp64Milli(${at})`;
