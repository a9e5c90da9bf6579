/**
 * Who changes members, invitations or tokens must have the role for it when the change is written, not only when the request came: a removal that
 * goes on at the same time holds the organization's lock, and what waits for that lock comes after it.
 */

import { type Caller, includesRole, type Role, ServiceError } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { personActor } from './audit.ts';

type Queries = Database['kysely'];

const PERSON = personActor('');

/**
 * @param trx holds the organization's lock. The admin token has every role; an API token gets none of these routes
 * @throws ServiceError `forbidden`
 */
export async function assertCurrentRole(
  trx: Queries,
  actor: Caller['actor'],
  organizationId: string,
  asked: Role,
): Promise<void> {
  if (!actor.startsWith(PERSON)) return;
  const member = await trx
    .selectFrom('members')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', actor.slice(PERSON.length))
    .executeTakeFirst();
  if (member !== undefined && includesRole(member.role, asked)) return;
  throw new ServiceError('forbidden', 'Your role in this organization has changed. Reload the page.');
}
