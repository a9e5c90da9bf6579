/** The tables, as numbered steps. A step that has been released never changes: a correction is a new step. */
import { isAsset } from '../reports/assets.ts';

/**
 * Replicated tables: paths and names come from the server's macros. One shard is supported, with any number of replicas. `database`: a
 * database with the engine Replicated, which carries DDL to its replicas by itself and refuses both ON CLUSTER and explicit paths.
 */
export type Replication = false | 'database' | { readonly cluster: string };

export interface SchemaOptions {
  readonly replicated: Replication;
  readonly retentionDays: number;
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (options: SchemaOptions) => readonly string[];
}

const onCluster = ({ replicated }: SchemaOptions) =>
  typeof replicated !== 'object' ? '' : ` ON CLUSTER \`${checkedName(replicated.cluster)}\``;

function checkedName(name: string): string {
  if (!/^[\w.{}-]+$/.test(name)) throw new TypeError(`Not a cluster's name: ${name}`);
  return name;
}

const engine = ({ replicated }: SchemaOptions, table: string) =>
  typeof replicated !== 'object'
    ? replicated === false
      ? 'MergeTree'
      : 'ReplicatedMergeTree'
    : `ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/${table}', '{replica}')`;

/** A week, against the spool's longest outage; the default of an hour would let a late retry in twice. */
const deduplication = ({ replicated }: SchemaOptions) =>
  replicated === false
    ? 'non_replicated_deduplication_window = 1000'
    : 'replicated_deduplication_window = 10000,\n  replicated_deduplication_window_seconds = 604800';

/** The retention rule; `at` is the visit. */
export const retention = (days: number): string => `toDateTime(at) + toIntervalDay(${checkedDays(days)})`;

/**
 * 50 years at most: TTL is 32-bit seconds and wraps in 2106. Seen with 36,500 days: the rule lay in the past, and the first merge
 * deleted every row without a word.
 */
const MAX_RETENTION_DAYS = 18_250;

function checkedDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > MAX_RETENTION_DAYS) {
    throw new RangeError(`Raw hits can be kept for 1 to ${MAX_RETENTION_DAYS} days, not ${days}`);
  }
  return days;
}

export const schemaMigrations = (
  options: SchemaOptions,
): string => `CREATE TABLE IF NOT EXISTS schema_migrations${onCluster(options)}
(
  version UInt32,
  name String,
  applied_at DateTime64(3, 'UTC')
)
ENGINE = ${engine(options, 'schema_migrations')}
ORDER BY version
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1`;

/**
 * Order: a property's hits by time, so reports, export pages and counts read one stretch. Live asks by arrival: rows of a property arrive
 * nearly in the order of their visits, so the minmax index on `received_at` skips all but the last granules. `batch` is how the
 * shipper finds out after a crash whether a batch is in (its bloom index keeps that from reading a month). Parts that merge and TTL
 * moves are the engine's; no materialised view, because it would count a retried block twice.
 */
const hits = (options: SchemaOptions): string => `CREATE TABLE IF NOT EXISTS hits${onCluster(options)}
(
  id UUID,
  batch UUID,
  organization_id UUID,
  attribution_id UUID,
  at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  source Enum8('edge_worker' = 1, 'edge_logpush' = 2),
  class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3),
  bot_name LowCardinality(String),
  vendor LowCardinality(String),
  engine LowCardinality(String),
  intent Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4),
  verified Nullable(Bool),
  verified_by Enum8('' = 0, 'signature' = 1, 'edge_cidr' = 2, 'edge_platform' = 3, 'server_cidr' = 4),
  signature_agent String CODEC(ZSTD(1)),
  referrer_engine LowCardinality(String),
  referral_signal Enum8('' = 0, 'referrer' = 1, 'app' = 2, 'utm_source' = 3),
  host LowCardinality(String),
  method LowCardinality(String),
  path String CODEC(ZSTD(1)),
  query_params Map(String, String) CODEC(ZSTD(1)),
  status UInt16,
  bytes UInt64,
  country LowCardinality(String),
  asn UInt32,
  user_agent String CODEC(ZSTD(1)),
  referrer String CODEC(ZSTD(1)),
  sample_ip String,
  sample_rate Float64,
  weight Float64,
  worker_version LowCardinality(String),
  ray_id String CODEC(ZSTD(1)),
  list_version UInt32,
  INDEX received_at_range received_at TYPE minmax GRANULARITY 1,
  INDEX batch_bloom batch TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX ray_bloom ray_id TYPE bloom_filter(0.001) GRANULARITY 1,
  CONSTRAINT address_of_samples_only CHECK sample_ip = '' OR class = 'sample'
)
ENGINE = ${engine(options, 'hits')}
PARTITION BY toYYYYMM(at)
ORDER BY (attribution_id, at, id)
TTL ${retention(options.retentionDays)}
SETTINGS
  ${deduplication(options)},
  fsync_after_insert = 1,
  fsync_part_directory = 1`;

