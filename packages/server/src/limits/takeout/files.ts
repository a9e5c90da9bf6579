/**
 * What a takeout contains: a file per table, with the columns that leave. The lists are what is allowed out, so that a column that is added
 * later (a secret, say) stays inside until it is named here.
 */
import type { TableName } from '../../database/index.ts';
import { HIT_COLUMNS, type OwnedTable } from '../../warehouse/index.ts';

export interface TakeoutFile<Table> {
  readonly table: Table;
  /** Of the README: what a line is. */
  readonly about: string;
  readonly columns: readonly string[];
}

const file = <Table>(table: Table, about: string, columns: string): TakeoutFile<Table> => ({
  ...{ table, about, columns: columns.split(' ') },
});

export const STATE_FILES: readonly TakeoutFile<TableName>[] = [
  file('organizations', 'The organization.', 'id name created_at'),
  file(
    'properties',
    'A property (a site).',
    'id name domain time_zone zone_since_day search_engines retention created_at updated_at deleted_at',
  ),
  file('members', 'A member of the organization.', 'person_id role created_at'),
  file(
    'api_tokens',
    'An API token, without the token.',
    'id attribution_id name prefix role created_by created_at expires_at last_used_at last_used_from revoked_at',
  ),
  file(
    'share_links',
    'A public link to reports, without the link and its password.',
    'id attribution_id name prefix created_by created_at expires_at last_used_at revoked_at',
  ),
  file(
    'report_mails',
    'An email report that a person subscribed to.',
    'attribution_id person_id every hour created_at last_sent_at',
  ),
  file('audit_log', 'A change: who did what, and when.', 'id at actor action subject request_id'),
  file(
    'deletions',
    'A deletion of a property with everything in it.',
    'id attribution_id name asked_by asked_at state found rest finished_at',
  ),
  file(
    'retention_runs',
    'What a property’s own retention has deleted.',
    'attribution_id class days cut_at at deleted total rest',
  ),
  file(
    'ingest_keys',
    'An ingest key, without the key and without the secrets of its source.',
    'id attribution_id name provider prefix created_at last_used_at last_used_from revoked_at expires_at',
  ),
  file(
    'event_settings',
    'Settings of browser events.',
    'attribution_id refuse_foreign_origins allowed_origins updated_at',
  ),
  file('visitors', 'A visitor who consented.', 'attribution_id visitor_id first_seen last_seen'),
  file(
    'sessions',
    'A session of a visitor.',
    'attribution_id visitor_id id started_at last_at landing_host landing_path referrer_host pages events',
  ),
  file(
    'touches',
    'An arrival that a conversion may be credited to.',
    'id attribution_id visitor_id session_id at paid channel consent region',
  ),
  file(
    'tracking_domains',
    'A custom tracking domain.',
    'domain attribution_id created_at verified_at checked_at failing_since',
  ),
  file(
    'webhook_settings',
    'How conversions are received.',
    'attribution_id enabled lookback_days consent_default updated_at',
  ),
  file(
    'webhook_keys',
    'A webhook key, without the key.',
    'id attribution_id name prefix rate_limit created_at last_used_at last_used_from revoked_at',
  ),
  file(
    'webhook_shops',
    'A connected shop platform, without its secret.',
    'id attribution_id platform created_at last_at stored repeated ignored unusable',
  ),
  file(
    'conversions',
    'A conversion, without the personal data of the customer.',
    'id attribution_id topic shop conversion_id refund_id event_name visitor_id occurred_at received_at value currency tax shipping discount_code lead_type products consent session_matched match_reason purchase_row model channel platform source medium campaign',
  ),
  file(
    'browser_conversions',
    'A conversion as the browser reported it.',
    'attribution_id topic conversion_id event_id visitor_id session_id at',
  ),
  file(
    'destinations',
    'A destination that conversions are sent to, without credentials.',
    'id attribution_id platform name config events paused created_at updated_at deleted_at',
  ),
  file(
    'deliveries',
    'A delivery: one conversion for one destination, without request and response.',
    'id attribution_id destination_id platform conversion_row topic conversion_id visitor_id state reason message platform_event attempts created_at sent_at settled_at',
  ),
  file(
    'webmcp_manifests',
    'The published manifest.',
    'attribution_id version document kid hosts tools issued_at expires_at published_at',
  ),
  file('webmcp_versions', 'A change of the manifest.', 'attribution_id version at actor action hosts tools'),
  file('webmcp_drafts', 'The draft of a manifest.', 'attribution_id body updated_at'),
  file(
    'sitemaps',
    'Where the sitemap is, and how it was read.',
    'attribution_id configured_url url fetched_at error pages skipped truncated',
  ),
  file(
    'daily_rows',
    'Which run of the daily figures counts for a day.',
    'attribution_id day run hits starts_at ends_at',
  ),
  file(
    'over_quota_days',
    'A day on which visits were dropped because the quota was reached.',
    'attribution_id day over_at closed_at closed_until',
  ),
  file('bot_firsts', 'When a bot first came.', 'attribution_id bot first_at'),
  file(
    'alert_rules',
    'An alert rule that differs from its default.',
    'attribution_id kind enabled threshold',
  ),
  file('alert_settings', 'How often alerts are repeated.', 'attribution_id repeat_hours'),
  file(
    'alert_channels',
    'Where alerts are sent, without address and secret.',
    'id attribution_id type name enabled created_at',
  ),
  file('alerts', 'An alert.', 'id attribution_id kind subject at resolved_at title text now usual unit'),
];

