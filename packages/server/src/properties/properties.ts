/** Properties: the sites whose traffic is seen. A property's id is its attribution ID. */
import { randomUUID } from 'node:crypto';
import {
  type Caller,
  type Clock,
  dateOf,
  dayOf,
  type RetentionRules,
  readRules,
  type Scope,
  ServiceError,
  UTC,
  type Zoned,
  type ZoneSince,
} from '../common/index.ts';
import {
  AWAY_GRACE_MS,
  audit,
  auditChange,
  createReadThrough,
  type Database,
  existingOrganization,
  inScope,
  type Row,
} from '../database/index.ts';

/** More properties than this in one list are beyond what a person reads; narrow by organization. */
const MAX_LISTED = 1_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface Property extends Zoned {
  /** The attribution ID: a lower-case UUID. */
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Host in lower case and ASCII form. */
  readonly domain: string;
  /** Whether crawlers of search engines are told apart and stored. */
  readonly searchEngines: boolean;
  /** How long it keeps its data, where that differs from the installation; absent: nowhere. */
  readonly retention?: RetentionRules;
  /** When the zone was changed, while days are still counted again; epoch milliseconds. */
  readonly recountAskedAt: number | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Whose rows a function reads or writes: the caller has got the property for its scope. */
export type Owner = Pick<Property, 'id' | 'organizationId'>;

/** For the ingest path: whose an attribution ID is. */
export interface PropertyDirectory {
  /**
   * The owning organization, or null when the id is unknown or its property deleted; in any letter case. Answered without waiting when it
   * is known; known means at most 5 s old (1 s for null), and at once after a change made on this node.
   */
  ownerOf(attributionId: string): string | null | Promise<string | null>;
  /** The property's domain, never waiting: null where it is not known at once, which after `ownerOf` it is. */
  domainOf(attributionId: string): string | null;
  /** Whether search crawlers are told apart for it, never waiting: false where it is not known at once, which after `ownerOf` it is. */
  tellsSearchEngines(attributionId: string): boolean;
  /** How long it keeps its data, never waiting: no rules where it is not known at once, which after `ownerOf` it is. */
  retentionOf(attributionId: string): RetentionRules;
  /** What it may still store today, never waiting: everything where it is not known at once. */
  quotaOf(attributionId: string): QuotaState;
}

/** `no_samples`: its quota of the day is reached; `closed`: twice. */
export type QuotaState = Row<'properties'>['quota_state'];

export interface PropertyFields {
  /** 1–100 characters. */
  readonly name: string;
  /** Already normalised: `normalizeDomain`. */
  readonly domain: string;
  /** Already canonical: `canonicalTimeZone`. UTC when left out. */
  readonly timeZone?: string;
  /** False when left out. */
  readonly searchEngines?: boolean;
}

const NO_RULES: RetentionRules = {};

export interface PropertyChanges extends Partial<Omit<PropertyFields, 'timeZone'>> {
  /** From when on the zone counts; null: every day. */
  /** All of its rules; checked by the caller. */
  readonly retention?: RetentionRules;
  readonly zone?: { readonly timeZone: string; readonly since: ZoneSince | null };
}

/** Ids are taken in any letter case. A property of another organization answers exactly as one that does not exist. */
export interface Properties extends PropertyDirectory {
  /** @throws ServiceError `not_found` when the organization does not exist */
  create(scope: Scope, actor: Caller['actor'], fields: PropertyFields): Promise<Property>;
  /** Oldest first; at most 1,000. */
  list(scope: Scope): Promise<Property[]>;
  /** Of all organizations, by id, after one of them (empty: from the beginning). For jobs alone. */
  page(after: string, limit: number): Promise<Property[]>;
  /** @throws ServiceError `not_found` */
  get(scope: Scope, id: string): Promise<Property>;
  /** @throws ServiceError `not_found` */
  update(scope: Scope, actor: Caller['actor'], id: string, changes: PropertyChanges): Promise<Property>;
  /** It stops accepting at once; a job deletes everything that it has collected. @throws ServiceError `not_found` */
  delete(scope: Scope, actor: Caller['actor'], id: string): Promise<void>;
  /** In the transaction that deletes an organization: none of its properties accepts anything any more. */
  closeAll(trx: Database['kysely'], organizationId: string, actor: Caller['actor']): Promise<void>;
  /** After that transaction. */
  forgetAll(): void;
}

/** Days that are counted again after a change of the zone. */
export interface Recounting {
  /** From when on another zone can count: days of which raw hits are gone stay of the zone in which they were counted. null: from the beginning. */
  since(property: Property, timeZone: string): Promise<ZoneSince | null>;
  /** Begins in the background. */
  begin(): void;
  /** How many of how many days are counted again; null: none are waiting. */
  progress(property: Property): Promise<{ readonly days: number; readonly counted: number } | null>;
}

export interface PropertiesOptions {
  readonly clock: Clock;
  /** In the transaction that deletes a property: what other rooms keep of it and must not outlive it. */
  readonly onDelete?: (
    trx: Database['kysely'],
    property: Pick<Property, 'id' | 'organizationId'>,
  ) => Promise<void>;
  /** In the same transaction, where the property alone is deleted: everything in it is to follow. */
  readonly onDeleteAlone?: (
    trx: Database['kysely'],
    property: Pick<Property, 'id' | 'organizationId' | 'name'>,
    actor: Caller['actor'],
  ) => Promise<void>;
  /** After it. Never waits. */
  readonly onDeleted?: () => void;
}

export function createProperties(
  db: Database,
  { clock, onDelete, onDeleteAlone, onDeleted }: PropertiesOptions,
): Properties {
  const owners = createReadThrough<{
    readonly organizationId: string;
    readonly domain: string;
    readonly searchEngines: boolean;
    readonly retention: RetentionRules;
    readonly quota: { readonly state: QuotaState; readonly until: number };
  }>({
    clock,
    // As long as the keys, or their hits would be of no property.
    graceMs: AWAY_GRACE_MS,
    load: async (id) => {
      const row = await db.reader
        .selectFrom('properties')
        .select(['organization_id', 'domain', 'search_engines', 'retention', 'quota_state', 'quota_until'])
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return (
        row && {
          organizationId: row.organization_id,
          domain: row.domain,
          searchEngines: row.search_engines === 1,
          retention: readRules(row.retention),
          quota: { state: row.quota_state, until: row.quota_until ?? 0 },
        }
      );
    },
  });

  /** @returns whether this call set the mark */
  const close = async (
    trx: Database['kysely'],
    { id, organization_id: organizationId }: Row<'properties'>,
    actor: Caller['actor'],
  ): Promise<boolean> => {
    const at = clock();
    const { numUpdatedRows } = await trx
      .updateTable('properties')
      .set({ deleted_at: at, updated_at: at })
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await onDelete?.(trx, { id, organizationId });
    await audit(trx, { at, actor, action: 'property.deleted', subject: id, organizationId });
    return true;
  };

  return {
    ownerOf(attributionId) {
      // Not worth a look-up, nor a place in the cache.
      if (!UUID.test(attributionId)) return null;
      const id = attributionId.toLowerCase();
      const known = owners.peek(id);
      return known === undefined
        ? owners.get(id).then((found) => found?.organizationId ?? null)
        : (known?.organizationId ?? null);
    },
    domainOf: (attributionId) => owners.peek(attributionId.toLowerCase())?.domain ?? null,
    tellsSearchEngines: (attributionId) => owners.peek(attributionId.toLowerCase())?.searchEngines ?? false,
    retentionOf: (attributionId) => owners.peek(attributionId.toLowerCase())?.retention ?? NO_RULES,
    quotaOf(attributionId) {
      const quota = owners.peek(attributionId.toLowerCase())?.quota;
      return quota === undefined || quota.until <= clock() ? 'open' : quota.state;
    },
    async create(scope, actor, { name, domain, timeZone = UTC, searchEngines = false }) {
      const at = clock();
      const row = await db.kysely.transaction().execute(async (trx) => {
        const { id: organizationId } = await existingOrganization(trx, scope);
        const inserted = await trx
          .insertInto('properties')
          .values({
            id: randomUUID(),
            organization_id: organizationId,
            name,
            domain,
            time_zone: timeZone,
            search_engines: searchEngines ? 1 : 0,
            created_at: at,
            updated_at: at,
            deleted_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, { at, actor, action: 'property.created', subject: inserted.id, organizationId });
        return inserted;
      });
      owners.forget(row.id);
      return toProperty(row);
    },
    async list(scope) {
      const rows = await standing(db.reader, scope)
        .orderBy('created_at')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(toProperty);
    },
    async page(after, limit) {
      const all = standing(db.reader, { kind: 'all' }).where('id', '>', after);
      return (await all.orderBy('id').limit(limit).execute()).map(toProperty);
    },
    async get(scope, id) {
      const row = await standing(db.reader, scope).where('id', '=', id.toLowerCase()).executeTakeFirst();
      return toProperty(row ?? absent());
    },
    async update(scope, actor, id, changes) {
      const at = clock();
      const row = await db.kysely.transaction().execute(async (trx) => {
        // Another change at the same time waits: it starts from what this one leaves.
        const before = await standing(trx, scope)
          .where('id', '=', id.toLowerCase())
          .$call(db.adapter.forNoKeyUpdate)
          .executeTakeFirst();
        if (before === undefined) return absent();
        const after = await trx
          .updateTable('properties')
          .set({
            name: changes.name ?? before.name,
            domain: changes.domain ?? before.domain,
            search_engines:
              changes.searchEngines === undefined ? before.search_engines : changes.searchEngines ? 1 : 0,
            updated_at: at,
            ...(changes.retention === undefined
              ? {}
              : {
                  retention:
                    Object.keys(changes.retention).length === 0 ? null : JSON.stringify(changes.retention),
                }),
            ...(changes.zone === undefined ? {} : zoneColumns(changes.zone, at)),
          })
          .where('id', '=', before.id)
          .where('organization_id', '=', before.organization_id)
          .where('deleted_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (after === undefined) return absent();
        const organizationId = before.organization_id;
        const action = changes.retention === undefined ? 'property.updated' : 'retention.updated';
        await auditChange(trx, {
          ...{ at, actor, action, subject: before.id, organizationId },
          ...{ before: loggedOf(before), after: loggedOf(after) },
        });
        return after;
      });
      owners.forget(row.id);
      return toProperty(row);
    },
    async delete(scope, actor, id) {
      await db.kysely.transaction().execute(async (trx) => {
        const before = await standing(trx, scope).where('id', '=', id.toLowerCase()).executeTakeFirst();
        if (before === undefined) return absent();
        // Another call was faster: it has the audit row.
        if (!(await close(trx, before, actor))) return absent();
        await onDeleteAlone?.(trx, toProperty(before), actor);
        return undefined;
      });
      owners.forget(id.toLowerCase());
      onDeleted?.();
    },
    async closeAll(trx, organizationId, actor) {
      const all = await standing(trx, { kind: 'organization', id: organizationId }).execute();
      for (const property of all) await close(trx, property, actor);
    },
    forgetAll: owners.forgetAll,
  };
}

/** As the audit log shows it. */
const loggedOf = ({ name, domain, time_zone, search_engines, retention }: Row<'properties'>) => ({
  ...{ name, domain, time_zone, retention, search_engines: search_engines === 1 },
});

/** The scope's properties that are not deleted: the one way to select any. */
function standing(db: Database['kysely'], scope: Scope) {
  return db.selectFrom('properties').selectAll().where('deleted_at', 'is', null).where(inScope(scope, 'id'));
}

const zoneColumns = ({ timeZone, since }: NonNullable<PropertyChanges['zone']>, at: number) => ({
  time_zone: timeZone,
  zone_since_day: since === null ? null : dateOf(since.day),
  zone_since_at: since === null ? null : since.at,
  recount_asked_at: at,
});

function absent(): never {
  throw new ServiceError('not_found', 'There is no such property; list the properties to find its ID.');
}

function toProperty(row: Row<'properties'>): Property {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    domain: row.domain,
    timeZone: row.time_zone,
    searchEngines: row.search_engines === 1,
    ...(row.retention === null ? {} : { retention: readRules(row.retention) }),
    zoneSince:
      row.zone_since_day === null || row.zone_since_at === null
        ? null
        : { day: dayOf(row.zone_since_day), at: row.zone_since_at },
    recountAskedAt: row.recount_asked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
