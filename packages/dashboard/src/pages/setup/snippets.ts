/** Text to copy: Worker variables, the Logpush job, a test hit with curl. Every value is quoted for its place. */
import { shellQuote } from '../../format/visible.ts';

export const KEY_PLACEHOLDER = '<INGEST_KEY>';

export interface SnippetValues {
  /** Without a trailing slash. */
  baseUrl: string;
  appBaseUrl: string;
  propertyId: string;
  domain: string;
  /** Whether the property stores search crawlers, which its collector then forwards. */
  searchEngines: boolean;
  /** Null until a key is issued in this tab. */
  key: string | null;
}

export interface Variable {
  name: string;
  value: string;
  kind: 'var' | 'secret';
  about: string;
}

export const LOGPUSH_FIELDS = [
  'EdgeStartTimestamp',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestURI',
  'ClientRequestUserAgent',
  'ClientRequestReferer',
  'ClientIP',
  'ClientCountry',
  'EdgeResponseStatus',
  'EdgeResponseBytes',
  'RayID',
  'WorkerSubrequest',
] as const;

/** Only zones with Bot Management have it. */
const BOT_MANAGEMENT_FIELD = 'VerifiedBotCategory';
const LOGPUSH_MAX_UPLOAD_BYTES = 50_000_000;
const REFERRER_PARTS = ['chatgpt', 'perplexity', 'claude.ai', 'gemini', 'copilot'] as const;
const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';

export function workerVariables({
  baseUrl,
  appBaseUrl,
  propertyId,
  key,
  searchEngines,
}: SnippetValues): Variable[] {
  return [
    {
      name: 'SERVICE_INGEST_URL',
      value: `${baseUrl}/v1/logs/edge_worker`,
      kind: 'var',
      about: 'No trailing slash.',
    },
    { name: 'SERVICE_ATTRIBUTION_ID', value: propertyId, kind: 'var', about: 'This property.' },
    {
      name: 'SERVICE_BOTLIST_URL',
      value: `${baseUrl}/v1/config/ai-bots${searchEngines ? '?search_engines=1' : ''}`,
      kind: 'var',
      about: searchEngines
        ? 'Read every six hours: new bots need no redeploy. With search crawlers, as this property stores them.'
        : 'Read every six hours: new bots need no redeploy.',
    },
    {
      name: 'SERVICE_SAMPLE_RATE',
      value: '0.02',
      kind: 'var',
      about: 'Share of other traffic sent as anonymous samples. 0 sends AI traffic only.',
    },
    {
      name: 'SERVICE_MANIFEST_URL',
      value: `${appBaseUrl}/api/v1/webmcp`,
      kind: 'var',
      about: 'Empty switches the manifest off.',
    },
    {
      name: 'SERVICE_API_KEY',
      value: key ?? KEY_PLACEHOLDER,
      kind: 'secret',
      about: 'Set it as a secret, not as a variable. Without “Bearer” or spaces.',
    },
  ];
}

/** The name of the Cloudflare zone, which its routes need: `www` is never a zone of its own. */
export function zoneOf(domain: string): string {
  const rest = domain.replace(/^www\./, '');
  return rest.includes('.') ? rest : domain;
}

/** `wrangler.jsonc` of `templates/collector`, filled in; the secret stays outside it. */
export function workerConfiguration(values: SnippetValues): string {
  const zone = zoneOf(values.domain);
  const variables = workerVariables(values).filter(({ kind }) => kind === 'var');
  return JSON.stringify(
    {
      $schema: 'node_modules/wrangler/config-schema.json',
      name: 'ghostlight-collector',
      main: 'src/index.js',
      compatibility_date: '2026-04-01',
      observability: { enabled: true },
      minify: true,
      routes: [`${zone}/*`, `*.${zone}/*`].map((pattern) => ({
        pattern,
        zone_name: zone,
      })),
      vars: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    },
    null,
    2,
  );
}

/** Commands to deploy a copy of the template. */
export const DEPLOY_COMMANDS = [
  'npm install',
  'npm run check',
  'npx wrangler secret put SERVICE_API_KEY',
  'npm run deploy',
].join('\n');

/** Commands to get the bundled file of the newest version. */
export const BUNDLE_COMMANDS = [
  'npm pack @ghostlight/collector',
  'tar xzf ghostlight-collector-*.tgz package/dist/ghostlight-collector.js',
].join('\n');

/** Both parameters are encoded: Cloudflare turns `header_X-API-Key` into a request header. */
export function logpushDestination({ baseUrl, propertyId, key }: SnippetValues): string {
  const parameters = new URLSearchParams({
    'header_X-API-Key': key ?? KEY_PLACEHOLDER,
    attribution_id: propertyId,
  });
  return `${baseUrl}/v1/logs/edge_logpush?${parameters}`;
}

/** Forwards AI bots and visits sent by AI engines only; needs bot management. */
export function logpushFilter(): string {
  return JSON.stringify({
    where: {
      or: [
        { key: BOT_MANAGEMENT_FIELD, operator: 'in', value: ['AI_CRAWLER', 'AI_ASSISTANT', 'AI_SEARCH'] },
        ...REFERRER_PARTS.map((value) => ({ key: 'ClientRequestReferer', operator: 'contains', value })),
      ],
    },
  });
}

export function logpushJob(
  values: SnippetValues,
  options: { botManagement: boolean; filter: boolean },
): string {
  return JSON.stringify(
    {
      name: `ghostlight-${values.domain.replaceAll('.', '-')}`,
      dataset: 'http_requests',
      destination_conf: logpushDestination(values),
      max_upload_bytes: LOGPUSH_MAX_UPLOAD_BYTES,
      max_upload_interval_seconds: 30,
      output_options: {
        output_type: 'ndjson',
        timestamp_format: 'rfc3339',
        field_names: [...LOGPUSH_FIELDS, ...(options.botManagement ? [BOT_MANAGEMENT_FIELD] : [])],
      },
      ...(options.filter ? { filter: logpushFilter() } : {}),
      enabled: true,
    },
    null,
    2,
  );
}

/** Posts a GPTBot visit like the collector, marked as a test, so that no report counts it; the shell fills in the time. One field per line, so that it is readable. */
export function curlHit({ baseUrl, propertyId, domain, key }: SnippetValues): string {
  const fields = Object.entries({
    attribution_id: propertyId,
    host: domain,
    method: 'GET',
    pathname: '/hello-ghostlight',
    user_agent: GPTBOT,
    status: 200,
    country: 'US',
    verified: false,
    test: true,
  }).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return [
    `curl -i ${shellQuote(`${baseUrl}/v1/logs/edge_worker`)} \\`,
    `  -H ${shellQuote(`X-API-Key: ${key ?? KEY_PLACEHOLDER}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '[{`,
    `    "timestamp": '"$(date +%s)000"',`,
    `${shellQuote(fields.join(',\n')).slice(1, -1)}`,
    `  }]'`,
  ].join('\n');
}
