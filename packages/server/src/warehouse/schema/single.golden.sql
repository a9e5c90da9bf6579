CREATE TABLE IF NOT EXISTS schema_migrations
(
  version UInt32,
  name String,
  applied_at DateTime64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY version
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS hits
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
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (attribution_id, at, id)
TTL toDateTime(at) + toIntervalDay(400)
SETTINGS
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS events
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
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (attribution_id, at, id)
TTL toDateTime(at) + toIntervalDay(400)
SETTINGS
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;

ALTER TABLE hits ADD COLUMN IF NOT EXISTS other_bot Bool DEFAULT false AFTER weight;

ALTER TABLE hits ADD COLUMN IF NOT EXISTS stored_at DateTime64(3, 'UTC') DEFAULT received_at CODEC(DoubleDelta, ZSTD(1));

ALTER TABLE hits ADD INDEX IF NOT EXISTS stored_at_range stored_at TYPE minmax GRANULARITY 1;

CREATE TABLE IF NOT EXISTS daily_totals
(
  organization_id UUID,
  attribution_id UUID,
  day Date,
  run UInt64,
  class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3),
  bot_name LowCardinality(String),
  vendor LowCardinality(String),
  engine LowCardinality(String),
  intent Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4),
  verified Nullable(Bool),
  referrer_engine LowCardinality(String),
  source Enum8('edge_worker' = 1, 'edge_logpush' = 2),
  verified_by Enum8('' = 0, 'signature' = 1, 'edge_cidr' = 2, 'edge_platform' = 3, 'server_cidr' = 4),
  asset Bool,
  sample_rate Float64,
  other_bot Bool,
  worker_version LowCardinality(String),
  referral_signal Enum8('' = 0, 'referrer' = 1, 'app' = 2, 'utm_source' = 3),
  host LowCardinality(String),
  status UInt16,
  hits UInt64,
  weight Float64,
  estimated Float64,
  bytes Float64,
  first_at DateTime64(3, 'UTC') CODEC(T64, LZ4),
  last_at DateTime64(3, 'UTC') CODEC(T64, LZ4),
  last_received_at DateTime64(3, 'UTC') CODEC(T64, LZ4)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (attribution_id, class, day, run, bot_name)
TTL day + toIntervalDay(1096)
SETTINGS
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS daily_pages
(
  organization_id UUID,
  attribution_id UUID,
  day Date,
  run UInt64,
  class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3),
  bot_name LowCardinality(String),
  vendor LowCardinality(String),
  engine LowCardinality(String),
  intent Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4),
  verified Nullable(Bool),
  referrer_engine LowCardinality(String),
  referral_signal Enum8('' = 0, 'referrer' = 1, 'app' = 2, 'utm_source' = 3),
  host LowCardinality(String),
  path String,
  page UInt64,
  status UInt16,
  weight Float64,
  estimated Float64,
  bytes Float64,
  first_at DateTime64(3, 'UTC') CODEC(T64, LZ4),
  last_at DateTime64(3, 'UTC') CODEC(T64, LZ4)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (attribution_id, class, status, day, run, host, path, bot_name)
TTL day + toIntervalDay(1096)
SETTINGS
  index_granularity = 1024,
  min_compress_block_size = 8192,
  max_compress_block_size = 65536,
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS daily_bot_pages
(
  organization_id UUID,
  attribution_id UUID,
  day Date,
  run UInt64,
  source Enum8('edge_worker' = 1, 'edge_logpush' = 2),
  class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3),
  bot_name LowCardinality(String),
  vendor LowCardinality(String),
  engine LowCardinality(String),
  intent Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4),
  verified Nullable(Bool),
  verified_by Enum8('' = 0, 'signature' = 1, 'edge_cidr' = 2, 'edge_platform' = 3, 'server_cidr' = 4),
  referrer_engine LowCardinality(String),
  referral_signal Enum8('' = 0, 'referrer' = 1, 'app' = 2, 'utm_source' = 3),
  host LowCardinality(String),
  path String,
  page UInt64,
  asset Bool,
  status UInt16,
  country LowCardinality(String),
  asn UInt32,
  sample_rate Float64,
  other_bot Bool,
  worker_version LowCardinality(String),
  hits UInt64,
  weight Float64,
  estimated Float64,
  bytes Float64,
  first_at DateTime64(3, 'UTC') CODEC(T64, LZ4),
  last_at DateTime64(3, 'UTC') CODEC(T64, LZ4),
  last_received_at DateTime64(3, 'UTC') CODEC(T64, LZ4)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (attribution_id, class, day, run, country, bot_name, host, path)