/**
 * Browser events: what pages reported. `id` follows from the event's id, so that a repetition is known by it; a visitor's rows
 * are found by `visitor_id` when they are to be erased. No address, and no query beside what campaigns put there.
 */
const events = (options: SchemaOptions): string => `CREATE TABLE IF NOT EXISTS events${onCluster(options)}
(
  id UUID,
  batch UUID,
  organization_id UUID,
  attribution_id UUID,
  at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  event_name LowCardinality(String),
  visitor_id String CODEC(ZSTD(1)),
  session_id String CODEC(ZSTD(1)),
  user_id String CODEC(ZSTD(1)),
  sdk_bot Bool,
  bot_name LowCardinality(String),
  vendor LowCardinality(String),
  intent Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4),
  host LowCardinality(String),
  path String CODEC(ZSTD(1)),
  query_params Map(String, String) CODEC(ZSTD(1)),
  title String CODEC(ZSTD(1)),
  referrer String CODEC(ZSTD(1)),
  user_agent String CODEC(ZSTD(1)),
  language LowCardinality(String),
  timezone LowCardinality(String),
  conversion_id String CODEC(ZSTD(1)),
  value String CODEC(ZSTD(1)),
  currency LowCardinality(String),
  params String CODEC(ZSTD(1)),
  lib LowCardinality(String),
  lib_version LowCardinality(String),
  INDEX received_at_range received_at TYPE minmax GRANULARITY 1,
  INDEX batch_bloom batch TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX visitor_bloom visitor_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ${engine(options, 'events')}
PARTITION BY toYYYYMM(at)
ORDER BY (attribution_id, at, id)
TTL ${retention(options.retentionDays)}
SETTINGS
  ${deduplication(options)},
  fsync_after_insert = 1,
  fsync_part_directory = 1`;

/**
 * What reports ask of a hit besides. `stored_at` is when its batch was inserted: `received_at` can't say which days have grown since a
 * moment, for a spool may hold a hit through hours of outage. Older rows use their arrival instead.
 */
const hitAdditions = (options: SchemaOptions): readonly string[] => [
  `ALTER TABLE hits${onCluster(options)} ADD COLUMN IF NOT EXISTS other_bot Bool DEFAULT false AFTER weight`,
  `ALTER TABLE hits${onCluster(options)} ADD COLUMN IF NOT EXISTS stored_at DateTime64(3, 'UTC') DEFAULT received_at CODEC(DoubleDelta, ZSTD(1))`,
  `ALTER TABLE hits${onCluster(options)} ADD INDEX IF NOT EXISTS stored_at_range stored_at TYPE minmax GRANULARITY 1`,
];

/**
 * Why a verdict is what it is. A text: the set of reasons grows, and an enumeration would have every new one rewrite the table's rows of
 * old nodes. Empty in older rows.
 */
const verdictReasons = (options: SchemaOptions): readonly string[] =>
  (
    [
      ['verdict_reason', 'verified_by'],
      ['ranges_as_of', 'verdict_reason'],
    ] as const
  ).map(
    ([column, after]) =>
      `ALTER TABLE hits${onCluster(options)} ADD COLUMN IF NOT EXISTS ${column} LowCardinality(String) DEFAULT '' AFTER ${after}`,
  );

/** And of closed days: older rows say nothing, as those hits do. */
const dailyReasons = (options: SchemaOptions): readonly string[] =>
  ['daily_totals', 'daily_bot_pages'].map(
    (table) =>
      `ALTER TABLE ${table}${onCluster(options)} ADD COLUMN IF NOT EXISTS verdict_reason LowCardinality(String) DEFAULT '' AFTER verified_by`,
  );

/**
 * Which paths are files, for older rows as well: where there is a path, it decides. `daily_totals` has none; its older days keep
 * the narrower rule of then until they are counted again (`reports/file-rule.ts`). The golden files hold the rule as of this step.
 */
const filesOfClosedDays = (options: SchemaOptions): readonly string[] => [
  `ALTER TABLE daily_pages${onCluster(options)} ADD COLUMN IF NOT EXISTS asset Bool DEFAULT ${isAsset('path')} AFTER page`,
  `ALTER TABLE daily_pages${onCluster(options)} MATERIALIZE COLUMN asset`,
  `ALTER TABLE daily_bot_pages${onCluster(options)} UPDATE asset = ${isAsset('path')} WHERE asset != ${isAsset('path')}`,
];

