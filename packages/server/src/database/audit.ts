/** Who changed what, and in which request: one row per change made by the management API, written in the change's own transaction. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { currentRequest } from '../common/index.ts';
import type { Tables } from './tables.ts';

/** Actions that change settings: an entry of these says what was before and after (`auditChange`). */
export const CHANGE_ACTIONS = [
  'alert_channel.updated',
  'alert_rules.updated',
  'destination.credentials_changed',
  'destination.updated',
  'event_settings.updated',
  'ingest_key.rotated',
  'ingest_key.set',
  'member.made_admin',
  'member.made_owner',
  'member.made_viewer',
  'member.access_all',
  'member.access_limited',
  'organization.quota_updated',
  'organization.renamed',
  'property.updated',
  'quota.updated',
  'report_mail.set',
  'retention.updated',
  'sitemap.configured',
  'webhook_key.updated',
  'webhook_shop.limited',
  'webhook_shop.secret_changed',
  'webhooks.disabled',
  'webhooks.enabled',
  'webhooks.updated',
] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

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
  /** What was changed, values before and after; `changesOf` makes them. Of no person but their role. */
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
/** Of a cut text, what is shown before the first difference. */
const TEXT_BEFORE = 50;
const MOST_CHANGES = 40;

/** A value that is compared and never shown: a secret, or an address that is encrypted at rest. */
class Hidden {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
  toJSON(): string {
    return 'hidden';
  }
}

/** For `changesOf`: the log says `set`, `replaced` or `removed`. @param value null or undefined: it is not set */
export const hidden = (value: unknown): unknown => new Hidden(value ?? null);

/** Members that differ. Lists are compared and shown as text; what one side does not have is null. */
export function changesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): AuditChange[] {
  const gone = Object.keys(before).filter((what) => !Object.hasOwn(after, what));
  return [...Object.keys(after), ...gone].flatMap((what) => {
    const [was, is] = [before[what], after[what]];
    if (was instanceof Hidden || is instanceof Hidden) return hiddenChange(what, was, is);
    const [from, to] = [shown(was), shown(is)];
    return from === to ? [] : [{ what, ...cut(from, to) }];
  });
}

function hiddenChange(what: string, was: unknown, is: unknown): AuditChange[] {
  const [from, to] = [was, is].map((one) => (one instanceof Hidden ? one.value : (one ?? null)));
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  return [{ what, before: null, after: from === null ? 'set' : to === null ? 'removed' : 'replaced' }];
}

/** Members of a part of the settings, by their names in the log: `config.pixel_id`. */
export const prefixed = (part: string, members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${part}.${name}`, value]));

function shown(value: unknown): Shown {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Texts that are too long are shown from shortly before the place where they differ: that is what the entry is read for. */
function cut(before: Shown, after: Shown): Pick<AuditChange, 'before' | 'after'> {
  const [one, other] = [String(before ?? ''), String(after ?? '')];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const part = (shown: Shown): Shown => {
    if (typeof shown !== 'string' || shown.length <= MOST_TEXT) return shown;
    const from = same < MOST_TEXT ? 0 : same - TEXT_BEFORE;
    const text = shown.slice(from, from + MOST_TEXT).toWellFormed();
    return `${from > 0 ? '…' : ''}${text}${from + MOST_TEXT < shown.length ? '…' : ''}`;
  };
  return { before: part(before), after: part(after) };
}

/** An entry of a change of settings. A change that leaves everything as it was has its entry too: a person saved. */
export async function auditChange(
  db: Kysely<Tables>,
  {
    before,
    after,
    ...entry
  }: Omit<Audit, 'changes' | 'action'> & {
    readonly action: ChangeAction;
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  await write(db, { ...entry, changes: changesOf(before, after) });
}

/** @param db the transaction in which the change is made: a change without its row can't be, nor a row without its change */
export async function audit<A extends string>(
  db: Kysely<Tables>,
  // A change of settings takes `auditChange`.
  change: Audit & { readonly action: A extends ChangeAction ? never : A },
): Promise<void> {
  await write(db, change);
}

async function write(db: Kysely<Tables>, change: Audit): Promise<void> {
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
