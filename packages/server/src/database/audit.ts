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
  /** What was changed, values before and after; `changesOf` makes them. Never of a secret, and of no person but their role. */
  readonly changes?: readonly AuditChange[];
}

type Shown = string | number | boolean | null;

export interface AuditChange {
  /** A member of the API: `time_zone`, `new_bot.threshold`. */
  readonly what: string;
  readonly before: Shown;
  readonly after: Shown;
}

/** Beyond this a text is cut, and beyond that many members are left out: a row stays small. */
const MOST_TEXT = 200;
const MOST_CHANGES = 40;

/** Members of both that differ. Lists are compared and shown as text. */
export function changesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): AuditChange[] {
  return Object.keys(after).flatMap((what) => {
    const [from, to] = [shown(before[what]), shown(after[what])];
    return from === to ? [] : [{ what, before: from, after: to }];
  });
}

function shown(value: unknown): Shown {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT).toWellFormed()}…` : text;
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
      changes:
        change.changes === undefined || change.changes.length === 0
          ? null
          : JSON.stringify(change.changes.slice(0, MOST_CHANGES)),
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
