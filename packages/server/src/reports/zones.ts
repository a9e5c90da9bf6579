/** Whose days are counted: the time zones of properties, of deleted ones too, whose days are counted to their end. */

import { type Days, dayOf, daysIn, daysOf, UTC, type Zoned } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { DaySpan } from '../warehouse/index.ts';

/** Values of a statement on SQLite and PostgreSQL alike. */
const IDS_PER_STATEMENT = 500;

/** A day of a property, and between which moments it lies. */
export const spanOf = ({ startOf }: Days, day: number): DaySpan => ({
  day,
  from: startOf(day),
  to: startOf(day + 1),
});

/** A property and the change of its zone that days are counted again for. */
export interface Changed extends Zoned {
  readonly id: string;
  readonly organizationId: string;
  readonly recountAskedAt: number;
}

export interface Zones {
  /** The days of each property. Of one that is unknown they are those of UTC. */
  of(attributionIds: readonly string[]): Promise<(attributionId: string) => Days>;
  /** Whose zone was changed and whose days are not all counted again; oldest change first, at most 100. */
  changed(): Promise<Changed[]>;
  /** false: the days are counted again, the zone was changed once more, or the property is deleted. */
  stillChanged(change: Changed): Promise<boolean>;
  /** All days of this change are counted. */
  settle(change: Changed): Promise<void>;
}

export function createZones({ reader, kysely }: Pick<Database, 'reader' | 'kysely'>): Zones {
  const columns = [
    'id',
    'organization_id',
    'time_zone',
    'zone_since_day',
    'zone_since_at',
    'recount_asked_at',
  ] as const;
  return {
    async of(attributionIds) {
      const known = new Map<string, Days>();
      for (let from = 0; from < attributionIds.length; from += IDS_PER_STATEMENT) {
        const ids = attributionIds.slice(from, from + IDS_PER_STATEMENT);
        const rows = await reader.selectFrom('properties').select(columns).where('id', 'in', ids).execute();
        for (const row of rows) known.set(row.id, daysOf(zonedOf(row)));
      }
      return (attributionId) => known.get(attributionId) ?? daysIn(UTC);
    },
    async changed() {
      const rows = await reader
        .selectFrom('properties')
        .select(columns)
        .where('recount_asked_at', 'is not', null)
        .where('deleted_at', 'is', null)
        .orderBy('recount_asked_at')
        .limit(100)
        .execute();
      return rows.flatMap((row) =>
        row.recount_asked_at === null
          ? []
          : [
              {
                ...{ id: row.id, organizationId: row.organization_id },
                ...{ ...zonedOf(row), recountAskedAt: row.recount_asked_at },
              },
            ],
      );
    },
    async stillChanged({ id, organizationId, recountAskedAt }) {
      const row = await kysely
        .selectFrom('properties')
        .select('id')
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('recount_asked_at', '=', recountAskedAt)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },
    async settle({ id, organizationId, recountAskedAt }) {
      await kysely
        .updateTable('properties')
        .set({ recount_asked_at: null })
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('recount_asked_at', '=', recountAskedAt)
        .execute();
    },
  };
}

const zonedOf = (row: {
  time_zone: string;
  zone_since_day: string | null;
  zone_since_at: number | null;
}): Zoned => ({
  timeZone: row.time_zone,
  zoneSince:
    row.zone_since_day === null || row.zone_since_at === null
      ? null
      : { day: dayOf(row.zone_since_day), at: row.zone_since_at },
});
