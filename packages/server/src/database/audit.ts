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
