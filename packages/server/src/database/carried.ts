/**
 * What a restore takes over from the state database that was there: what was deleted, erased or revoked since the backup must not come back.
 * One entry for each table that says so; a test fails if a table with `revoked_at` or `deleted_at` has none. The statements run on both
 * databases, in the restored one, in which the old one has a schema of its own.
 */
import { entryOf, TABLE_NAMES, type TableName } from './table-register.ts';

const KINDS = ['deletions', 'erasures', 'revocations', 'removals'] as const;
type Kind = (typeof KINDS)[number];

/** How many were made since the backup, and are kept; `removals` are of members. */
export type CarriedCounts = Readonly<Record<Kind, number>>;

/** The restored database, inside a transaction. */
export interface Carrier {
  /** Of the database that was there. */
  readonly schema: string;
  run(statement: string): Promise<readonly unknown[]>;
  /** Names of the table's columns, in `schema` or (null) in the restored database; none: there is no such table. */
  columns(schema: string | null, table: TableName): Promise<readonly string[]>;
}

interface Names {
  /** The table as it was. */
  readonly was: string;
  /** Schema of what was. */
  readonly old: string;
  /** The moment of the restore, epoch milliseconds: by it marks that the restore sets are known. */
  readonly at: number;
  /** Columns that both have. */
  readonly columns: readonly string[];
  /** A query of the organizations that the restore has closed. */
  readonly closedOrganizations: string;
}

interface Step {
  readonly sql: string;
  /** Where it is another table than that of the entry: a backup of an older version may be without it. */
  readonly on?: TableName;
  /** As what its rows are counted; none: they are part of something that is. */
  readonly counts?: Kind;
}

interface CarriedEntry {
  readonly table: TableName;
  /** Columns without which nothing can be carried. */
  readonly needs: readonly string[];
  readonly steps: (names: Names) => readonly Step[];
}

/** A property or an organization: closed again at the moment of the restore, so that what waits in the spools is known as late. */
const closed = (table: 'organizations' | 'properties', also = ''): CarriedEntry => ({
  table,
  needs: ['id', 'deleted_at'],
  steps: ({ was, at }) => [
    {
      sql: `UPDATE ${table} SET deleted_at = ${at}${also === '' ? '' : `, ${also} = ${at}`}
WHERE deleted_at IS NULL AND id IN (SELECT id FROM ${was} WHERE deleted_at IS NOT NULL)`,
    },
  ],
});

/** Of a property or an organization that `closed` has closed. */
const ofClosed = (table: TableName, { at, closedOrganizations }: Names): string => {
  const { property } = entryOf(table);
  const ofOrganization = `organization_id IN (${closedOrganizations})`;
  if (property === null) return ofOrganization;
  return `(${ofOrganization} OR attribution_id IN (SELECT id FROM properties WHERE deleted_at = ${at}))`;
};

const revoked = (table: TableName): CarriedEntry => ({
  table,
  needs: ['id', 'revoked_at'],
  steps: ({ was, columns, ...names }) => [
    {
      sql: `UPDATE ${table} SET revoked_at = (SELECT o.revoked_at FROM ${was} o WHERE o.id = ${table}.id)
WHERE revoked_at IS NULL AND id IN (SELECT id FROM ${was} WHERE revoked_at IS NOT NULL)`,
      counts: 'revocations',
    },
    ...(columns.includes('expires_at')
      ? [
          {
            // A key that another one replaced ends earlier than it did.
            sql: `UPDATE ${table} SET expires_at = (SELECT o.expires_at FROM ${was} o WHERE o.id = ${table}.id)
WHERE revoked_at IS NULL AND EXISTS (SELECT 1 FROM ${was} o WHERE o.id = ${table}.id AND o.expires_at IS NOT NULL
AND (${table}.expires_at IS NULL OR ${table}.expires_at > o.expires_at))`,
            counts: 'revocations' as const,
          },
        ]
      : []),
    {
      sql: `UPDATE ${table} SET revoked_at = ${names.at}
WHERE revoked_at IS NULL AND ${ofClosed(table, { was, columns, ...names })}`,
    },
  ],
});