/**
 * Search crawlers, of properties that tell them apart. An enumeration that only grows rewrites no row, not in the sorting keys of daily
 * tables either.
 */
const searchEngineClass = (options: SchemaOptions): readonly string[] =>
  ['hits', 'daily_totals', 'daily_pages', 'daily_bot_pages'].map(
    (table) =>
      `ALTER TABLE ${table}${onCluster(options)} MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4)`,
  );

/** And of hits, found once when one is stored. Older rows compute it when they are read, until the engine merges their parts. */
const filesOfHits = (options: SchemaOptions): readonly string[] => [
  `ALTER TABLE hits${onCluster(options)} ADD COLUMN IF NOT EXISTS asset Bool DEFAULT ${isAsset('path')} AFTER path`,
];

/**
 * Any log source's name: a register holds them, and a new one changes no table. In no table's key, so that the engine writes this one column
 * again and leaves the others unchanged; until it has, older rows are read as what they name.
 */
const sourceNames = (options: SchemaOptions): readonly string[] =>
  ['hits', 'daily_totals', 'daily_bot_pages'].map(
    (table) => `ALTER TABLE ${table}${onCluster(options)} MODIFY COLUMN source LowCardinality(String)`,
  );

/** The platform's own word for it, of which a new one changes no table. Empty in older rows. */
const firewallActions = (options: SchemaOptions): readonly string[] => [
  `ALTER TABLE hits${onCluster(options)} ADD COLUMN IF NOT EXISTS waf_action LowCardinality(String) DEFAULT '' AFTER ray_id`,
];

/**
 * Other requests of logs that have all of them, as numbers: a row says how many there were in a quarter of an hour. And of closed days, whether
 * the hour of a hit was counted so. Older days were not.
 */
const countedRequests = (options: SchemaOptions): readonly string[] => [
  ...['hits', 'daily_totals', 'daily_bot_pages'].map(
    (table) =>
      `ALTER TABLE ${table}${onCluster(options)} MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5)`,
  ),
  ...['daily_totals', 'daily_bot_pages'].map(
    (table) =>
      `ALTER TABLE ${table}${onCluster(options)} ADD COLUMN IF NOT EXISTS covered LowCardinality(String) DEFAULT 'no' AFTER other_bot`,
  ),
];

/** The class has one type wherever it is: a report unites raw hits with daily rows, and the engine unites no two enumerations. */
const oneClass = (options: SchemaOptions): readonly string[] => [
  `ALTER TABLE daily_pages${onCluster(options)} MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5)`,
];

/** Visits that their senders made up. No daily row has the class, but all tables have one type for it. */
const testVisits = (options: SchemaOptions): readonly string[] =>
  ['hits', 'daily_totals', 'daily_pages', 'daily_bot_pages'].map(
    (table) =>
      `ALTER TABLE ${table}${onCluster(options)} MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6)`,
  );

