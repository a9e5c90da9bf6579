/** The audit log: changes that concern a person, and how it is read. */
import { sql } from 'kysely';
import type { Scope } from '../common/index.ts';
import {
  type AuditChange,
  audit,
  type Database,
  newestFirst,
  type Page,
  type PageQuery,
} from '../database/index.ts';

type Queries = Database['kysely'];

export const personActor = (personId: string): string => `person:${personId}`;
export const tokenActor = (tokenId: string): string => `token:${tokenId}`;

/** A change of a person's own account is in the log of each of their organizations, whose owners are responsible for access. */
export async function auditPerson(
  trx: Queries,
  personId: string,
  change: { at: number; actor: string; action: string; subject: string },
): Promise<void> {
  const rows = await trx
    .selectFrom('members')
    .select('organization_id')
    .where('person_id', '=', personId)
    .orderBy('organization_id')
    .execute();
  const organizations = rows.length === 0 ? [null] : rows.map((row) => row.organization_id);
  for (const organizationId of organizations) await audit(trx, { ...change, organizationId });
}

export interface AuditEntry {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: string;
  /** The person's or token's name; null for the admin token, and for deleted people and tokens. */
  readonly actorName: string | null;
  readonly action: string;
  readonly subject: string;
  /** What it is about, by name: a destination, an alert channel, a webhook key, a share link or a custom bot; null for everything else. */
  readonly subjectName: string | null;
  /** The `X-Request-Id` of the request that made the change; null: a job did, or a version that kept none. */
  readonly requestId: string | null;
  readonly changes: readonly AuditChange[];
}

export interface AuditQuery extends PageQuery {
  /** One of them, or a kind: `root`, `person`, `token`. */
  readonly actor?: string | undefined;
  /** The beginning of the action's name. */
  readonly action?: string | undefined;
  /** Epoch milliseconds: not before, and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Newest first. @throws ServiceError `invalid` for a cursor that is none of this list */
export async function readAudit(
  db: Database,
  scope: Scope,
  { actor, action, from, to, ...page }: AuditQuery,
): Promise<Page<AuditEntry>> {
  let query = db.reader
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor', 'action', 'subject', 'request_id as requestId', 'changes']);
  if (scope.kind === 'organization') query = query.where('organization_id', '=', scope.id);
  if (actor !== undefined)
    query = query.where(({ eb, or }) => or([eb('actor', '=', actor), beginsWith('actor', `${actor}:`)]));
  if (action !== undefined) query = query.where(beginsWith('action', action));
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  const { items, next } = await newestFirst(
    query,
    {
      at: sql<number>`at`,
      id: sql<string>`id`,
      ties: 'desc',
      idForm: '[0-9a-f-]{36}',
      lastOf: ({ at, id }) => ({ at, id }),
    },
    page,
  );
  const names = await actorNames(db, scope, [...new Set(items.map((row) => row.actor))]);
  const subjects = await subjectNames(db, scope, items);
  return {
    items: items.map((row) => {
      const changes = row.changes === null ? [] : (JSON.parse(row.changes) as AuditChange[]);
      return {
        ...row,
        actorName: names.get(row.actor) ?? null,
        subjectName: subjects.get(row.subject) ?? nameOfBot(row.action, changes),
        changes,
      };
    }),
    next,
  };
}

/** A custom bot has no row of its own, so its entries carry its name; those of older versions don't. */
function nameOfBot(action: string, changes: readonly AuditChange[]): string | null {
  if (!action.startsWith('custom_bot.')) return null;
  const name = changes.find(({ what }) => what === 'name');
  return name === undefined ? null : String(name.after ?? name.before);
}

/** `_` is a letter in these names. */
const beginsWith = (column: 'actor' | 'action', beginning: string) =>
  sql<boolean>`${sql.ref(column)} like ${`${beginning.replaceAll(/[!%_]/g, '!$&')}%`} escape '!'`;

/** Names of people and tokens of the organization alone: an id in another one's log tells nothing. */
async function actorNames(
  db: Database,
  scope: Scope,
  actors: readonly string[],
): Promise<Map<string, string>> {
  const idsOf = (kind: string) =>
    actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.slice(kind.length + 1));
  const names = new Map<string, string>();
  const people = idsOf('person');
  if (people.length > 0) {
    let query = db.reader.selectFrom('people').select(['id', 'name']).where('id', 'in', people);
    if (scope.kind === 'organization') {
      const { id } = scope;
      query = query.where('id', 'in', (eb) =>
        eb
          .selectFrom('audit_log')
          .select('subject')
          .where('organization_id', '=', id)
          .where('action', '=', 'member.added'),
      );
    }
    for (const { id, name } of await query.execute()) names.set(personActor(id), name);
  }
  const tokens = idsOf('token');
  if (tokens.length > 0) {
    let query = db.reader.selectFrom('api_tokens').select(['id', 'name']).where('id', 'in', tokens);
    if (scope.kind === 'organization') query = query.where('organization_id', '=', scope.id);
    for (const { id, name } of await query.execute()) names.set(tokenActor(id), name);
  }
  return names;
}

/** The beginning of the actions on a thing, and where its name is. A deleted destination and a revoked share link keep their rows. */
const NAMED = [
  ['destination.', 'destinations'],
  ['alert_channel.', 'alert_channels'],
  ['webhook_key.', 'webhook_keys'],
  ['share_link.', 'share_links'],
] as const;

/** Of the organization alone, as above. */
async function subjectNames(
  db: Database,
  scope: Scope,
  rows: readonly { readonly action: string; readonly subject: string }[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [beginning, table] of NAMED) {
    const ids = new Set(
      rows.filter(({ action }) => action.startsWith(beginning)).map(({ subject }) => subject),
    );
    if (ids.size === 0) continue;
    let query = db.reader
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', [...ids]);
    if (scope.kind === 'organization') query = query.where('organization_id', '=', scope.id);
    for (const { id, name } of await query.execute()) names.set(id, name);
  }
  return names;
}