/** A destination or a channel: with the mark its credentials go. */
const ended = (table: TableName, empties: string): CarriedEntry => ({
  table,
  needs: ['id', 'deleted_at'],
  steps: ({ was, at, ...names }) => [
    {
      sql: `UPDATE ${table} SET deleted_at = ${at}, updated_at = ${at}, ${empties}
WHERE deleted_at IS NULL AND id IN (SELECT id FROM ${was} WHERE deleted_at IS NOT NULL)`,
      counts: 'deletions',
    },
    {
      sql: `UPDATE ${table} SET deleted_at = ${at}, updated_at = ${at}, ${empties}
WHERE deleted_at IS NULL AND ${ofClosed(table, { was, at, ...names })}`,
    },
  ],
});

/** Rows that were used up or withdrawn are gone there. */
const gone = (table: TableName, id: string, which = ''): CarriedEntry => ({
  table,
  needs: [id],
  steps: ({ was }) => [{ sql: `DELETE FROM ${table} WHERE ${which}${id} NOT IN (SELECT ${id} FROM ${was})` }],
});

/** Columns that the old row has emptied. */
const emptied = (table: TableName, columns: readonly string[], which: string): CarriedEntry => ({
  table,
  needs: ['id', ...columns],
  steps: ({ was }) => [
    {
      sql: `UPDATE ${table} SET ${columns
        .map((column) => `${column} = (SELECT o.${column} FROM ${was} o WHERE o.id = ${table}.id)`)
        .join(', ')} WHERE id IN (SELECT o.id FROM ${was} o WHERE ${which})`,
    },
  ],
});

/** Rows of the old table, with some values replaced. */
const inserted = (
  table: TableName,
  { was, columns }: Names,
  values: Readonly<Record<string, string>>,
  which: string,
): string => {
  const values_ = columns.map((column) => values[column] ?? `o.${column}`);
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values_.join(', ')} FROM ${was} o WHERE ${which}`;
};

/** In this order. */
export const CARRIED: readonly CarriedEntry[] = [
  closed('organizations'),
  closed('properties', 'updated_at'),
  {
    table: 'deletions',
    needs: ['id', 'asked_at'],
    // Begun again: the job counts and deletes what the backup has brought back.
    steps: (names) => [
      {
        sql: inserted(
          'deletions',
          names,
          {
            ...{ asked_at: String(names.at), state: "'waiting'", found: "'{}'", rest: "'{}'" },
            ...{ counted_at: 'NULL', finished_at: 'NULL', error: 'NULL' },
          },
          `o.id NOT IN (SELECT id FROM deletions) AND o.organization_id IN (SELECT id FROM organizations)
AND (o.attribution_id IS NULL OR o.attribution_id IN (SELECT id FROM properties))`,
        ),
        counts: 'deletions',
      },
    ],
  },
  {
    table: 'erased_visitors',
    needs: ['attribution_id', 'visitor_id', 'swept'],
    // The job of the service erases them again in every store.
    steps: (names) => [
      {
        sql: inserted(
          'erased_visitors',
          names,
          { swept: '2' },
          `o.attribution_id IN (SELECT id FROM properties) AND NOT EXISTS (SELECT 1 FROM erased_visitors e
WHERE e.attribution_id = o.attribution_id AND e.visitor_id = o.visitor_id)`,
        ),
        counts: 'erasures',
      },
    ],
  },
  // A buyer without a visitor is erased by email address, and leaves no mark.
  emptied(
    'conversions',
    ['personal', 'personal_until', 'payload_digest', 'visitor_id', 'match_until', 'winner', 'touches'],
    "o.personal IS NULL AND o.visitor_id IS NULL AND o.winner IS NULL AND o.touches = '[]'",
  ),
  emptied(
    'deliveries',
    ['state', 'reason', 'message', 'lease', 'lease_until', 'next_at', 'settled_at'],
    "o.reason = 'erased'",
  ),
  emptied('deliveries', ['request', 'response', 'visitor_id'], 'o.visitor_id IS NULL AND o.request IS NULL'),
  {
    table: 'members',
    needs: ['organization_id', 'person_id'],
    // Absence alone proves nothing, where what was there is older than the backup: the log of it says who was removed.
    steps: ({ was, old, closedOrganizations }) => {
      const removed = (of: string) =>
        `NOT EXISTS (SELECT 1 FROM ${was} o WHERE o.organization_id = ${of}.organization_id AND o.person_id = ${of}.person_id)