const DAILY = 'attribution_id day run class bot_name vendor engine intent verified';
export const WAREHOUSE_FILES: readonly TakeoutFile<OwnedTable>[] = [
  {
    table: 'hits',
    about: 'A visit, or a count of other requests (class counted).',
    columns: HIT_COLUMNS.filter((name) => name !== 'organization_id'),
  },
  file(
    'events',
    'A browser event.',
    'id attribution_id at received_at event_name visitor_id session_id user_id sdk_bot bot_name vendor intent host path query_params title referrer language timezone conversion_id value currency params lib lib_version',
  ),
  file(
    'daily_totals',
    'Daily figures without pages. Only the runs of daily_rows count.',
    `${DAILY} verdict_reason verified_by source asset sample_rate other_bot worker_version referrer_engine referral_signal host status hits weight estimated bytes first_at last_at`,
  ),
  file(
    'daily_pages',
    'Daily figures of pages. Only the runs of daily_rows count.',
    `${DAILY} referrer_engine referral_signal host path status weight estimated bytes first_at last_at`,
  ),
  file(
    'daily_bot_pages',
    'Daily figures by every key. Only the runs of daily_rows count.',
    `${DAILY} verdict_reason verified_by source asset sample_rate other_bot worker_version referrer_engine referral_signal host path status country asn hits weight estimated bytes first_at last_at`,
  ),
];

/** Tables with rows of an organization that no takeout has, and why. */
export const LEFT_OUT: Partial<Readonly<Record<TableName | OwnedTable, string>>> = {
  one_time_links: 'secrets',
  sign_in_sessions: 'secrets, and addresses of the team',
  member_properties: 'rights of the team in this installation',
  logpush_claims: 'digests of uploads, for two days',
  setup_signals: 'what the setup checker saw',
  quarantine: 'refused log objects, for seven days',
  seen_events: 'IDs of events, for three days',
  event_arrivals: 'when events came first',
  event_origins: 'what the setup checker saw',
  erased_visitors: 'marks of people who asked to be forgotten',
  webhook_redactions: 'people who asked to be forgotten',
  webhook_requests: 'request bodies, for 30 days; the results are in conversions',
  webmcp_keys: 'secrets',
  repeatable_requests: 'answers to requests of the API, for a day',
  daily_leftovers: 'rows that no report reads',
  daily_page_lists: 'of daily_pages, with pages by number',
  daily_bot_page_lists: 'of daily_pages, with pages by number',
  daily_page_days: 'of daily_pages, in another order',
  bot_firsts_learnt: 'internal bookkeeping',
  alert_watches: 'internal bookkeeping',
  alert_seen: 'internal bookkeeping',
  alert_messages: 'messages about alerts',
  sitemap_pages: 'what your sitemap says',
  takeouts: 'takeouts themselves',
};

/** Columns that name a person: they leave as SHA-256 of organization ID and value, so that tables can still be joined. */
const HASHED: ReadonlySet<string> = new Set(['visitor_id', 'session_id', 'user_id', 'sessions.id']);
/** Some columns are such IDs in every table, others in one. */
export const isHashed = (table: string, column: string): boolean =>
  HASHED.has(column) || HASHED.has(`${table}.${column}`);