TTL day + toIntervalDay(1096)
SETTINGS
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS sitemap_pages
(
  organization_id UUID,
  attribution_id UUID,
  version UInt64,
  host LowCardinality(String),
  path String CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (attribution_id, version, host, path)
SETTINGS
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;

ALTER TABLE hits ADD COLUMN IF NOT EXISTS verdict_reason LowCardinality(String) DEFAULT '' AFTER verified_by;

ALTER TABLE hits ADD COLUMN IF NOT EXISTS ranges_as_of LowCardinality(String) DEFAULT '' AFTER verdict_reason;

ALTER TABLE hits DROP INDEX IF EXISTS ray_bloom;

ALTER TABLE daily_totals ADD COLUMN IF NOT EXISTS verdict_reason LowCardinality(String) DEFAULT '' AFTER verified_by;

ALTER TABLE daily_bot_pages ADD COLUMN IF NOT EXISTS verdict_reason LowCardinality(String) DEFAULT '' AFTER verified_by;

ALTER TABLE daily_pages ADD COLUMN IF NOT EXISTS asset Bool DEFAULT (startsWith(path, '/.well-known/') OR startsWith(path, '/cdn-cgi/') OR startsWith(path, '/wp-json/') OR startsWith(path, '/_next/') OR startsWith(path, '/_nuxt/') OR match(path, '(?:[.](?:[cC][sS][sS]|[jJ][sS]|[mM][jJ][sS]|[cC][jJ][sS]|[mM][aA][pP]|[wW][aA][sS][mM]|[jJ][sS][oO][nN]|[jJ][sS][oO][nN][lL][dD]|[gG][eE][oO][jJ][sS][oO][nN]|[nN][dD][jJ][sS][oO][nN]|[jJ][sS][oO][nN][lL]|[wW][eE][bB][mM][aA][nN][iI][fF][eE][sS][tT]|[xX][mM][lL]|[xX][sS][lL]|[xX][sS][lL][tT]|[xX][sS][dD]|[rR][dD][fF]|[rR][sS][sS]|[aA][tT][oO][mM]|[tT][xX][tT]|[mM][dD]|[mM][dD][xX]|[mM][aA][rR][kK][dD][oO][wW][nN]|[rR][sS][tT]|[yY][aA][mM][lL]|[yY][mM][lL]|[tT][oO][mM][lL]|[iI][nN][iI]|[eE][nN][vV]|[lL][oO][gG]|[sS][qQ][lL]|[cC][sS][vV]|[tT][sS][vV]|[iI][cC][sS]|[vV][cC][fF]|[kK][mM][lL]|[gG][pP][xX]|[bB][iI][bB]|[pP][nN][gG]|[jJ][pP][gG]|[jJ][pP][eE][gG]|[jJ][fF][iI][fF]|[gG][iI][fF]|[wW][eE][bB][pP]|[aA][vV][iI][fF]|[hH][eE][iI][cC]|[jJ][xX][lL]|[sS][vV][gG]|[iI][cC][oO]|[bB][mM][pP]|[tT][iI][fF]|[tT][iI][fF][fF]|[cC][uU][rR]|[wW][oO][fF][fF]|[wW][oO][fF][fF]2|[tT][tT][fF]|[oO][tT][fF]|[eE][oO][tT]|[mM][pP]3|[mM][pP]4|[mM]4[aA]|[mM]4[vV]|[mM]3[uU]8|[mM][pP][dD]|[tT][sS]|[wW][eE][bB][mM]|[oO][gG][gG]|[oO][gG][vV]|[oO][gG][aA]|[oO][pP][uU][sS]|[wW][aA][vV]|[aA][aA][cC]|[fF][lL][aA][cC]|[mM][oO][vV]|[aA][vV][iI]|[mM][kK][vV]|[vV][tT][tT]|[sS][rR][tT]|[pP][dD][fF]|[pP][sS]|[eE][pP][sS]|[eE][pP][uU][bB]|[mM][oO][bB][iI]|[dD][oO][cC]|[dD][oO][cC][xX]|[oO][dD][tT]|[rR][tT][fF]|[xX][lL][sS]|[xX][lL][sS][xX]|[oO][dD][sS]|[pP][pP][tT]|[pP][pP][tT][xX]|[oO][dD][pP]|[zZ][iI][pP]|[gG][zZ]|[tT][gG][zZ]|[bB][rR]|[bB][zZ]2|[xX][zZ]|[zZ][sS][tT]|[rR][aA][rR]|7[zZ]|[tT][aA][rR]|[iI][sS][oO]|[dD][mM][gG]|[eE][xX][eE]|[mM][sS][iI]|[aA][pP][kK]|[dD][eE][bB]|[rR][pP][mM]|[jJ][aA][rR]|[pP][eE][mM]|[cC][rR][tT]|[aA][sS][cC]|[sS][iI][gG]|[bB][iI][nN])|/(?:[fF][eE][eE][dD]|[rR][sS][sS]|[rR][sS][sS]2|[aA][tT][oO][mM])/?)$')) AFTER page;

ALTER TABLE daily_pages MATERIALIZE COLUMN asset;

ALTER TABLE daily_bot_pages UPDATE asset = (startsWith(path, '/.well-known/') OR startsWith(path, '/cdn-cgi/') OR startsWith(path, '/wp-json/') OR startsWith(path, '/_next/') OR startsWith(path, '/_nuxt/') OR match(path, '(?:[.](?:[cC][sS][sS]|[jJ][sS]|[mM][jJ][sS]|[cC][jJ][sS]|[mM][aA][pP]|[wW][aA][sS][mM]|[jJ][sS][oO][nN]|[jJ][sS][oO][nN][lL][dD]|[gG][eE][oO][jJ][sS][oO][nN]|[nN][dD][jJ][sS][oO][nN]|[jJ][sS][oO][nN][lL]|[wW][eE][bB][mM][aA][nN][iI][fF][eE][sS][tT]|[xX][mM][lL]|[xX][sS][lL]|[xX][sS][lL][tT]|[xX][sS][dD]|[rR][dD][fF]|[rR][sS][sS]|[aA][tT][oO][mM]|[tT][xX][tT]|[mM][dD]|[mM][dD][xX]|[mM][aA][rR][kK][dD][oO][wW][nN]|[rR][sS][tT]|[yY][aA][mM][lL]|[yY][mM][lL]|[tT][oO][mM][lL]|[iI][nN][iI]|[eE][nN][vV]|[lL][oO][gG]|[sS][qQ][lL]|[cC][sS][vV]|[tT][sS][vV]|[iI][cC][sS]|[vV][cC][fF]|[kK][mM][lL]|[gG][pP][xX]|[bB][iI][bB]|[pP][nN][gG]|[jJ][pP][gG]|[jJ][pP][eE][gG]|[jJ][fF][iI][fF]|[gG][iI][fF]|[wW][eE][bB][pP]|[aA][vV][iI][fF]|[hH][eE][iI][cC]|[jJ][xX][lL]|[sS][vV][gG]|[iI][cC][oO]|[bB][mM][pP]|[tT][iI][fF]|[tT][iI][fF][fF]|[cC][uU][rR]|[wW][oO][fF][fF]|[wW][oO][fF][fF]2|[tT][tT][fF]|[oO][tT][fF]|[eE][oO][tT]|[mM][pP]3|[mM][pP]4|[mM]4[aA]|[mM]4[vV]|[mM]3[uU]8|[mM][pP][dD]|[tT][sS]|[wW][eE][bB][mM]|[oO][gG][gG]|[oO][gG][vV]|[oO][gG][aA]|[oO][pP][uU][sS]|[wW][aA][vV]|[aA][aA][cC]|[fF][lL][aA][cC]|[mM][oO][vV]|[aA][vV][iI]|[mM][kK][vV]|[vV][tT][tT]|[sS][rR][tT]|[pP][dD][fF]|[pP][sS]|[eE][pP][sS]|[eE][pP][uU][bB]|[mM][oO][bB][iI]|[dD][oO][cC]|[dD][oO][cC][xX]|[oO][dD][tT]|[rR][tT][fF]|[xX][lL][sS]|[xX][lL][sS][xX]|[oO][dD][sS]|[pP][pP][tT]|[pP][pP][tT][xX]|[oO][dD][pP]|[zZ][iI][pP]|[gG][zZ]|[tT][gG][zZ]|[bB][rR]|[bB][zZ]2|[xX][zZ]|[zZ][sS][tT]|[rR][aA][rR]|7[zZ]|[tT][aA][rR]|[iI][sS][oO]|[dD][mM][gG]|[eE][xX][eE]|[mM][sS][iI]|[aA][pP][kK]|[dD][eE][bB]|[rR][pP][mM]|[jJ][aA][rR]|[pP][eE][mM]|[cC][rR][tT]|[aA][sS][cC]|[sS][iI][gG]|[bB][iI][nN])|/(?:[fF][eE][eE][dD]|[rR][sS][sS]|[rR][sS][sS]2|[aA][tT][oO][mM])/?)$')) WHERE asset != (startsWith(path, '/.well-known/') OR startsWith(path, '/cdn-cgi/') OR startsWith(path, '/wp-json/') OR startsWith(path, '/_next/') OR startsWith(path, '/_nuxt/') OR match(path, '(?:[.](?:[cC][sS][sS]|[jJ][sS]|[mM][jJ][sS]|[cC][jJ][sS]|[mM][aA][pP]|[wW][aA][sS][mM]|[jJ][sS][oO][nN]|[jJ][sS][oO][nN][lL][dD]|[gG][eE][oO][jJ][sS][oO][nN]|[nN][dD][jJ][sS][oO][nN]|[jJ][sS][oO][nN][lL]|[wW][eE][bB][mM][aA][nN][iI][fF][eE][sS][tT]|[xX][mM][lL]|[xX][sS][lL]|[xX][sS][lL][tT]|[xX][sS][dD]|[rR][dD][fF]|[rR][sS][sS]|[aA][tT][oO][mM]|[tT][xX][tT]|[mM][dD]|[mM][dD][xX]|[mM][aA][rR][kK][dD][oO][wW][nN]|[rR][sS][tT]|[yY][aA][mM][lL]|[yY][mM][lL]|[tT][oO][mM][lL]|[iI][nN][iI]|[eE][nN][vV]|[lL][oO][gG]|[sS][qQ][lL]|[cC][sS][vV]|[tT][sS][vV]|[iI][cC][sS]|[vV][cC][fF]|[kK][mM][lL]|[gG][pP][xX]|[bB][iI][bB]|[pP][nN][gG]|[jJ][pP][gG]|[jJ][pP][eE][gG]|[jJ][fF][iI][fF]|[gG][iI][fF]|[wW][eE][bB][pP]|[aA][vV][iI][fF]|[hH][eE][iI][cC]|[jJ][xX][lL]|[sS][vV][gG]|[iI][cC][oO]|[bB][mM][pP]|[tT][iI][fF]|[tT][iI][fF][fF]|[cC][uU][rR]|[wW][oO][fF][fF]|[wW][oO][fF][fF]2|[tT][tT][fF]|[oO][tT][fF]|[eE][oO][tT]|[mM][pP]3|[mM][pP]4|[mM]4[aA]|[mM]4[vV]|[mM]3[uU]8|[mM][pP][dD]|[tT][sS]|[wW][eE][bB][mM]|[oO][gG][gG]|[oO][gG][vV]|[oO][gG][aA]|[oO][pP][uU][sS]|[wW][aA][vV]|[aA][aA][cC]|[fF][lL][aA][cC]|[mM][oO][vV]|[aA][vV][iI]|[mM][kK][vV]|[vV][tT][tT]|[sS][rR][tT]|[pP][dD][fF]|[pP][sS]|[eE][pP][sS]|[eE][pP][uU][bB]|[mM][oO][bB][iI]|[dD][oO][cC]|[dD][oO][cC][xX]|[oO][dD][tT]|[rR][tT][fF]|[xX][lL][sS]|[xX][lL][sS][xX]|[oO][dD][sS]|[pP][pP][tT]|[pP][pP][tT][xX]|[oO][dD][pP]|[zZ][iI][pP]|[gG][zZ]|[tT][gG][zZ]|[bB][rR]|[bB][zZ]2|[xX][zZ]|[zZ][sS][tT]|[rR][aA][rR]|7[zZ]|[tT][aA][rR]|[iI][sS][oO]|[dD][mM][gG]|[eE][xX][eE]|[mM][sS][iI]|[aA][pP][kK]|[dD][eE][bB]|[rR][pP][mM]|[jJ][aA][rR]|[pP][eE][mM]|[cC][rR][tT]|[aA][sS][cC]|[sS][iI][gG]|[bB][iI][nN])|/(?:[fF][eE][eE][dD]|[rR][sS][sS]|[rR][sS][sS]2|[aA][tT][oO][mM])/?)$'));

ALTER TABLE hits MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4);