AND EXISTS (SELECT 1 FROM ${old}.audit_log a WHERE a.action = 'member.removed' AND a.subject = ${of}.person_id
AND a.organization_id = ${of}.organization_id AND a.id NOT IN (SELECT id FROM audit_log))`;
      const tables = ['member_properties', 'sign_in_sessions', 'members'] as const;
      return tables.flatMap((table): Step[] => [
        {
          on: table,
          sql: `DELETE FROM ${table} WHERE ${removed(table)}`,
          ...(table === 'members' ? { counts: 'removals' } : {}),
        },
        { on: table, sql: `DELETE FROM ${table} WHERE organization_id IN (${closedOrganizations})` },
      ]);
    },
  },
  gone('sign_in_sessions', 'digest'),
  gone('one_time_links', 'id', "kind IN ('invitation', 'reset') AND "),
  revoked('ingest_keys'),
  revoked('webhook_keys'),
  revoked('api_tokens'),
  revoked('share_links'),
  ended('destinations', "credentials = '', alarm = NULL"),
  ended('alert_channels', "sealed = ''"),
  {
    table: 'people',
    needs: ['id'],
    // Accounts go with the last organization that their people belong to.
    steps: ({ was }) => {
      const whose = `SELECT id FROM people WHERE id NOT IN (SELECT id FROM ${was})
AND id NOT IN (SELECT person_id FROM members)`;
      return TABLE_NAMES.toReversed().flatMap((table) => {
        const { person } = entryOf(table);
        return person === undefined
          ? []
          : [{ on: table, sql: `DELETE FROM ${table} WHERE ${person} IN (${whose})` }];
      });
    },
  },
];

export interface Carried {
  readonly counts: CarriedCounts;
  /** Tables whose rows could not be carried, since the backup is of a version that did not have them. */
  readonly missing: readonly TableName[];
}

/** @param at the moment of the restore @throws what the database says of a statement; its transaction is to be undone then */
export async function carryForward({ schema, run, columns }: Carrier, at: number): Promise<Carried> {
  const counts: Record<Kind, number> = { deletions: 0, erasures: 0, revocations: 0, removals: 0 };
  const missing: TableName[] = [];
  const closedOrganizations = (await columns(null, 'organizations')).includes('deleted_at')
    ? `SELECT id FROM organizations WHERE deleted_at = ${at}`
    : "SELECT ''";
  for (const { table, needs, steps } of CARRIED) {
    const [were, are] = [await columns(schema, table), await columns(null, table)];
    const lacks = (has: readonly string[]) => needs.some((column) => !has.includes(column));
    if (lacks(were)) continue;
    if (lacks(are)) {
      missing.push(table);
      continue;
    }
    const both = are.filter((column) => were.includes(column));
    const names = { was: `${schema}.${table}`, old: schema, at, columns: both, closedOrganizations };
    for (const { on, sql, counts: kind } of steps(names)) {
      if (on !== undefined && (await columns(null, on)).length === 0) continue;
      const rows = await run(`${sql} RETURNING 1`);
      if (kind !== undefined) counts[kind] += rows.length;
    }
  }
  return { counts, missing };
}
