/** Once a day every verified domain has to prove itself again: names are sold, and their records go with them. */

import { DAY_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../common/index.ts';
import type { Database, Row } from '../database/index.ts';
import { challengeProblem, type TxtLookup } from './challenge.ts';

/** A record that is missing this long takes the domain out of service; a shorter gap may be a DNS move. */
const FAILING_GRACE_MS = 7 * DAY_MS;
const AT_A_TIME = 8;
const PAGE = 500;

export async function recheckAll(options: {
  database: Database;
  lookup: TxtLookup;
  clock: Clock;
  log: Log;
}): Promise<void> {
  const { database } = options;
  for (let after = ''; ; ) {
    const rows = await database.reader
      .selectFrom('tracking_domains')
      .selectAll()
      .where('verified_at', 'is not', null)
      .where('domain', '>', after)
      .orderBy('domain')
      .limit(PAGE)
      .execute();
    for (let next = 0; next < rows.length; next += AT_A_TIME)
      await Promise.all(rows.slice(next, next + AT_A_TIME).map((row) => recheck(options, row)));
    after = rows.at(-1)?.domain ?? '';
    if (rows.length < PAGE) return;
  }
}

async function recheck(
  { database, lookup, clock, log }: { database: Database; lookup: TxtLookup; clock: Clock; log: Log },
  row: Row<'tracking_domains'>,
): Promise<void> {
  const { problem } = await challengeProblem(lookup, row.domain, row.token);
  const at = clock();
  const since = problem === null ? null : failingSince(row, at);
  const over = since !== null && at - since >= FAILING_GRACE_MS;
  if (over) log.warn({ domain: row.domain }, 'a custom domain lost its proof and is served no longer');
  await database.kysely
    .updateTable('tracking_domains')
    .set({
      checked_at: at,
      error: problem,
      failing_since: over ? null : since,
      verified_at: over ? null : row.verified_at,
    })
    .where('domain', '=', row.domain)
    .where('attribution_id', '=', row.attribution_id)
    .where('organization_id', '=', row.organization_id)
    // A concurrent "verify" has newer data.
    .where('checked_at', 'is not distinct from', row.checked_at)
    .execute();
}

/** A verified domain whose record is gone has begun to fail; one that never was verified can't. */
export function failingSince(
  { verified_at, failing_since }: Pick<Row<'tracking_domains'>, 'verified_at' | 'failing_since'>,
  at: number,
): number | null {
  return verified_at === null ? null : (failing_since ?? at);
}
