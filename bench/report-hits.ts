/** Hits for the measurement of reports: made inside the engine, since fifty million of them would take an hour over the wire. */
import { DAY_MS } from '@ghostlight/core/time';
import type { Warehouse } from '../packages/server/src/warehouse/index.ts';

export interface Owned {
  readonly organizationId: string;
  readonly attributionId: string;
}

/** Rows of one statement: seconds of work, far below the client's time-out. */
const ROWS_AT_ONCE = 1_000_000;
export const DAYS = 90;

/** Name, vendor, engine, intent, home country; the most active first. */
const BOTS = [
  ['GPTBot', 'OpenAI', 'openai', 'training', 'US'],
  ['ClaudeBot', 'Anthropic', 'anthropic', 'training', 'US'],
  ['ChatGPT-User', 'OpenAI', 'openai', 'on_demand', 'US'],
  ['meta-externalagent', 'Meta', 'meta', 'training', 'US'],
  ['OAI-SearchBot', 'OpenAI', 'openai', 'search', 'US'],
  ['Bytespider', 'ByteDance', 'bytedance', 'training', 'CN'],
  ['PerplexityBot', 'Perplexity', 'perplexity', 'search', 'US'],
  ['Amazonbot', 'Amazon', 'amazon', 'training', 'US'],
  ['Applebot', 'Apple', 'apple', 'search', 'US'],
  ['CCBot', 'Common Crawl', 'commoncrawl', 'training', 'US'],
  ['Perplexity-User', 'Perplexity', 'perplexity', 'on_demand', 'US'],
  ['Claude-User', 'Anthropic', 'anthropic', 'on_demand', 'US'],
  ['Claude-SearchBot', 'Anthropic', 'anthropic', 'search', 'US'],
  ['GoogleOther', 'Google', 'google', 'training', 'US'],
  ['DuckAssistBot', 'DuckDuckGo', 'duckduckgo', 'on_demand', 'US'],
  ['MistralAI-User', 'Mistral', 'mistral', 'on_demand', 'SE'],
  ['PetalBot', 'Huawei', 'huawei', 'search', 'SG'],
  ['Diffbot', 'Diffbot', 'diffbot', 'training', 'US'],
  ['YouBot', 'You.com', 'you', 'search', 'US'],
  ['DeepSeekBot', 'DeepSeek', 'deepseek', 'training', 'CN'],
] as const;
const COUNTRIES = ['US', 'DE', 'GB', 'FR', 'NL', 'SE', 'JP', 'IN', 'BR', 'CA', 'AU', 'ES'];
const ENGINES = ['ChatGPT', 'ChatGPT', 'ChatGPT', 'Perplexity', 'Gemini', 'Claude', 'Copilot'];

const texts = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`;
const bots = (column: 0 | 1 | 2 | 3 | 4): string => `${texts(BOTS.map((bot) => bot[column]))}[b]`;
/** 0 to 1, another one for each salt. */
const chance = (salt: number): string => `(cityHash64(n, {seed:UInt64}, ${salt}) % 1000003) / 1000003`;

/**
 * Evenly over the days up to now; of a hundred hits 74 of AI bots (few of them most), 5 referrals, 21 samples. Pages: a few are read by
 * all, most now and then.
 */
export async function makeHits(
  warehouse: Warehouse,
  { organizationId, attributionId }: Owned,
  { hits, now, seed, done }: { hits: number; now: number; seed: number; done: (rows: number) => void },
): Promise<void> {
  const first = Math.floor(now / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS;
  const pages = Math.max(100, Math.min(20_000, Math.round(Math.sqrt(hits) * 4)));
  for (let from = 0; from < hits; from += ROWS_AT_ONCE) {
    const rows = Math.min(ROWS_AT_ONCE, hits - from);
    await warehouse.command(
      {
        sql: SQL,
        params: {
          organization: organizationId,
          property: attributionId,
          from,
          rows,
          first,
          step: (now - first) / hits,
          seed,
          pages,
        },
        settings: { max_execution_time: 280, max_memory_usage: 1_500_000_000, max_insert_threads: 1 },
      },
      'report',
    );
    done(rows);
  }
}

const SQL = `INSERT INTO hits (id, batch, organization_id, attribution_id, at, received_at, source, class, bot_name, vendor, engine, intent,
  verified, verified_by, signature_agent, referrer_engine, referral_signal, host, method, path, query_params, status, bytes, country, asn,
  user_agent, referrer, sample_ip, sample_rate, weight, other_bot, worker_version, ray_id, list_version)
WITH
  ${chance(1)} AS u_class, ${chance(2)} AS u_bot, ${chance(3)} AS u_page, ${chance(4)} AS u_status, ${chance(5)} AS u_proof,
  ${chance(6)} AS u_place, ${chance(7)} AS u_host,
  multiIf(u_class < 0.74, 'ai_bot', u_class < 0.79, 'ai_referral', 'sample') AS kind,
  toUInt32(1 + floor(pow(u_bot, 2.2) * ${BOTS.length})) AS b,
  toUInt32(floor(pow(u_page, 3) * {pages:UInt32})) AS p,
  kind = 'ai_bot' AND u_host >= 0.85 AS is_push,
  kind = 'ai_bot' AND u_proof < 0.04 AS is_spoofed,
  toUInt32(floor(u_place * ${COUNTRIES.length})) + 1 AS c
SELECT generateUUIDv4(n), toUUID('00000000-0000-4000-8000-000000000000'), {organization:UUID}, {property:UUID},
  fromUnixTimestamp64Milli(toInt64({first:Int64} + n * {step:Float64})) AS t, t,
  if(is_push, 'edge_logpush', 'edge_worker'), kind,
  if(kind = 'ai_bot', ${bots(0)}, ''), if(kind = 'ai_bot', ${bots(1)}, ''), if(kind = 'ai_bot', ${bots(2)}, ''),
  if(kind = 'ai_bot', ${bots(3)}, ''),
  if(kind != 'ai_bot', NULL, if(is_spoofed, false, if(b % 4 = 0, NULL, true))) AS proof,
  if(proof, if(is_push, 'server_cidr', 'edge_cidr'), ''), '',
  if(kind = 'ai_referral', ${texts(ENGINES)}[1 + p % ${ENGINES.length}], ''),
  if(kind = 'ai_referral', if(u_proof < 0.7, 'referrer', 'utm_source'), ''),
  if(is_push, 'help.shop.example', if(u_host < 0.1, 'blog.shop.example', 'shop.example')), 'GET',
  concat('/', ['products', 'products', 'guides', 'blog', 'docs'][1 + p % 5], '/', toString(p % 97), '/page-', toString(p)),
  map(), multiIf(u_status < 0.92, 200, u_status < 0.94, 301, u_status < 0.955, 304, u_status < 0.99, 404, 500),
  toUInt64(4000 + p % 50000),
  if(kind = 'ai_bot' AND NOT is_spoofed, ${bots(4)}, ${texts(COUNTRIES)}[c]), toUInt32(is_spoofed ? 14061 + c : 8075),
  concat('Mozilla/5.0 (compatible; ', ${bots(0)}, '/1.0)'), '', if(kind = 'sample', '198.51.100.0', ''),
  if(kind = 'sample', 0.02, 0), if(kind = 'sample', 50, 1), kind = 'sample' AND u_proof < 0.15, if(u_host < 0.1, '0.4.1', '0.5.0'),
  hex(cityHash64(n, {seed:UInt64})), 4
FROM (SELECT number + {from:UInt64} AS n FROM numbers({rows:UInt64}))`;
