/**
 * How long a property keeps its data. The installation's own deletion (the tables' TTL, the hourly jobs) knows one age for all; what a
 * property keeps for less long is deleted here, every hour and a day at a time: counted, deleted in bounded steps, counted again.
 */
import { HOUR_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import {
  type Caller,
  type Clock,
  counted,
  dateOf,
  dayOf,
  daysOf,
  keptDays,
  type Log,
  RETENTION_CLASSES,
  type RetentionClass,
  type RetentionLimits,
  type RetentionRules,
  ServiceError,
  VISIT_CLASSES,
} from '../../common/index.ts';
import { audit, type Database, type Row } from '../../database/index.ts';
import type { Properties, Property } from '../../properties/index.ts';
import { countOutlived, deleteOutlived, type Warehouse } from '../../warehouse/index.ts';
import { deleteInSteps } from '../delete-in-steps.ts';
import { type Cut, cutsOf, type OutlivedState } from './cuts.ts';

const PAGE = 200;
/** The job runs every hour; a large month takes its time. */
const DONE_WITHIN_MS = 2 * HOUR_MS;

/** What a rule would delete. */
export interface Preview {
  readonly name: RetentionClass;
  readonly days: number;
  readonly rows: number;
  /** Of these rows, `YYYY-MM-DD`; null: there are none. */
  readonly oldestDay: string | null;
  /** `YYYY-MM-DD`: the first day that is kept. */
  readonly keptFrom: string;
  /** Epoch milliseconds: when it is done at the latest, if the stores are up. */
  readonly deletedBy: number;
}

export interface Retention {
  readonly limits: RetentionLimits;
  runs(property: Property): Promise<Row<'retention_runs'>[]>;
  /** What is older than the rules allow now; nothing is changed. @throws ServiceError `invalid` */
  preview(property: Property, rules: RetentionRules): Promise<Preview[]>;
  /** @throws ServiceError `invalid` */
  set(
    scope: Caller['scope'],
    actor: Caller['actor'],
    property: Property,
    rules: RetentionRules,
  ): Promise<Property>;
  /** The hourly job. @throws when a store is down: the next run goes on */
  run(signal?: AbortSignal): Promise<void>;
}

export interface RetentionDeps {
  readonly database: Database;
  readonly warehouse: Pick<Warehouse, 'rows' | 'command'>;
  readonly properties: Pick<Properties, 'update' | 'page'>;
  readonly limits: RetentionLimits;
  /** null: the audit log is kept for ever. */
  readonly auditDays: number | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Rules of properties, what they would delete, and the job that deletes by them, in both stores. */
export function createRetention(deps: RetentionDeps): Retention {
  const { database, warehouse, properties, limits, clock, log } = deps;

  /** By key; the oldest as `OutlivedRows` has it. */
  const countCuts = async (cuts: readonly Cut[]): Promise<Map<string, { rows: number; oldest: number }>> => {
    const found = new Map<string, { rows: number; oldest: number }>();
    const add = (key: string, rows: number, oldest: number): void => {
      const before = found.get(key) ?? { rows: 0, oldest };
      found.set(key, { rows: before.rows + rows, oldest: Math.min(before.oldest, oldest) });
    };
    for (const { key, rows, oldest } of await countOutlived(
      warehouse,
      cuts.flatMap((cut) => cut.warehouse),
    ))
      add(key, rows, oldest);
    for (const state of cuts.flatMap((cut) => cut.state)) {
      const { rows, oldest } = await countOlder(database, state);
      if (rows > 0) add(state.key, rows, oldest);
    }
    return found;
  };

  const apply = async (cuts: readonly Cut[], signal?: AbortSignal): Promise<void> => {
    const there = await countCuts(cuts);
    const due = cuts.filter(({ key }) => there.has(key));
    if (due.length === 0) return;
    await deleteOutlived(
      warehouse,
      due.flatMap((cut) => cut.warehouse),
      signal,
    );
    for (const state of due.flatMap((cut) => cut.state))
      await deleteInSteps(database, state.table, where(state), signal);
    if (signal?.aborted === true) return;
    const left = await countCuts(due);
    for (const cut of due)
      await note(database, cut, there.get(cut.key)?.rows ?? 0, left.get(cut.key)?.rows ?? 0, clock());
    const rows = due.reduce((all, { key }) => all + (there.get(key)?.rows ?? 0), 0);
    log.info(
      { rows, properties: new Set(due.map(({ property }) => property.id)).size },
      'old data was deleted',
    );
  };

  return {
    limits,
    runs: async ({ id, organizationId }) =>
      await database.reader
        .selectFrom('retention_runs')
        .selectAll()
        .where('attribution_id', '=', id)
        .where('organization_id', '=', organizationId)
        .execute(),
    async preview(property, rules) {
      check(limits, rules);
      const cuts = cutsOf(property, rules, { limits, clock, force: true });
      const found = await countCuts(cuts);
      const { dayAt } = daysOf(property);
      return cuts.map(({ key, name, days, day }) => {
        const { rows = 0, oldest = null } = found.get(key) ?? {};
        return {
          ...{ name, days, rows },
          oldestDay: oldest === null ? null : dateOf(name === 'daily' ? oldest : dayAt(oldest)),
          keptFrom: dateOf(day),
          deletedBy: clock() + DONE_WITHIN_MS,
        };
      });
    },
    async set(scope, actor, property, rules) {
      check(limits, rules);
      return await properties.update(scope, actor, property.id, { retention: rules });
    },
    async run(signal) {
      for (let after = ''; signal?.aborted !== true; ) {
        const page = await properties.page(after, PAGE);
        await apply(
          page.flatMap((property) => cutsOf(property, property.retention ?? {}, { limits, clock })),
          signal,
        );
        after = page.at(-1)?.id ?? '';
        if (page.length < PAGE) break;
      }
      await forgetAudit(deps, signal);
    },
  };
}

/** @throws ServiceError `invalid` */
function check(limits: RetentionLimits, rules: RetentionRules): void {
  const errors = RETENTION_CLASSES.flatMap((name) => {
    const days = rules[name];
    const { least, most } = limits[name];
    return days === undefined || (days >= least && days <= most)
      ? []
      : [{ pointer: `/${name}`, message: `Enter ${least} to ${counted(most, ['day', 'days'])}.` }];
  });
  const longest = Math.max(...VISIT_CLASSES.map((name) => keptDays(limits, rules, name)));
  // Days that have visits and no figures would count as days without visits.
  if (keptDays(limits, rules, 'daily') < Math.min(longest, limits.daily.most))
    errors.push({
      pointer: '/daily',
      message: `Daily figures are kept at least as long as visits: ${counted(longest, ['day', 'days'])}.`,
    });
  if (errors.length > 0) throw new ServiceError('invalid', 'The retention is invalid.', { errors });
}

const where = ({ organizationId, attributionId, column, before }: OutlivedState) =>
  sql`attribution_id = ${attributionId} and organization_id = ${organizationId} and ${sql.ref(column)} < ${before}`;

/** The oldest: epoch milliseconds, or a day's number. */
async function countOlder(
  { reader }: Pick<Database, 'reader'>,
  state: OutlivedState,
): Promise<{ rows: number; oldest: number }> {
  const { rows } = await sql<{ n: number | string; oldest: number | string | null }>`select count(*) as n,
min(${sql.ref(state.column)}) as oldest from ${sql.table(state.table)} where ${where(state)}`.execute(reader);
  const { n = 0, oldest = null } = rows[0] ?? {};
  return {
    rows: Number(n),
    oldest: oldest === null ? 0 : state.column === 'day' ? dayOf(String(oldest)) : Number(oldest),
  };
}

/** The proof, and the entry of the audit log where a rule took effect for the first time. */
async function note(
  { kysely }: Pick<Database, 'kysely'>,
  { property, name, days, at: cutAt }: Cut,
  rows: number,
  rest: number,
  at: number,
): Promise<void> {
  const owner = { attribution_id: property.id, organization_id: property.organizationId };
  await kysely.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('retention_runs')
      .select(['days', 'total'])
      .where('attribution_id', '=', owner.attribution_id)
      .where('organization_id', '=', owner.organization_id)
      .where('class', '=', name)
      .executeTakeFirst();
    const run = {
      ...{ days, cut_at: cutAt, at, deleted: rows - rest, rest },
      total: Number(before?.total ?? 0) + rows - rest,
    };
    await trx
      .insertInto('retention_runs')
      .values({ ...owner, class: name, ...run })
      .onConflict((conflict) => conflict.columns(['attribution_id', 'class']).doUpdateSet(run))
      .execute();
    if (before?.days === days) return;
    await audit(trx, {
      ...{ at, actor: 'service', action: 'retention.applied', subject: property.id },
      organizationId: property.organizationId,
    });
  });
}

async function forgetAudit(
  { database, auditDays, clock }: Pick<RetentionDeps, 'database' | 'auditDays' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  if (auditDays === null) return;
  const before = clock() - auditDays * 24 * HOUR_MS;
  await deleteInSteps(database, 'audit_log', sql`at < ${before}`, signal);
}
