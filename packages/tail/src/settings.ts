/** Both commands' options, checked before anything is read; what is wrong is said in one sentence. */
import {
  type FormatOptions,
  isLogFormat,
  LOG_FORMATS,
  type LogFormatName,
  type Mapping,
  parseTrustedProxies,
  type TrustedProxies,
} from '@ghostlight/core';
import { Misuse } from './faults.ts';
import { type KeySource, keySource } from './key.ts';
import type { Values } from './options.ts';
import { defaultStatePath } from './state.ts';
import type { Surroundings } from './surroundings.ts';

export interface Settings {
  /** Paths and patterns; empty: what comes by standard input. */
  readonly files: readonly string[];
  /** Without a path. Null with `--dry-run` alone. */
  readonly service: string | null;
  readonly key: KeySource | null;
  readonly property: string | null;
  /** Null: detected from the first lines. */
  readonly format: LogFormatName | null;
  readonly options: FormatOptions;
  readonly trusted: TrustedProxies | null;
  readonly stream: string;
  readonly statePath: string;
  readonly searchEngines: boolean;
  readonly dryRun: boolean;
  /** Shows a visit that is not sent. With `--json` it shows none: the figures are all that is printed. */
  readonly print: (visit: object) => void;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws Misuse */
export function settingsOf(
  command: 'tail' | 'import',
  { files, option, flag }: Values,
  { env, out }: Pick<Surroundings, 'env' | 'out'>,
): Settings {
  const dryRun = flag('dry-run');
  const service = serviceOf(option('to') ?? env['GHOSTLIGHT_URL'], dryRun);
  const key = keySource(option('key'), option('key-file'), env);
  if (key === null && !dryRun)
    throw new Misuse('No key. Put an ingest key into GHOSTLIGHT_KEY, or into a file: --key-file FILE');
  const property = option('property') ?? null;
  if (property !== null && !UUID.test(property))
    throw new Misuse(`--property is an attribution ID, not "${property}".`);
  const named = files.filter((file) => file !== '-');
  if (named.length < files.length && named.length > 0)
    throw new Misuse('Name files, or "-" for standard input, but not both.');
  const stream = option('stream') ?? '';
  return {
    files: named,
    service,
    key,
    property,
    format: formatOf(option('format')),
    options: formatOptions(option),
    trusted: trustedOf(option('trusted-proxy')),
    stream,
    statePath:
      option('state') ?? defaultStatePath(command, [service ?? '', property ?? '', stream, ...named], env),
    searchEngines: flag('search-engines'),
    dryRun,
    print: flag('json') ? () => undefined : (visit) => out(`${JSON.stringify(visit)}\n`),
  };
}

function serviceOf(text: string | undefined, dryRun: boolean): string | null {
  if (text === undefined || text === '') {
    if (dryRun) return null;
    throw new Misuse('No service. State its address: --to https://ghostlight.example');
  }
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Misuse(`--to is an address such as https://ghostlight.example, not "${text}".`);
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw new Misuse('--to is the address alone: the key comes from GHOSTLIGHT_KEY or --key-file.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function formatOf(name: string | undefined): LogFormatName | null {
  if (name === undefined || name === 'auto') return null;
  // Apache's own name; whether a host stands before it, each line shows.
  const plain = name === 'vhost_combined' ? 'combined' : name;
  if (isLogFormat(plain)) return plain;
  throw new Misuse(`--format is auto or one of ${Object.keys(LOG_FORMATS).join(', ')}, not "${name}".`);
}

function formatOptions(option: Values['option']): FormatOptions {
  const timeZone = option('time-zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new Misuse(`--time-zone is a name such as Europe/Berlin, not "${timeZone}".`);
  }
  const host = option('host');
  const captures = option('captures');
  const mapping = option('map');
  return {
    timeZone,
    ...(host === undefined ? {} : { host }),
    ...(captures === undefined
      ? {}
      : { captures: captures.split(',').map((name) => name.trim().toLowerCase()) }),
    ...(mapping === undefined ? {} : { mapping: mappingOf(mapping) }),
  };
}

const FIELDS: readonly (keyof Mapping)[] = [
  ...([
    'timestamp',
    'host',
    'method',
    'pathname',
    'request',
    'user_agent',
    'referer',
    'status',
    'bytes',
  ] as const),
  ...(['ip', 'forwarded_for', 'request_id', 'country', 'asn', 'scheme', 'accept'] as const),
  ...(['signature', 'signature_input', 'signature_agent'] as const),
];

/** `pathname=http.url,ip=net.peer` */
function mappingOf(text: string): Mapping {
  const mapping: Record<string, string[]> = {};
  for (const pair of text.split(',')) {
    const [field = '', path = ''] = pair.split(/=(.*)/s).map((part) => part.trim());
    if (!FIELDS.includes(field as keyof Mapping) || path === '')
      throw new Misuse(`--map is field=name, with commas between; a field is one of ${FIELDS.join(', ')}.`);
    mapping[field] = [...(mapping[field] ?? []), path];
  }
  return mapping;
}

function trustedOf(text: string | undefined): TrustedProxies | null {
  if (text === undefined) return null;
  const trusted = parseTrustedProxies(text);
  if (trusted !== null) return trusted;
  throw new Misuse(
    `--trusted-proxy is how many proxies stand before the server, or their addresses (10.0.0.0/8, private), not "${text}".`,
  );
}
