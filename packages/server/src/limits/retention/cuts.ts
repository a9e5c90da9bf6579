/** What of a property has outlived, by class: which rows of which tables, before which moment. */
import {
  type Clock,
  dateOf,
  daysOf,
  firstKeptDay,
  hitClassesOf,
  keptDays,
  RETENTION_CLASSES,
  type RetentionClass,
  type RetentionLimits,
  type RetentionRules,
  VISIT_CLASSES,
} from '../../common/index.ts';
import type { TableName } from '../../database/index.ts';
import type { Property } from '../../properties/index.ts';
import { DAILY_TABLE_NAMES, type Outlived } from '../../warehouse/index.ts';

/** Rows of the state database; the column holds epoch milliseconds or a day as text. */
export interface OutlivedState {
  readonly organizationId: string;
  readonly attributionId: string;
  readonly key: string;
  readonly table: TableName;
  readonly column: string;
  readonly before: number | string;
}

/** Of one property and class. */
export interface Cut {
  /** `<attribution id>/<class>` */
  readonly key: string;
  readonly property: Property;
  readonly name: RetentionClass;
  readonly days: number;
  /** The first day that is kept whole. */
  readonly day: number;
  /** Epoch milliseconds: its beginning. */
  readonly at: number;
  readonly warehouse: readonly Outlived[];
  readonly state: readonly OutlivedState[];
}

const STATE_TABLES: Partial<Readonly<Record<RetentionClass, readonly (readonly [TableName, string])[]>>> = {
  visitors: [
    ['touches', 'at'],
    ['sessions', 'last_at'],
    ['visitors', 'last_seen'],
  ],
  conversions: [
    ['conversions', 'received_at'],
    ['browser_conversions', 'at'],
  ],
  deliveries: [['deliveries', 'created_at']],
};
/** Their days go with the figures of the days. */
const DAY_TABLES = ['daily_rows', 'over_quota_days'] as const;

/**
 * @param force also classes that are kept as long as the installation allows, whose rows the installation deletes by itself
 */
export function cutsOf(
  property: Property,
  rules: RetentionRules,
  { limits, clock, force = false }: { limits: RetentionLimits; clock: Clock; force?: boolean },
): Cut[] {
  const calendar = daysOf(property);
  return RETENTION_CLASSES.flatMap((name): Cut[] => {
    const days = keptDays(limits, rules, name);
    if (!force && days >= limits[name].most) return [];
    const day = firstKeptDay(calendar, clock(), { limits, rules, name });
    const at = calendar.startOf(day);
    const key = `${property.id}/${name}`;
    const of = { organizationId: property.organizationId, attributionId: property.id, key };
    const isVisits = (VISIT_CLASSES as readonly string[]).includes(name);
    const warehouse: Outlived[] = [
      ...(isVisits ? [{ ...of, table: 'hits' as const, classes: hitClassesOf(name), before: at }] : []),
      ...(name === 'events' ? [{ ...of, table: 'events' as const, classes: [], before: at }] : []),
      ...(name === 'daily'
        ? DAILY_TABLE_NAMES.map((table) => ({ ...of, table, classes: [], before: day }))
        : []),
    ];
    const state: OutlivedState[] = [
      ...(STATE_TABLES[name] ?? []).map(([table, column]) => ({ ...of, table, column, before: at })),
      ...(name === 'daily'
        ? DAY_TABLES.map((table) => ({ ...of, table, column: 'day', before: dateOf(day) }))
        : []),
    ];
    return [{ key, property, name, days, day, at, warehouse, state }];
  });
}