/** What a column says, in every file that has it, or in that of one table. Times are epoch milliseconds, days `YYYY-MM-DD`. */
export const COLUMNS: Readonly<Record<string, string>> = {
  action: 'what was done',
  actor: 'who did it: root, person:ID, token:ID, or service',
  allowed_origins: 'JSON: hosts beside the domain',
  asked_at: 'when it was asked for',
  asked_by: 'who asked for it',
  asn: 'number of the visitor’s network; 0: unknown',
  asset: 'whether the path is a file',
  at: 'when it was',
  attempts: 'how often it was tried',
  attribution_id: 'ID of the property',
  body: 'JSON, as the editor left it',
  bot: 'name of the bot',
  bot_name: 'name of the bot; empty: none is known',
  bytes: 'bytes of the answer',
  campaign: 'campaign of the visit that is credited',
  channel: 'marketing channel',
  checked_at: 'when it was last checked',
  class:
    'ai_bot, ai_referral, sample, search_engine, counted, test (sent as a test, not counted); of retention: the class of data',
  closed_at: 'since when all visits were dropped; null: they were not',
  closed_until: 'until when all visits were dropped',
  config: 'JSON: IDs at the platform',
  configured_url: 'as entered',
  consent: 'JSON: what the visitor consented to',
  consent_default: 'consent that counts when none is sent',
  conversion_id: 'ID of the conversion at the sender',
  conversion_row: 'ID of the conversion, in conversions',
  country: 'country of the visitor (ISO alpha-2)',
  created_at: 'when it was made',
  created_by: 'who made it',
  currency: 'ISO 4217',
  cut_at: 'rows older than this were deleted',
  day: 'day of the property’s time zone',
  days: 'for how many days it is kept',
  deleted: 'rows deleted the last time',
  deleted_at: 'when it was deleted',
  destination_id: 'ID, in destinations',
  discount_code: 'discount code',
  document: 'the signed manifest',
  domain: 'host name',
  enabled: '1: on',
  ends_at: 'end of the day, not in it',
  engine: 'the AI product behind the bot',
  error: 'why the last reading failed',
  estimated: 'the part of the weight that comes from samples',
  event_id: 'ID of the browser event',
  event_name: 'name of the event',
  events: 'how many events; of destinations: JSON, which event goes where',
  every: 'week or month',
  expires_at: 'when it ends',
  failing_since: 'since when the check fails',
  fetched_at: 'when it was last read',
  finished_at: 'when it was over',
  first_at: 'the first time',
  first_seen: 'the first time',
  found: 'JSON: rows that were deleted, by table',
  hits: 'how many stored visits',
  host: 'host of the page',
  hosts: 'JSON: host names',
  hour: 'hour of the property’s time zone',
  id: 'ID of the row',
  ignored: 'deliveries that were ignored',
  intent: 'training, search, on_demand, other',
  issued_at: 'when it was signed',
  kid: 'ID of the signing key',
  kind: 'kind of alert',
  landing_host: 'host of the first page',
  landing_path: 'path of the first page',
  language: 'language of the browser',
  last_at: 'the last time',
  last_seen: 'the last time',
  last_sent_at: 'when it was last sent',
  last_used_at: 'when it was last used',
  last_used_from: 'network from which it was last used, /24 or /48',
  lead_type: 'type of the lead',
  lib: 'name of the SDK',
  lib_version: 'version of the SDK',
  list_version: 'version of the bot list',
  lookback_days: 'days from the click in which a conversion is credited',
  match_reason: 'why it was credited, or was not',
  medium: 'medium of the visit that is credited',
  message: 'a sentence about the state',
  method: 'method of the request',
  model: 'attribution model',
  name: 'its name',
  now: 'the figure that caused it',
  occurred_at: 'when it happened',
  other_bot: 'of samples: whether the visitor is a program',
  over_at: 'since when samples were dropped',
  pages: 'how many pages',
  paid: '1: by a paid click',
  params: 'JSON: free parameters',
  path: 'path of the page',
  paused: '1: paused by a person',
  person_id: 'ID of the person in this installation',
  platform: 'name of the platform',
  platform_event: 'the platform’s name of the event',
  prefix: 'its first characters',
  products: 'JSON: what was bought',
  provider: 'name of the log source',
  published_at: 'when it was published',
  purchase_row: 'of a refund: ID of its purchase',
  query_params: 'parameters of the query that are kept, click IDs of ads as they came',
  ranges_as_of: 'date of the address ranges that decided',
  rate_limit: 'requests per minute',
  ray_id: 'ID of the request at the edge',
  reason: 'why',
  received_at: 'when it arrived',
  referral_signal: 'how the referral was recognised',
  referrer: 'the referring address or host',
  referrer_engine: 'the AI product that referred',
  referrer_host: 'host that referred',
  refund_id: 'ID of the refund at the sender',
  refuse_foreign_origins: '1: events of other sites are refused',
  region: 'country of the browser’s time zone',
  repeat_hours: 'hours in which an alert is sent once',
  repeated: 'deliveries that came again',
  request_id: 'ID of the request that made the change',
  resolved_at: 'when it was over',
  rest: 'rows that the last count found left; of deletions: JSON by table',
  retention: 'JSON: days by class of data',
  revoked_at: 'when it was revoked',
  role: 'owner, admin, viewer',
  run: 'which count of the day it belongs to',
  sample_ip: 'of samples: the address, truncated to /24 or /48',
  sample_rate: 'of samples: the share that is sampled',
  sdk_bot: 'sent by a program',
  search_engines: '1: search crawlers are stored',
  sent_at: 'when it left first',
  session_id: 'SHA-256 of the session’s ID',
  session_matched: '1: a session was found',
  'sessions.id': 'SHA-256 of the session’s ID',
  settled_at: 'when it came to its end',
  shipping: 'shipping costs, decimal',
  shop: 'the shop platform that sent it',
  signature_agent: 'who signed the request',
  skipped: 'addresses of other sites',
  source: 'name of the log source; of conversions: source of the visit that is credited',
  started_at: 'when it began',
  starts_at: 'beginning of the day',
  state: 'its state',
  status: 'HTTP status of the answer',
  stored: 'deliveries that were stored',
  subject: 'ID or name of what it is about',
  tax: 'tax, decimal',
  text: 'the sentence',
  threshold: 'from which value on it fires',
  time_zone: 'IANA name',
  timezone: 'time zone of the browser',
  title: 'title',
  tools: 'JSON: tools',
  topic: 'kind of conversion',
  total: 'rows deleted in all',
  truncated: '1: there were more pages than are kept',
  type: 'email, slack, webhook',
  unit: 'of the figures',
  unusable: 'deliveries that could not be read',
  updated_at: 'when it was changed last',
  url: 'where it is',
  user_agent: 'user agent',
  user_id: 'SHA-256 of the user’s ID',
  usual: 'the figure that it was compared with',
  value: 'amount, decimal',
  vendor: 'who runs the bot',
  verdict_reason: 'why the verdict is what it is',
  verified: 'true: genuine; false: spoofed; null: unknown',
  verified_at: 'when it was verified first',
  verified_by: 'how it was verified',
  version: 'version of the manifest',
  visitor_id: 'SHA-256 of the visitor’s ID',
  waf_action: 'what the firewall did',
  weight: 'how many visits it stands for',
  worker_version: 'version of the collector',
  zone_since_day: 'the first day of the time zone',
};

