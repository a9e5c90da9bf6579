/** Who may have a name: what can be claimed at all, and what happens to it when it changes hands. */

import { ServiceError } from '../common/index.ts';
import type { Database, Row } from '../database/index.ts';
import { normalizeDomain } from '../properties/index.ts';
import { recordValue } from './challenge.ts';

/**
 * A name that changed hands: its record proves the new owner, and no longer the old one, who loses it.
 * @throws ServiceError `conflict` while it proves both
 */
export async function release(
  trx: Database['kysely'],
  { domain, attribution_id }: Row<'tracking_domains'>,
  records: readonly string[],
): Promise<void> {
  const holder = await trx
    .selectFrom('tracking_domains')
    .select(['attribution_id', 'token'])
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .where('attribution_id', '!=', attribution_id)
    .executeTakeFirst();
  if (holder === undefined) return;
  if (records.some((record) => record.includes(recordValue(holder.token))))
    throw new ServiceError(
      'conflict',
      'Another property serves this domain, and its TXT record is still there. Remove that record first.',
    );
  await trx
    .updateTable('tracking_domains')
    .set({
      verified_at: null,
      failing_since: null,
      error: 'Another property has proved ownership of this domain.',
    })
    .where('domain', '=', domain)
    .where('attribution_id', '=', holder.attribution_id)
    .execute();
}

/** @throws ServiceError `invalid` */
export function claimable(text: string, ownHosts: readonly string[]): string {
  const domain = normalizeDomain(text);
  const problem =
    domain === null || !domain.includes('.') || /^[0-9.]+$/.test(domain)
      ? 'Enter a host name, for example t.shop.example.'
      : ownHosts.includes(domain)
        ? 'This is the service’s own host.'
        : null;
  if (domain !== null && problem === null) return domain;
  throw new ServiceError('invalid', 'The domain can’t be a tracking domain.', {
    errors: [{ pointer: '/domain', message: problem ?? '' }],
  });
}
