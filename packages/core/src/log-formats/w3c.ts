/**
 * W3C extended logs: a `#Fields` line names the columns of those behind it. IIS writes them with blanks between and `+` for a blank in a value,
 * CloudFront with tabs between and values percent-encoded. Times are UTC.
 */
import { type FormatOptions, type LineParser, type LogRecord, type Reject, reject } from './record.ts';
import { parseTarget } from './request-line.ts';
import { addressOf, countOf, orEmpty, statusOf, unescapePercent } from './texts.ts';
import { parseInstant } from './times.ts';

const FIELDS = /^#Fields:\s*(.+)$/i;
const BLANK = /^\s*$/;
const MAX_FIELDS = 200;

/** Record field → names of columns, lower case; the first that a line has a value in counts. */
const COLUMNS = {
  host: ['x-host-header', 'cs-host', 'cs(host)'],
  method: ['cs-method'],
  path: ['cs-uri-stem', 'cs-uri'],
  query: ['cs-uri-query'],
  user_agent: ['cs(user-agent)', 'cs-user-agent'],
  referer: ['cs(referer)', 'cs-referer'],
  status: ['sc-status'],
  bytes: ['sc-bytes'],
  ip: ['c-ip'],
  forwarded_for: ['x-forwarded-for', 'cs(x-forwarded-for)'],
  request_id: ['x-edge-request-id'],
  country: ['c-country'],
  asn: ['asn', 'c-asn'],
  scheme: ['cs-protocol'],
  port: ['s-port'],
  accept: ['cs(accept)', 'cs-accept'],
  headers: ['cs-headers'],
  signature: ['cs(signature)'],
  signature_input: ['cs(signature-input)'],
  signature_agent: ['cs(signature-agent)'],
} as const;
type Column = keyof typeof COLUMNS;

/** How values are written. */
export interface W3cDialect {
  readonly separator: '\t' | ' ';
  text(value: string): string;
  /** Of an address or a part of one: what is percent-encoded there stays so. */
  url(value: string): string;
}

export const IIS: W3cDialect = {
  separator: ' ',
  // A plus behind a plus was one: user agents write `; +https://…`.
  text: (value) => value.replace(/\+(\+?)/g, ' $1'),
  url: (value) => value,
};

export const CLOUDFRONT: W3cDialect = {
  separator: '\t',
  text: (value) => {
    const once = unescapePercent(value);
    // Long ago blanks of user agents were encoded twice.
    return once.includes('%20') && !once.includes(' ') ? unescapePercent(once) : once;
  },
  url: (value) => {
    const once = unescapePercent(value);
    // What can't occur in an address was encoded there already, and is not encoded again for the log.
    return NOT_IN_URL.test(once) ? value : once;
  },
};

const NOT_IN_URL = /[^\u0021-\u007e]/;

export function w3cParser({ host = '', fields }: FormatOptions, dialect: W3cDialect): LineParser {
  let columns: readonly string[] | null = fields?.map(lower) ?? null;
  let places = placesOf(columns);

  const parseLine = (line: string): LogRecord | Reject | null => {
    if (line.startsWith('#') || BLANK.test(line)) {
      const [, named] = FIELDS.exec(line.trimEnd()) ?? [];
      if (named !== undefined) {
        columns = named.trim().split(/\s+/).slice(0, MAX_FIELDS).map(lower);
        places = placesOf(columns);
      }
      return null;
    }
    if (columns === null) return reject('no_header');
    const values = line.trimEnd().split(dialect.separator);
    if (values.length !== columns.length)
      return reject(values.length < columns.length ? 'truncated' : 'other_format');
    const raw = (column: Column): string => {
      for (const place of places[column]) {
        const value = orEmpty(values[place] ?? '');
        if (value !== '') return value;
      }
      return '';
    };
    const text = (column: Column): string => dialect.text(raw(column));
    const timestamp = timeOf(columns, values);
    if (timestamp === null) return reject('no_time');
    const request = requestOf(raw, dialect);
    if (request === null) return reject('not_a_request');
    const status = statusOf(raw('status'));
    if (status === null) return reject('no_status');
    const bytes = countOf(raw('bytes'));
    if (bytes === null) return reject('no_bytes');
    const header = headersIn(text('headers'));
    return {
      timestamp,
      host: raw('host') || host || request.host,
      method: request.method,
      pathname: request.pathname,
      user_agent: text('user_agent'),
      referer: dialect.url(raw('referer')),
      status,
      bytes,
      ip: addressOf(raw('ip')),
      forwarded_for: text('forwarded_for'),
      request_id: raw('request_id'),
      country: raw('country'),
      asn: countOf(raw('asn')) ?? 0,
      scheme: schemeOf(raw('scheme'), raw('port')),
      accept: text('accept'),
      signature: text('signature') || header('signature'),
      signature_input: text('signature_input') || header('signature-input'),
      signature_agent: text('signature_agent') || header('signature-agent'),
    };
  };
  return { parseLine, columns: () => columns };
}

/** CloudFront's real-time logs can have all headers in one column, `name:value` a line. @returns by name in lower case */
function headersIn(text: string): (name: string) => string {
  if (text === '') return NO_HEADERS;
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) values.set(lower(line.slice(0, colon)), line.slice(colon + 1).trim());
  }
  return (name) => values.get(name) ?? '';
}

const NO_HEADERS = (): string => '';
const lower = (name: string): string => name.toLowerCase();

function placesOf(columns: readonly string[] | null): { readonly [column in Column]: readonly number[] } {
  const entries = Object.entries(COLUMNS).map(([column, names]) => [
    column,
    names.map((name) => columns?.indexOf(name) ?? -1).filter((place) => place !== -1),
  ]);
  return Object.fromEntries(entries) as { [column in Column]: number[] };
}

/** `date` and `time`, or one column of seconds. */
function timeOf(columns: readonly string[], values: readonly string[]): number | null {
  const at = (name: string): string => values[columns.indexOf(name)] ?? '';
  const date = at('date');
  return parseInstant(date === '' ? at('timestamp') : `${date}T${at('time')}Z`);
}

/** Real-time logs have the query behind the path, standard logs in a column of its own. */
function requestOf(raw: (column: Column) => string, dialect: W3cDialect): ReturnType<typeof parseTarget> {
  const path = dialect.url(raw('path'));
  const query = dialect.url(raw('query'));
  return parseTarget(raw('method'), query === '' || path.includes('?') ? path : `${path}?${query}`);
}

function schemeOf(protocol: string, port: string): LogRecord['scheme'] {
  const name = protocol.toLowerCase();
  if (name === 'https' || name === 'wss' || port === '443') return 'https';
  return name === 'http' || name === 'ws' || port === '80' ? 'http' : '';
}
