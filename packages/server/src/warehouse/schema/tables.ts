/** Every table of the warehouse, and what its rows are: what goes through all of them (deletion, takeout) reads this. */
export interface WarehouseTable {
  /** Its rows have `organization_id` and `attribution_id`. */
  readonly owned: boolean;
  /** What its rows are, for people: the plural. */
  readonly holds: string;
}

export const WAREHOUSE_TABLES = {
  hits: { owned: true, holds: 'visits' },
  events: { owned: true, holds: 'browser events' },
  daily_totals: { owned: true, holds: 'daily figures' },
  daily_pages: { owned: true, holds: 'daily figures of pages' },
  daily_page_lists: { owned: true, holds: 'daily lists of pages' },
  daily_bot_page_lists: { owned: true, holds: 'daily lists of bots and pages' },
  daily_page_days: { owned: true, holds: 'daily figures of AI bots’ pages' },
  daily_bot_pages: { owned: true, holds: 'daily figures of bots and pages' },
  sitemap_pages: { owned: true, holds: 'pages of sitemaps' },
  schema_migrations: { owned: false, holds: 'steps of the schema' },
} as const satisfies Readonly<Record<string, WarehouseTable>>;

export type OwnedTable = Exclude<keyof typeof WAREHOUSE_TABLES, 'schema_migrations'>;

export const OWNED_TABLES = Object.entries(WAREHOUSE_TABLES).flatMap(([name, { owned }]) =>
  owned ? [name as OwnedTable] : [],
);

/** Rows of closed days, of whichever form. */
export type DailyTableName = Extract<OwnedTable, `daily_${string}`>;
export const DAILY_TABLE_NAMES = OWNED_TABLES.filter((name): name is DailyTableName =>
  name.startsWith('daily_'),
);
