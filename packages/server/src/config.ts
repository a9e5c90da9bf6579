/**
 * The only reader of the environment. Every setting is one row of `SETTINGS`: its name, its default, what a good value looks like.
 * A bad value stops the start with one sentence that names the variable (`ConfigError`).
 */

import { existsSync, readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isObject } from '@ghostlight/core';
import { type OidcSettings, RETENTION_CLASSES, type RetentionRules } from './common/index.ts';
import { oidc } from './config-sign-in.ts';
import { ConfigError, type Environment, integer, oneOf, origin, secret, text, url } from './config-values.ts';

export { ConfigError };

/** Whose `X-Forwarded-*` is trusted: none, the last n hops, or peers inside these networks. */
export type TrustProxy =
  | { readonly kind: 'none' }
  | { readonly kind: 'hops'; readonly count: number }
  | { readonly kind: 'networks'; readonly networks: BlockList };

export const ROLES = ['ingest', 'webhooks', 'app', 'jobs'] as const;
export type Role = (typeof ROLES)[number];

export interface Config {
  readonly host: string;
  readonly port: number;
  /** {base_url}: ingest, bot list, webhooks, browser events. Without a trailing slash; null until the port is known. */
  readonly baseUrl: string | null;
  /** {app_base_url}: dashboard, management API, manifests. */
  readonly appBaseUrl: string | null;
  /** Absolute path. */
  readonly dataDir: string;
  /** null: embedded SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Connections to PostgreSQL that this node keeps at most, besides those of its locks. */
  readonly databasePoolSize: number;
  /** null: embedded chDB in `dataDir`. */
  readonly clickhouseUrl: string | null;
  /** ClickHouse cluster name for `ON CLUSTER` and replicated tables; null: plain tables (one server, or Cloud). */
  readonly clickhouseCluster: string | null;
  /** null: generated into `dataDir` at first start. */
  readonly adminToken: string | null;
  readonly secretKey: string | null;
  readonly secretKeyPrevious: string | null;
  readonly retentionDays: number;
  /** How long classes of data are kept where a property says nothing else; absent: as long as they may be. */
  readonly retentionByClass: RetentionRules;
  /** Visits that a property, and all of an organization, may store a day; null: any number. */
  readonly quotaHits: number | null;
  readonly quotaHitsOfOrganization: number | null;
  /** null: for ever. */
  readonly auditRetentionDays: number | null;
  readonly trustProxy: TrustProxy;
  /** Platform host → other base URL; also redirects the list refresh, for tests and private mirrors. */
  readonly destinationHosts: ReadonlyMap<string, string>;
  readonly roles: ReadonlySet<Role>;
  /** null: `/metrics` is on the public listener. */
  readonly metricsPort: number | null;
  /** Reads `/metrics` from another machine, and nothing else; null: the admin token alone does. */
  readonly metricsToken: string | null;
  readonly logLevel: string;
  /** null: nothing is traced, and nothing of OpenTelemetry is loaded. */
  readonly tracing: TracingSettings | null;
  /** Where the spool is: null: files in DATA_DIR; else the PostgreSQL server that all nodes share. */
  readonly spoolDatabaseUrl: string | null;
  /** Spool size (used pages and log, or rows and keys in PostgreSQL) above which ingest answers 503. */
  readonly spoolMaxBytes: number;
  /** The same for the spools of browser events, both together. */
  readonly eventsSpoolMaxBytes: number;
  /** How many threads may read what is large: log push, imports, long arrays. */
  readonly uploadWorkers: number;
  /** Events per minute from one address, and of one property, on this node. */
  readonly eventsPerAddress: number;
  readonly eventsPerProperty: number;
  /** How long visitors, sessions and touches are kept. */
  readonly visitorRetentionDays: number;
  /** Where mail is handed in, and from whom it comes; null: nothing is mailed, links are shown to be copied. */
  readonly mail: { readonly url: string; readonly from: string } | null;
  /** Sign-in at the company's provider; null: people have passwords alone. */
  readonly oidc: OidcSettings | null;
  /** Whether vendors' range files and key directories are fetched daily. */
  readonly listsRefresh: boolean;
  /** The bot list that a project publishes for its installations, and the Ed25519 key that signs it; null: none. */
  readonly publishedList: { readonly url: string; readonly key: string } | null;
  /** Encrypts the secrets in a backup; null: a command has to be given one. */
  readonly backupPassphrase: string | null;
  /** Backups at regular times; null: none. */
  readonly backupSchedule: {
    /** Absolute path. */
    readonly directory: string;
    readonly everyHours: number;
    /** How many are kept. */
    readonly keep: number;
  } | null;
  /** Where a ClickHouse server writes its own copy for a backup, with `{name}`; null: a command has to be given one. */
  readonly backupWarehouseTo: string | null;
  /** The launcher's process: the service stops when that has ended. The launcher sets it; null: the service was started without one. */
  readonly parentPid: number | null;
  /** No setting: the demo's crawlers come from the ranges that travel with the code, which it takes for read on the day of its start. */
  readonly listsReadToday?: true;
}

