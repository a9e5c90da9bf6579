/** Who changed what, and in which request: one row per change made by the management API, written in the change's own transaction. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { currentRequest } from '../common/index.ts';
import type { Tables } from './tables.ts';

export interface Audit {
  /** Epoch milliseconds. */
  readonly at: number;
  /** `Caller.actor`; never a secret. */
  readonly actor: string;
  /** `property.created`, `ingest_key.revoked`, … */
  readonly action: string;
  /** The id of what was changed. */
  readonly subject: string;
  /** null: a change of the installation itself. */
  readonly organizationId: string | null;
}

/** @param db the transaction in which the change is made: a change without its row can't be, nor a row without its change */
export async function audit(db: Kysely<Tables>, change: Audit): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      id: randomUUID(),
      organization_id: change.organizationId,
      at: change.at,
      actor: change.actor,
      action: change.action,
      subject: change.subject,
      request_id: currentRequest()?.requestId ?? null,
    })
    .execute();
}

/**
 * For changes that count the rows of an organization before they add one: until the end of the transaction they go one after the other, so
 * that the second sees what the first has done. An update that changes nothing locks the row on PostgreSQL; SQLite has one writer anyway.
 */
export async function lockOrganization(trx: Kysely<Tables>, organizationId: string): Promise<void> {
  await trx
    .updateTable('organizations')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', organizationId)
    .execute();
}