ALTER TABLE daily_totals MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4);

ALTER TABLE daily_pages MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4);

ALTER TABLE daily_bot_pages MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4);

ALTER TABLE hits ADD COLUMN IF NOT EXISTS asset Bool DEFAULT (startsWith(path, '/.well-known/') OR startsWith(path, '/cdn-cgi/') OR startsWith(path, '/wp-json/') OR startsWith(path, '/_next/') OR startsWith(path, '/_nuxt/') OR match(path, '(?:[.](?:[cC][sS][sS]|[jJ][sS]|[mM][jJ][sS]|[cC][jJ][sS]|[mM][aA][pP]|[wW][aA][sS][mM]|[jJ][sS][oO][nN]|[jJ][sS][oO][nN][lL][dD]|[gG][eE][oO][jJ][sS][oO][nN]|[nN][dD][jJ][sS][oO][nN]|[jJ][sS][oO][nN][lL]|[wW][eE][bB][mM][aA][nN][iI][fF][eE][sS][tT]|[xX][mM][lL]|[xX][sS][lL]|[xX][sS][lL][tT]|[xX][sS][dD]|[rR][dD][fF]|[rR][sS][sS]|[aA][tT][oO][mM]|[tT][xX][tT]|[mM][dD]|[mM][dD][xX]|[mM][aA][rR][kK][dD][oO][wW][nN]|[rR][sS][tT]|[yY][aA][mM][lL]|[yY][mM][lL]|[tT][oO][mM][lL]|[iI][nN][iI]|[eE][nN][vV]|[lL][oO][gG]|[sS][qQ][lL]|[cC][sS][vV]|[tT][sS][vV]|[iI][cC][sS]|[vV][cC][fF]|[kK][mM][lL]|[gG][pP][xX]|[bB][iI][bB]|[pP][nN][gG]|[jJ][pP][gG]|[jJ][pP][eE][gG]|[jJ][fF][iI][fF]|[gG][iI][fF]|[wW][eE][bB][pP]|[aA][vV][iI][fF]|[hH][eE][iI][cC]|[jJ][xX][lL]|[sS][vV][gG]|[iI][cC][oO]|[bB][mM][pP]|[tT][iI][fF]|[tT][iI][fF][fF]|[cC][uU][rR]|[wW][oO][fF][fF]|[wW][oO][fF][fF]2|[tT][tT][fF]|[oO][tT][fF]|[eE][oO][tT]|[mM][pP]3|[mM][pP]4|[mM]4[aA]|[mM]4[vV]|[mM]3[uU]8|[mM][pP][dD]|[tT][sS]|[wW][eE][bB][mM]|[oO][gG][gG]|[oO][gG][vV]|[oO][gG][aA]|[oO][pP][uU][sS]|[wW][aA][vV]|[aA][aA][cC]|[fF][lL][aA][cC]|[mM][oO][vV]|[aA][vV][iI]|[mM][kK][vV]|[vV][tT][tT]|[sS][rR][tT]|[pP][dD][fF]|[pP][sS]|[eE][pP][sS]|[eE][pP][uU][bB]|[mM][oO][bB][iI]|[dD][oO][cC]|[dD][oO][cC][xX]|[oO][dD][tT]|[rR][tT][fF]|[xX][lL][sS]|[xX][lL][sS][xX]|[oO][dD][sS]|[pP][pP][tT]|[pP][pP][tT][xX]|[oO][dD][pP]|[zZ][iI][pP]|[gG][zZ]|[tT][gG][zZ]|[bB][rR]|[bB][zZ]2|[xX][zZ]|[zZ][sS][tT]|[rR][aA][rR]|7[zZ]|[tT][aA][rR]|[iI][sS][oO]|[dD][mM][gG]|[eE][xX][eE]|[mM][sS][iI]|[aA][pP][kK]|[dD][eE][bB]|[rR][pP][mM]|[jJ][aA][rR]|[pP][eE][mM]|[cC][rR][tT]|[aA][sS][cC]|[sS][iI][gG]|[bB][iI][nN])|/(?:[fF][eE][eE][dD]|[rR][sS][sS]|[rR][sS][sS]2|[aA][tT][oO][mM])/?)$')) AFTER path;