const DAILY_COLUMNS = {
  source: `Enum8('edge_worker' = 1, 'edge_logpush' = 2)`,
  class: `Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3)`,
  bot_name: 'LowCardinality(String)',
  vendor: 'LowCardinality(String)',
  engine: 'LowCardinality(String)',
  intent: `Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4)`,
  verified: 'Nullable(Bool)',
  verified_by: `Enum8('' = 0, 'signature' = 1, 'edge_cidr' = 2, 'edge_platform' = 3, 'server_cidr' = 4)`,
  referrer_engine: 'LowCardinality(String)',
  referral_signal: `Enum8('' = 0, 'referrer' = 1, 'app' = 2, 'utm_source' = 3)`,
  host: 'LowCardinality(String)',
  path: 'String',
  page: 'UInt64',
  asset: 'Bool',
  status: 'UInt16',
  country: 'LowCardinality(String)',
  asn: 'UInt32',
  sample_rate: 'Float64',
  other_bot: 'Bool',
  worker_version: 'LowCardinality(String)',
  hits: 'UInt64',
  weight: 'Float64',
  estimated: 'Float64',
  bytes: 'Float64',
  first_at: `DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
  last_at: `DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
  last_received_at: `DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
} as const;
type DailyColumn = keyof typeof DAILY_COLUMNS;

/**
 * A closed day's hits added up, by the keys that the table's questions need. `run` names the recount that a row belongs to; which run of
 * a day counts is a row of the state database, so that a day is replaced in one step whatever its size, on either backend. Order: a
 * property's class, as every report reads, then mostly by day. LZ4, for these are read whole and often.
 */
const daily = (
  options: SchemaOptions,
  table: string,
  { columns, order, blocks = '' }: { columns: readonly DailyColumn[]; order: string; blocks?: string },
): string => `CREATE TABLE IF NOT EXISTS ${table}${onCluster(options)}
(
  organization_id UUID,
  attribution_id UUID,
  day Date,
  run UInt64,
  ${columns.map((name) => `${name} ${DAILY_COLUMNS[name]}`).join(',\n  ')}
)
ENGINE = ${engine(options, table)}
PARTITION BY toYYYYMM(day)
ORDER BY (attribution_id, class, ${order})
TTL day + toIntervalDay(${DAILY_ROWS_DAYS})
SETTINGS${blocks}
  ${deduplication(options)},
  fsync_after_insert = 1,
  fsync_part_directory = 1`;

/** Without pages: charts, totals, trust, shares, senders. */
const dailyTotals = (options: SchemaOptions): string =>
  daily(options, 'daily_totals', {
    columns: [
      ...(['class', 'bot_name', 'vendor', 'engine', 'intent', 'verified', 'referrer_engine'] as const),
      ...(['source', 'verified_by', 'asset', 'sample_rate', 'other_bot', 'worker_version'] as const),
      ...(['referral_signal', 'host', 'status'] as const),
      ...(['hits', 'weight', 'estimated', 'bytes', 'first_at', 'last_at', 'last_received_at'] as const),
    ],
    order: 'day, run, bot_name',
  });

/** Counting the few pages that a list shows then reads a fifth less, for 5% more on disk. */
const SMALL_BLOCKS = `
  index_granularity = 1024,
  min_compress_block_size = 8192,
  max_compress_block_size = 65536,`;

/** What each bot read, and where people landed. */
const dailyPages = (options: SchemaOptions): string =>
  daily(options, 'daily_pages', {
    columns: [
      ...(['class', 'bot_name', 'vendor', 'engine', 'intent', 'verified', 'referrer_engine'] as const),
      ...(['referral_signal', 'host', 'path', 'page', 'status'] as const),
      ...(['weight', 'estimated', 'bytes', 'first_at', 'last_at'] as const),
    ],
    // A few of a hundred visits fail, and the lists of those ask for nothing else: over all days their rows lie together.
    order: 'status, day, run, host, path, bot_name',
    blocks: SMALL_BLOCKS,
  });

/** By every key that a report groups or filters by. */
const dailyBotPages = (options: SchemaOptions): string =>
  daily(options, 'daily_bot_pages', {
    columns: Object.keys(DAILY_COLUMNS) as DailyColumn[],
    order: 'day, run, country, bot_name, host, path',
  });

const CLASS = `Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6)`;
const INTENT = `Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4)`;

/** Tables of AI bots that closed days get besides: by a job, because a long statement would hold up the start. */
const laterDaily = (
  options: SchemaOptions,
  table: string,
  { columns, order, blocks }: { columns: readonly string[]; order: string; blocks: string },
): string => `CREATE TABLE IF NOT EXISTS ${table}${onCluster(options)}
(
  organization_id UUID,
  attribution_id UUID,
  day Date,
  run UInt64,
  class ${CLASS},
  ${columns.join(',\n  ')}
)
ENGINE = ${engine(options, table)}
PARTITION BY toYYYYMM(day)
ORDER BY (attribution_id, class, ${order})
TTL day + toIntervalDay(${DAILY_ROWS_DAYS})
SETTINGS${blocks}
  ${deduplication(options)},
  fsync_after_insert = 1,
  fsync_part_directory = 1`;

/**
 * Which pages were asked for, as lists: a row has the keys once, and of up to 4,096 pages their numbers and weights. What ranks and counts pages
 * asks its conditions of a few lists instead of millions of rows. Numbers are hashes, which nothing makes smaller. A row is a list of thousands,
 * so a block has few.
 */
const LISTS = ['pages Array(UInt64) CODEC(NONE)', 'weights Array(Float64)'] as const;
const FEW_LISTS = `
  index_granularity = 64,`;
const BOT_COLUMNS = [
  'bot_name LowCardinality(String)',
  'vendor LowCardinality(String)',
  'engine LowCardinality(String)',
  `intent ${INTENT}`,
  'verified Nullable(Bool)',
] as const;
const dailyPageLists = (options: SchemaOptions): readonly string[] => [
  laterDaily(options, 'daily_page_lists', {
    columns: ['genuine Bool', 'host LowCardinality(String)', 'asset Bool', 'status UInt16', ...LISTS],
    order: 'status, day, run',
    blocks: FEW_LISTS,
  }),
  laterDaily(options, 'daily_bot_page_lists', {
    columns: [...BOT_COLUMNS, 'host LowCardinality(String)', 'asset Bool', 'status UInt16', ...LISTS],
    // A bot's pages follow each other, so that a set of them stays in the processor's cache.
    order: 'bot_name, status, day, run',
    blocks: FEW_LISTS,
  }),
  // The rows of `daily_pages` in the order of pages: the rows of the few that a list shows lie together.
  laterDaily(options, 'daily_page_days', {
    columns: [
      ...BOT_COLUMNS,
      ...['host LowCardinality(String)', 'path String', 'page UInt64', 'asset Bool', 'status UInt16'],
      ...['weight Float64', 'estimated Float64', 'bytes Float64'],
      ...[`first_at DateTime64(3, 'UTC') CODEC(T64, LZ4)`, `last_at DateTime64(3, 'UTC') CODEC(T64, LZ4)`],
    ],
    order: 'page, day, run',
    blocks: SMALL_BLOCKS,
  }),
];

/** Three years: reports ask for 400 days, and for the 400 before them. */
export const DAILY_ROWS_DAYS = 1_096;

/** The pages that a property's sitemap names; `version` is the reading that they come from, of which the state database knows the last good one. */
const sitemapPages = (
  options: SchemaOptions,
): string => `CREATE TABLE IF NOT EXISTS sitemap_pages${onCluster(options)}
(
  organization_id UUID,
  attribution_id UUID,
  version UInt64,
  host LowCardinality(String),
  path String CODEC(ZSTD(1))
)
ENGINE = ${engine(options, 'sitemap_pages')}
ORDER BY (attribution_id, version, host, path)
SETTINGS
  ${deduplication(options)},
  fsync_after_insert = 1,
  fsync_part_directory = 1`;

/** No table of the service: what `ghostlight move` has begun and finished here. A service refuses to start on what is not whole. */
export const moves = (
  replicated: Replication,
): string => `CREATE TABLE IF NOT EXISTS moves${onCluster({ replicated, retentionDays: 1 })}
(
  source String,
  state String,
  at DateTime64(3, 'UTC')
)
ENGINE = ${engine({ replicated, retentionDays: 1 }, 'moves')}
ORDER BY at
SETTINGS
  ${deduplication({ replicated, retentionDays: 1 })},
  fsync_after_insert = 1,
  fsync_part_directory = 1`;

/** No table of the service: `ghostlight doctor --warehouse` tries inserts in it. Rows leave it after a day. */
export const doctorProbe = (
  replicated: Replication,
): string => `CREATE TABLE IF NOT EXISTS doctor_probe${onCluster({ replicated, retentionDays: 1 })}
(
  probe UUID,
  n UInt8,
  at DateTime64(3, 'UTC')
)
ENGINE = ${engine({ replicated, retentionDays: 1 }, 'doctor_probe')}
ORDER BY probe
TTL ${retention(1)}
SETTINGS
  ${deduplication({ replicated, retentionDays: 1 })}`;

/** The tables of facts, which all are kept for the configured time. */
export const FACT_TABLES = ['hits', 'events'] as const;

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'hits', statements: (options) => [hits(options)] },
  { version: 2, name: 'events', statements: (options) => [events(options)] },
  {
    version: 3,
    name: 'reports',
    statements: (options) => [
      ...hitAdditions(options),
      ...[dailyTotals(options), dailyPages(options), dailyBotPages(options)],
      sitemapPages(options),
    ],
  },
  { version: 4, name: 'verdict reasons', statements: verdictReasons },
  // Hits of another node are found by their id, which follows from the ray: no question ever read this index.
  {
    version: 5,
    name: 'an index that nothing reads',
    statements: (options) => [`ALTER TABLE hits${onCluster(options)} DROP INDEX IF EXISTS ray_bloom`],
  },
  { version: 6, name: 'verdict reasons of closed days', statements: dailyReasons },
  { version: 7, name: 'files of closed days', statements: filesOfClosedDays },
  { version: 8, name: 'search crawlers', statements: searchEngineClass },
  { version: 9, name: 'files among hits', statements: filesOfHits },
  { version: 10, name: 'names of log sources', statements: sourceNames },
  { version: 11, name: 'what firewalls did', statements: firewallActions },
  { version: 12, name: 'counted requests', statements: countedRequests },
  { version: 13, name: 'one type of classes', statements: oneClass },
  { version: 14, name: 'test visits', statements: testVisits },
  { version: 15, name: 'lists of pages', statements: dailyPageLists },
];

/** Of this version. */
export const SCHEMA_STEP = MIGRATIONS.at(-1)?.version ?? 0;
