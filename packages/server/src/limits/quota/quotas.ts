/**
 * How many visits a property, and an organization, may store a day. The warehouse knows what all nodes have stored, so it is asked once a
 * minute, by one node; the nodes read the state with what else they know of a property. No visit costs a question, and the state is a
 * minute or two late. Imports don't count.
 */
import { type Clock, dateOf, daysOf, type Log, ServiceError } from '../../common/index.ts';
import { auditChange, type Database, type Row } from '../../database/index.ts';
import type { Owner, QuotaState } from '../../properties/index.ts';
import { countReceived, type Warehouse } from '../../warehouse/index.ts';

const PAGE = 200;
/** At this share of the quota nothing is taken any more; from the quota on samples are not. */
const CLOSED_AT = 2;

export interface Quota {
  /** What counts: the property's quota, or its organization's if that is nearer; null: there is none. */
  readonly limit: number | null;
  readonly of: 'property' | 'organization';
  /** The property's own; null: as the installation says. */
  readonly own: number | null;
  /** Of the limit, today. */
  readonly used: number;
  readonly state: QuotaState;
  /** The end of the property's day, epoch milliseconds; null: nothing was counted yet. */
  readonly until: number | null;
}

export interface Quotas {
  read(owner: Owner): Promise<Quota>;
  /** @param hits null: as the installation says */
  set(owner: Owner, actor: string, hits: number | null): Promise<void>;
  /** @throws ServiceError `not_found` */
  setOrganization(organizationId: string, actor: string, hits: number | null): Promise<void>;
  /**
   * The job, every minute. What can't be counted keeps its state until the end of its day.
   * @throws AggregateError of the organizations that could not be counted, after the last
   */
  run(signal?: AbortSignal): Promise<void>;
  /** Properties by state, for the metrics. */
  states(): Promise<ReadonlyMap<QuotaState, number>>;
}

export interface QuotasDeps {
  readonly database: Database;
  readonly warehouse: Pick<Warehouse, 'rows'>;
  readonly defaults: { readonly property: number | null; readonly organization: number | null };
  readonly clock: Clock;
  readonly log: Log;
}

type PropertyRow = Row<'properties'>;