ALTER TABLE hits MODIFY COLUMN source LowCardinality(String);

ALTER TABLE daily_totals MODIFY COLUMN source LowCardinality(String);

ALTER TABLE daily_bot_pages MODIFY COLUMN source LowCardinality(String);

ALTER TABLE hits ADD COLUMN IF NOT EXISTS waf_action LowCardinality(String) DEFAULT '' AFTER ray_id;

ALTER TABLE hits MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5);

ALTER TABLE daily_totals MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5);

ALTER TABLE daily_bot_pages MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5);

ALTER TABLE daily_totals ADD COLUMN IF NOT EXISTS covered LowCardinality(String) DEFAULT 'no' AFTER other_bot;

ALTER TABLE daily_bot_pages ADD COLUMN IF NOT EXISTS covered LowCardinality(String) DEFAULT 'no' AFTER other_bot;

ALTER TABLE daily_pages MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5);

ALTER TABLE hits MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6);

ALTER TABLE daily_totals MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6);

ALTER TABLE daily_pages MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6);

ALTER TABLE daily_bot_pages MODIFY COLUMN class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6);

CREATE TABLE IF NOT EXISTS daily_page_lists
(
  organization_id UUID,
  attribution_id UUID,
  day Date,
  run UInt64,
  class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6),
  genuine Bool,
  host LowCardinality(String),
  asset Bool,
  status UInt16,
  pages Array(UInt64) CODEC(NONE),
  weights Array(Float64)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (attribution_id, class, status, day, run)