const SAMPLERS = [
  ...['always_on', 'always_off', 'traceidratio'],
  ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
] as const;

/** By the variables of OpenTelemetry. */
export interface TracingSettings {
  /** `traceidratio` and the two fixed ones; `parentbased_`: what a caller's `traceparent` says comes first. */
  readonly sampler: (typeof SAMPLERS)[number];
  /** Of traces, 0 to 1, for `traceidratio`. */
  readonly ratio: number;
  /** Whether a caller's `traceparent` is read. */
  readonly fromCallers: boolean;
  /** Every `OTEL_…` variable: the libraries read address, headers, time-out and resource themselves. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Reads `.env` of the working directory beneath the real environment, and checks everything. @throws ConfigError */
export function loadConfig(environment: Environment = process.env, directory = process.cwd()): Config {
  const file = resolve(directory, '.env');
  const fromFile: Environment = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  return readConfig({ ...fromFile, ...environment }, directory);
}

/** The same from a plain object. @throws ConfigError */
export function readConfig(env: Environment, directory = process.cwd()): Config {
  const port = integer(env, 'PORT', 8080, 0, 65_535);
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']);
  const clickhouseUrl = url(env, 'CLICKHOUSE_URL', ['http:', 'https:']);
  const baseUrl = origin(env, 'BASE_URL') ?? (port === 0 ? null : `http://localhost:${port}`);
  const config: Config = {
    host: text(env, 'HOST') ?? '127.0.0.1',
    port,
    baseUrl,
    appBaseUrl: origin(env, 'APP_BASE_URL') ?? baseUrl,
    dataDir: resolve(directory, text(env, 'DATA_DIR') ?? './data'),
    databaseUrl,
    databasePoolSize: integer(env, 'DATABASE_POOL_SIZE', 10, 2, 500),
    clickhouseUrl,
    clickhouseCluster: text(env, 'CLICKHOUSE_CLUSTER'),
    adminToken: secret(env, 'ADMIN_TOKEN', 16),
    secretKey: secret(env, 'SECRET_KEY', 32),
    secretKeyPrevious: secret(env, 'SECRET_KEY_PREVIOUS', 32),
    retentionDays: integer(env, 'RETENTION_DAYS', 400, 1, 3_650),
    ...retentionByClass(env),
    quotaHits: quota(integer(env, 'QUOTA_HITS_PER_DAY', 0, 0, 10_000_000_000)),
    quotaHitsOfOrganization: quota(integer(env, 'QUOTA_HITS_PER_DAY_ORGANIZATION', 0, 0, 10_000_000_000)),
    trustProxy: trustProxy(env),
    destinationHosts: destinationHosts(env),
    roles: roles(env),
    metricsPort: text(env, 'METRICS_PORT') === null ? null : integer(env, 'METRICS_PORT', 0, 0, 65_535),
    metricsToken: secret(env, 'METRICS_TOKEN', 16),
    logLevel: oneOf(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'info'),
    tracing: tracing(env),
    spoolDatabaseUrl: spoolDatabaseUrl(env, databaseUrl, clickhouseUrl),
    spoolMaxBytes: integer(env, 'SPOOL_MAX_BYTES', 4 * 1024 ** 3, 16 * 1024 ** 2, 1024 ** 4),
    eventsSpoolMaxBytes: integer(env, 'EVENTS_SPOOL_MAX_BYTES', 1024 ** 3, 32 * 1024 ** 2, 1024 ** 4),
    uploadWorkers: integer(env, 'UPLOAD_WORKERS', defaultWorkers(), 1, 64),
    eventsPerAddress: integer(env, 'EVENTS_PER_ADDRESS', 600, 1, 1_000_000),
    eventsPerProperty: integer(env, 'EVENTS_PER_PROPERTY', 60_000, 1, 10_000_000),
    visitorRetentionDays: integer(env, 'VISITOR_RETENTION_DAYS', 180, 1, 3_650),
    mail: mail(env),
    oidc: oidc(env),
    listsRefresh: oneOf(env, 'LISTS_REFRESH', ['on', 'off'], 'on') === 'on',
    publishedList: publishedList(env),
    backupPassphrase: secret(env, 'BACKUP_PASSPHRASE', 12),
    backupWarehouseTo: text(env, 'BACKUP_WAREHOUSE_TO'),
    backupSchedule: backupSchedule(env, directory),
    parentPid:
      text(env, 'GHOSTLIGHT_PARENT_PID') === null
        ? null
        : integer(env, 'GHOSTLIGHT_PARENT_PID', 0, 0, 2 ** 31),
  };
  checkTogether(config);
  return config;
}

/** One processor is left to the thread that takes requests; more than four read faster than anything is stored. */
const defaultWorkers = (): number => Math.min(4, Math.max(1, availableParallelism() - 1));

/** Rules between settings: what a second node would need and could not have, what two listeners can't share. */
function checkTogether(config: Config): void {
  if (config.metricsPort !== null && config.metricsPort !== 0 && config.metricsPort === config.port)
    throw new ConfigError('METRICS_PORT', `must differ from PORT (${config.port}).`);
  if (config.databaseUrl !== null) {
    for (const [name, value] of [
      ['SECRET_KEY', config.secretKey],
      ['ADMIN_TOKEN', config.adminToken],
    ] as const) {
      if (value === null) {
        throw new ConfigError(
          name,
          'must be given when DATABASE_URL is set; a node that generates its own could not read what the others wrote.',
        );
      }
    }
  }
  const split = config.roles.size < ROLES.length;
  if (split && (config.databaseUrl === null || config.clickhouseUrl === null)) {
    throw new ConfigError(
      'ROLES',
      'can only be split over nodes with DATABASE_URL and CLICKHOUSE_URL set; embedded stores belong to one process.',
    );
  }
}

const quota = (hits: number): number | null => (hits === 0 ? null : hits);

/** `samples=30,deliveries=90,audit=730` */
function retentionByClass(env: Environment): Pick<Config, 'retentionByClass' | 'auditRetentionDays'> {
  const rules: { -readonly [Name in keyof RetentionRules]: number } = {};
  let audit: number | null = null;
  for (const part of (text(env, 'RETENTION_CLASSES') ?? '').split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [name = '', value = ''] = part.split('=').map((each) => each.trim());
    const days = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    const known = RETENTION_CLASSES.find((each) => each === name);
    if ((known === undefined && name !== 'audit') || days < 7 || days > 3_650)
      throw new ConfigError(
        'RETENTION_CLASSES',
        `must be a list such as samples=30,deliveries=90 of ${RETENTION_CLASSES.join(', ')} and audit, each with 7 to 3650 days, not "${part}".`,
      );
    if (known === undefined) audit = days;
    else rules[known] = days;
  }
  return { retentionByClass: rules, auditRetentionDays: audit };
}

/** A shared spool hands any row to any node: each must reach the same stores. */
function spoolDatabaseUrl(
  env: Environment,
  databaseUrl: string | null,
  clickhouseUrl: string | null,
): string | null {
  const own = url(env, 'SPOOL_DATABASE_URL', ['postgres:', 'postgresql:']);
  if (oneOf(env, 'SPOOL', ['file', 'postgres'], 'file') === 'file') {
    if (own !== null)
      throw new ConfigError('SPOOL_DATABASE_URL', 'is only used with SPOOL=postgres; set both, or neither.');
    return null;
  }
  if (databaseUrl === null || clickhouseUrl === null)
    throw new ConfigError(
      'SPOOL',
      'can be postgres only with DATABASE_URL and CLICKHOUSE_URL set: every node ships what any node has accepted, so all must reach the same stores.',
    );
  return own ?? databaseUrl;
}

function backupSchedule(env: Environment, directory: string): Config['backupSchedule'] {
  const folder = text(env, 'BACKUP_DIR');
  const everyHours = integer(env, 'BACKUP_EVERY', 24, 1, 744);
  const keep = integer(env, 'BACKUP_KEEP', 7, 1, 1_000);
  if (folder === null) return null;
  if (text(env, 'BACKUP_PASSPHRASE') === null)
    throw new ConfigError(
      'BACKUP_PASSPHRASE',
      'must be set where BACKUP_DIR is: it encrypts the secrets in the backups.',
    );
  if (text(env, 'CLICKHOUSE_URL') !== null && text(env, 'BACKUP_WAREHOUSE_TO') === null)
    throw new ConfigError(
      'BACKUP_WAREHOUSE_TO',
      'must be set where BACKUP_DIR and CLICKHOUSE_URL are: the server writes its own copy there.',
    );
  return { directory: resolve(directory, folder), everyHours, keep };
}

/** An unsigned list could name any visitor a bot: one setting needs the other. */
function publishedList(env: Environment): Config['publishedList'] {
  const address = url(env, 'LISTS_URL', ['https:']);
  const key = text(env, 'LISTS_KEY');
  if (address === null && key === null) return null;
  if (address === null) throw new ConfigError('LISTS_URL', 'must be set where LISTS_KEY is.');
  if (key === null || !/^[A-Za-z0-9_-]{43}$/.test(key)) {
    throw new ConfigError(
      'LISTS_KEY',
      'must be the Ed25519 public key of the list at LISTS_URL: 43 characters of base64url.',
    );
  }
  return { url: address, key };
}

/** A platform may set variables of OpenTelemetry for everything that it runs: without an address they mean nothing here. */
function tracing(env: Environment): TracingSettings | null {
  const all = url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const ofTraces = url(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:']);
  if (all === null && ofTraces === null) return null;
  if (text(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  if (oneOf(env, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp') === 'none') return null;
  // Collectors take this form on port 4318; that of port 4317 would bring gRPC along.
  oneOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf');
  oneOf(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', ['http/protobuf'], 'http/protobuf');
  const ratio = Number(text(env, 'OTEL_TRACES_SAMPLER_ARG') ?? 1);
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1.');
  const propagators = (text(env, 'OTEL_PROPAGATORS') ?? 'tracecontext').split(',').map((name) => name.trim());
  return {
    sampler: oneOf(env, 'OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on'),
    ratio,
    fromCallers: propagators.includes('tracecontext'),
    variables: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) =>
        name.startsWith('OTEL_') && value !== undefined ? [[name, value]] : [],
      ),
    ),
  };
}

function mail(env: Environment): Config['mail'] {
  const address = url(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  const from = text(env, 'MAIL_FROM');
  if (address === null && from === null) return null;
  if (address === null) throw new ConfigError('SMTP_URL', 'must be given with MAIL_FROM.');
  if (from === null) throw new ConfigError('MAIL_FROM', 'must be given with SMTP_URL.');
  if (!/^(?:[^<>@"\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(from))
    throw new ConfigError('MAIL_FROM', 'must be an address such as Ghostlight <ghostlight@shop.example>.');
  return { url: address, from };
}

function roles(env: Environment): ReadonlySet<Role> {
  const value = text(env, 'ROLES');
  if (value === null || value === 'all') return new Set(ROLES);
  const names = value.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!ROLES.some((role) => role === name)) {
      throw new ConfigError('ROLES', `knows ${ROLES.join(', ')} (or all), not "${name}".`);
    }
  }
  return new Set(ROLES.filter((role) => names.includes(role)));
}

function trustProxy(env: Environment): TrustProxy {
  const value = text(env, 'TRUST_PROXY');
  if (value === null) return { kind: 'none' };
  if (/^\d{1,2}$/.test(value)) return { kind: 'hops', count: Number(value) };
  const networks = new BlockList();
  for (const part of value.split(',').map((network) => network.trim())) {
    const [address = '', length] = part.split('/');
    const family = isIP(address);
    const bits = Number(length ?? (family === 6 ? 128 : 32));
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32)) {
      throw new ConfigError(
        'TRUST_PROXY',
        `must be a hop count or a list of networks such as 10.0.0.0/8, not "${part}".`,
      );
    }
    networks.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return { kind: 'networks', networks };
}

function destinationHosts(env: Environment): ReadonlyMap<string, string> {
  const value = text(env, 'DESTINATION_HOSTS');
  if (value === null) return new Map();
  const wrong = new ConfigError(
    'DESTINATION_HOSTS',
    'must be a JSON object of host → base URL, for example {"openai.com":"http://127.0.0.1:9101"}.',
  );
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw wrong;
  }
  if (!isObject(parsed)) throw wrong;
  const hosts = new Map<string, string>();
  for (const [host, target] of Object.entries(parsed)) {
    if (typeof target !== 'string' || !URL.canParse(target)) throw wrong;
    hosts.set(host.toLowerCase(), target.replace(/\/+$/, ''));
  }
  return hosts;
}
