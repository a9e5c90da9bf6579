/** The tables of reports as types. The counts are in the warehouse; these tables say which of its rows are current. */

/** Of which run a property's closed day is read. Changing the row replaces the day, whole and at once. */
interface DailyRowsTable {
  attribution_id: string;
  /** `YYYY-MM-DD`, of the property's time zone when it was counted. */
  day: string;
  organization_id: string;
  /** The `run` column of `daily_bot_pages`. */
  run: number;
  /** Raw hits that the run counted. The day is counted again when there are more, and never when there are fewer. */
  hits: number;
  /** Between which moments the hits lie, epoch milliseconds, the end outside; null: a day in UTC, counted before properties had a time zone. */
  starts_at: number | null;
  ends_at: number | null;
  /** The run that has rows in every daily table; another than `run`, or null: it was counted by a version with fewer of them. */
  complete_run: number | null;
}

/** Rows of the warehouse that no day is read of: replaced, or of a run that a crash cut off. Deleted after an hour. */
interface DailyLeftoversTable {
  run: number;
  attribution_id: string;
  day: string;
  organization_id: string;
  at: number;
}

interface SitemapsTable {
  attribution_id: string;
  organization_id: string;
  /** As a person gave it; null: found by robots.txt, else `/sitemap.xml`. */
  configured_url: string | null;
  /** Where the last good reading began. */
  url: string | null;
  /** A reader has used it since then; null: none. */
  reading_since: number | null;
  tried_at: number | null;
  fetched_at: number | null;
  /** Why the last reading failed, as a word. */
  error: string | null;
  /** Of `sitemap_pages`, of the last good reading. */
  version: number | null;
  /** SHA-256 of its pages: the same ones are not stored again. */
  digest: string | null;
  pages: number;
  /** Addresses that are not of this site. */
  skipped: number;
  /** 1: there were more than are kept. */
  truncated: number;
  /** JSON: host → the rules of its robots.txt; a host whose file could not be read is absent. */
  robots: string | null;
}

/** When a bot came to a property first, spoofed visits aside. */
interface BotFirstsTable {
  organization_id: string;
  attribution_id: string;
  bot: string;
  first_at: number;
}

/** Until when a property's hits have been stored that `bot_firsts` knows. */
interface BotFirstsLearntTable {
  organization_id: string;
  attribution_id: string;
  until: number;
}

/** A day on which a property was over its quota: what was dropped is missing in its figures. Times in epoch milliseconds. */
interface OverQuotaDaysTable {
  organization_id: string;
  attribution_id: string;
  /** `YYYY-MM-DD`, of the property's time zone. */
  day: string;
  /** Since when samples were dropped. */
  over_at: number;
  /** Since when all visits were; null: they were not. */
  closed_at: number | null;
  /** Until when: the end of the day, or when the quota was raised. */
  closed_until: number | null;
}

export interface ReportTables {
  bot_firsts: BotFirstsTable;
  bot_firsts_learnt: BotFirstsLearntTable;
  daily_rows: DailyRowsTable;
  daily_leftovers: DailyLeftoversTable;
  over_quota_days: OverQuotaDaysTable;
  sitemaps: SitemapsTable;
}