TTL day + toIntervalDay(1096)
SETTINGS
  index_granularity = 64,
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS daily_bot_page_lists
(
  organization_id UUID,
  attribution_id UUID,
  day Date,
  run UInt64,
  class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6),
  bot_name LowCardinality(String),
  vendor LowCardinality(String),
  engine LowCardinality(String),
  intent Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4),
  verified Nullable(Bool),
  host LowCardinality(String),
  asset Bool,
  status UInt16,
  pages Array(UInt64) CODEC(NONE),
  weights Array(Float64)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (attribution_id, class, bot_name, status, day, run)
TTL day + toIntervalDay(1096)
SETTINGS
  index_granularity = 64,
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS daily_page_days
(
  organization_id UUID,
  attribution_id UUID,
  day Date,
  run UInt64,
  class Enum8('ai_bot' = 1, 'ai_referral' = 2, 'sample' = 3, 'search_engine' = 4, 'counted' = 5, 'test' = 6),
  bot_name LowCardinality(String),
  vendor LowCardinality(String),
  engine LowCardinality(String),
  intent Enum8('' = 0, 'training' = 1, 'search' = 2, 'on_demand' = 3, 'other' = 4),
  verified Nullable(Bool),
  host LowCardinality(String),
  path String,
  page UInt64,
  asset Bool,
  status UInt16,
  weight Float64,
  estimated Float64,
  bytes Float64,
  first_at DateTime64(3, 'UTC') CODEC(T64, LZ4),
  last_at DateTime64(3, 'UTC') CODEC(T64, LZ4)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (attribution_id, class, page, day, run)
TTL day + toIntervalDay(1096)
SETTINGS
  index_granularity = 1024,
  min_compress_block_size = 8192,
  max_compress_block_size = 65536,
  non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1,
  fsync_part_directory = 1;