/** The README of the archive. */
export function readme(name: string, at: number, rows: Readonly<Record<string, number>>): string {
  const section = ({ table, about, columns }: TakeoutFile<string>): string =>
    [
      `## ${table} (${(rows[table] ?? 0).toLocaleString('en')} rows)`,
      '',
      about,
      '',
      ...columns.map((column) => `- ${column}: ${COLUMNS[`${table}.${column}`] ?? COLUMNS[column] ?? ''}`),
    ].join('\n');
  return `# Takeout of ${name}

Made by Ghostlight, ${new Date(at).toISOString()}.

Each folder is a table. Its files are gzip-compressed lines of JSON (NDJSON), one row per line, in parts of at most
10,000 rows. Read one with: gunzip -c hits/00001.ndjson.gz

Times are epoch milliseconds in UTC, unless they are written as text; days are days of the property's time zone.
The takeout contains no secrets: no keys, tokens, passwords or credentials. IDs of visitors, sessions and users are
SHA-256 hashes, the same in every file. Email addresses, phone numbers and addresses of customers are not in it.

Left out: ${Object.entries(LEFT_OUT)
    .map(([table, why]) => `${table} (${why})`)
    .join(', ')}.

${[...STATE_FILES, ...WAREHOUSE_FILES].map(section).join('\n\n')}
`;
}
