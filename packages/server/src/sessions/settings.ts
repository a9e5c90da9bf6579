/** What a property says about the events of its pages: read at every request, so it is cached, and changed by the management API. */

import type { Caller, Clock } from '../common/index.ts';
import { auditChange, createReadThrough, type Database } from '../database/index.ts';
import type { Property } from '../properties/index.ts';

export interface EventSettings {
  /** Events of pages outside the property's domain are refused instead of just counted. */
  readonly refuseForeignOrigins: boolean;
  /** Hosts beside the property's domain and what lies below it. */
  readonly allowedOrigins: readonly string[];
}

/** A property as the event endpoint knows it. */
export interface EventProperty extends EventSettings {
  readonly organizationId: string;
  readonly domain: string;
}

export interface SettingsStore {
  /** Null for an unknown or deleted property. At most 5 s old (1 s for null); at once after a change made on this node. */
  propertyOf(attributionId: string): Promise<EventProperty | null>;
  of(property: Pick<Property, 'id' | 'organizationId'>): Promise<EventSettings>;
  change(
    property: Pick<Property, 'id' | 'organizationId'>,
    actor: Caller['actor'],
    changes: Partial<EventSettings>,
  ): Promise<EventSettings>;
}

const DEFAULTS: EventSettings = { refuseForeignOrigins: false, allowedOrigins: [] };

export function createSettings(database: Database, clock: Clock): SettingsStore {
  const known = createReadThrough<EventProperty>({
    clock,
    load: async (id) => {
      const row = await database.reader
        .selectFrom('properties')
        .leftJoin('event_settings', 'event_settings.attribution_id', 'properties.id')
        .select(['properties.organization_id', 'domain', 'refuse_foreign_origins', 'allowed_origins'])
        .where('properties.id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return row === undefined
        ? undefined
        : { organizationId: row.organization_id, domain: row.domain, ...toSettings(row) };
    },
  });
  const read = async (
    db: Database['kysely'],
    { id, organizationId }: Pick<Property, 'id' | 'organizationId'>,
  ): Promise<EventSettings> => {
    const row = await db
      .selectFrom('event_settings')
      .select(['refuse_foreign_origins', 'allowed_origins'])
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row === undefined ? DEFAULTS : toSettings(row);
  };

  return {
    async propertyOf(attributionId) {
      return known.peek(attributionId) ?? (await known.get(attributionId));
    },
    of: (property) => read(database.reader, property),
    async change(property, actor, changes) {
      const { id, organizationId } = property;
      const at = clock();
      const after = await database.kysely.transaction().execute(async (trx) => {
        // Another change at the same time waits: it starts from what this one leaves.
        await database.adapter.lockName(trx, `event_settings:${id}`);
        const before = await read(trx, property);
        const settings = { ...before, ...changes };
        const columns = {
          refuse_foreign_origins: settings.refuseForeignOrigins ? 1 : 0,
          allowed_origins: JSON.stringify(settings.allowedOrigins),
          updated_at: at,
        };
        await trx
          .insertInto('event_settings')
          .values({ attribution_id: id, organization_id: organizationId, ...columns })
          .onConflict((conflict) => conflict.column('attribution_id').doUpdateSet(columns))
          .execute();
        const entry = { at, actor, action: 'event_settings.updated', subject: id, organizationId } as const;
        await auditChange(trx, { ...entry, before: loggedOf(before), after: loggedOf(settings) });
        return settings;
      });
      known.forget(id);
      return after;
    },
  };
}

const loggedOf = ({ refuseForeignOrigins, allowedOrigins }: EventSettings) => ({
  refuse_foreign_origins: refuseForeignOrigins,
  allowed_origins: allowedOrigins,
});

function toSettings(row: {
  refuse_foreign_origins: number | null;
  allowed_origins: string | null;
}): EventSettings {
  if (row.allowed_origins === null) return DEFAULTS;
  return {
    refuseForeignOrigins: row.refuse_foreign_origins === 1,
    allowedOrigins: JSON.parse(row.allowed_origins) as string[],
  };
}