/** @param deps.defaults visits a day where a property or an organization says nothing; null: any number */
export function createQuotas({ database, warehouse, defaults, clock, log }: QuotasDeps): Quotas {
  const stateOf = (share: number): QuotaState =>
    share >= CLOSED_AT ? 'closed' : share >= 1 ? 'no_samples' : 'open';

  /** What was dropped is missing in the figures of the day: reports and alerts ask for it long after the state has ended. */
  const remember = async (
    trx: Database['kysely'],
    { id, organization_id: organizationId }: PropertyRow,
    { state, until }: Quota,
    today: string,
  ): Promise<void> => {
    const now = clock();
    const closed = state === 'closed' ? { closed_at: now, closed_until: until } : null;
    if (state !== 'open')
      await trx
        .insertInto('over_quota_days')
        .values({
          ...{ attribution_id: id, organization_id: organizationId, day: today, over_at: now },
          ...(closed ?? { closed_at: null, closed_until: null }),
        })
        .onConflict((conflict) => {
          const known = conflict.columns(['organization_id', 'attribution_id', 'day']);
          return closed === null
            ? known.doNothing()
            : known.doUpdateSet(({ fn, ref }) => ({
                closed_at: fn.coalesce('over_quota_days.closed_at', ref('excluded.closed_at')),
                closed_until: until,
              }));
        })
        .execute();
    // The quota was raised.
    if (closed === null)
      await trx
        .updateTable('over_quota_days')
        .set({ closed_until: now })
        .where('attribution_id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('closed_until', '>', now)
        .execute();
  };

  const write = async (row: PropertyRow, next: Quota, today: string): Promise<void> => {
    const isSame =
      row.quota_limit === next.limit &&
      row.quota_of === next.of &&
      row.quota_used === next.used &&
      row.quota_state === next.state &&
      row.quota_until === next.until;
    if (isSame) return;
    if (row.quota_state !== next.state)
      log.info(
        { property: row.id, state: next.state, used: next.used },
        'the quota of a property has another state',
      );
    await database.kysely.transaction().execute(async (trx) => {
      await trx
        .updateTable('properties')
        .set({
          ...{ quota_limit: next.limit, quota_of: next.of, quota_used: next.used },
          ...{ quota_state: next.state, quota_until: next.until },
        })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        .execute();
      if (next.state !== 'open' || row.quota_state !== 'open') await remember(trx, row, next, today);
    });
  };

  /** All properties of some organizations: their sums need all of them. */
  const count = async (rows: readonly PropertyRow[], ofOrganization: ReadonlyMap<string, number | null>) => {
    const now = clock();
    const days = new Map(
      rows.map((row) => {
        const { dayAt, startOf } = daysOf({ timeZone: row.time_zone, zoneSince: null });
        const today = dayAt(now);
        return [row.id, { today: dateOf(today), from: startOf(today), until: startOf(today + 1) }];
      }),
    );
    const limited = rows.filter(
      (row) =>
        (row.quota_hits ?? defaults.property) !== null ||
        (ofOrganization.get(row.organization_id) ?? null) !== null,
    );
    const used = await countReceived(
      warehouse,
      limited.map((row) => ({
        ...{ organizationId: row.organization_id, attributionId: row.id },
        from: days.get(row.id)?.from ?? now,
      })),
    );
    const sums = new Map<string, number>();
    for (const row of limited)
      sums.set(row.organization_id, (sums.get(row.organization_id) ?? 0) + (used.get(row.id) ?? 0));
    for (const row of rows) {
      const own = row.quota_hits ?? defaults.property;
      const all = ofOrganization.get(row.organization_id) ?? null;
      const day = days.get(row.id);
      const mine = own === null ? 0 : (used.get(row.id) ?? 0) / own;
      const ours = all === null ? 0 : (sums.get(row.organization_id) ?? 0) / all;
      const isOfOrganization = all !== null && (own === null || ours > mine);
      const next: Quota = {
        limit: isOfOrganization ? all : own,
        of: isOfOrganization ? 'organization' : 'property',
        own: row.quota_hits,
        used: isOfOrganization
          ? (sums.get(row.organization_id) ?? 0)
          : own === null
            ? 0
            : (used.get(row.id) ?? 0),
        state: stateOf(Math.max(mine, ours)),
        until: own === null && all === null ? null : (day?.until ?? null),
      };
      await write(row, next, day?.today ?? '');
    }
  };

  const countOrganization = async (id: string, hits: number | null): Promise<void> => {
    const rows = await database.reader
      .selectFrom('properties')
      .selectAll()
      .where('organization_id', '=', id)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();
    await count(rows, new Map([[id, hits]]));
  };

  return {
    async read({ id, organizationId }) {
      const row = await database.reader
        .selectFrom('properties')
        .selectAll()
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      const { quota_hits: ofAll } = await database.reader
        .selectFrom('organizations')
        .select('quota_hits')
        .where('id', '=', organizationId)
        .executeTakeFirstOrThrow();
      const isOver = row.quota_until === null || row.quota_until <= clock();
      // As they are set now; which of the two is nearer to its end, and what is used of it, the last count knows.
      const own = row.quota_hits ?? defaults.property;
      const all = ofAll ?? defaults.organization;
      const of =
        all !== null && (own === null || row.quota_of === 'organization') ? 'organization' : 'property';
      return {
        limit: of === 'organization' ? all : own,
        ...{ of, own: row.quota_hits },
        used: isOver || of !== row.quota_of ? 0 : row.quota_used,
        state: isOver ? 'open' : row.quota_state,
        until: isOver ? null : row.quota_until,
      };
    },
    async set({ id, organizationId }, actor, hits) {
      await database.kysely.transaction().execute(async (trx) => {
        const before = await trx
          .selectFrom('properties')
          .select('quota_hits')
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .executeTakeFirst();
        await trx
          .updateTable('properties')
          .set({ quota_hits: hits })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .execute();
        await auditChange(trx, {
          ...{ at: clock(), actor, action: 'quota.updated', subject: id, organizationId },
          before: { hits_per_day: before?.quota_hits ?? null },
          after: { hits_per_day: hits },
        });
      });
    },
    async setOrganization(organizationId, actor, hits) {
      await database.kysely.transaction().execute(async (trx) => {
        const before = await trx
          .selectFrom('organizations')
          .select('quota_hits')
          .where('id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (before === undefined) throw new ServiceError('not_found', 'There is no such organization.');
        await trx
          .updateTable('organizations')
          .set({ quota_hits: hits })
          .where('id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .execute();
        const action = 'organization.quota_updated';
        await auditChange(trx, {
          ...{ at: clock(), actor, action, subject: organizationId, organizationId },
          before: { hits_per_day: before.quota_hits },
          after: { hits_per_day: hits },
        });
      });
    },
    async run(signal) {
      const errors: unknown[] = [];
      const isStopped = (): boolean => signal?.aborted === true;
      for (let after = ''; !isStopped(); ) {
        const organizations = await database.reader
          .selectFrom('organizations')
          .select(['id', 'quota_hits'])
          .where('deleted_at', 'is', null)
          .where('id', '>', after)
          .orderBy('id')
          .limit(PAGE)
          .execute();
        for (const { id, quota_hits: hits } of organizations) {
          if (isStopped()) break;
          // One statement each: a large one that takes too long would else leave all the others without their quotas.
          await countOrganization(id, hits ?? defaults.organization).catch((error: unknown) => {
            log.warn({ err: error, organization: id }, 'the visits of an organization could not be counted');
            errors.push(error);
          });
        }
        after = organizations.at(-1)?.id ?? '';
        if (organizations.length < PAGE) break;
      }
      if (errors.length > 0) throw new AggregateError(errors, 'Some organizations could not be counted');
    },
    async states() {
      const rows = await database.reader
        .selectFrom('properties')
        .select(({ fn }) => ['quota_state', fn.countAll<number | string>().as('n')])
        .where('deleted_at', 'is', null)
        .where('quota_until', '>', clock())
        .groupBy('quota_state')
        .execute();
      return new Map(rows.map(({ quota_state: state, n }) => [state, Number(n)]));
    },
  };
}
