/** Every format of text lines, by name. */
import { caddyParser } from './caddy.ts';
import { combinedParser } from './combined.ts';
import { haproxyParser } from './haproxy.ts';
import { APACHE_MAPPING, mappedParser, NGINX_MAPPING } from './mapped-json.ts';
import type { FormatOptions, LineParser, LogRecord, Reject } from './record.ts';
import { CLOUDFRONT, IIS, w3cParser } from './w3c.ts';

export interface LogFormat {
  readonly title: string;
  /** Whether its lines name the visitor's host; where not, or not always, it has to be said. */
  readonly host: 'always' | 'sometimes' | 'never';
  /** Whether its lines hold a user agent: without one no bot is known. */
  readonly userAgent: boolean;
  /** @throws RangeError for a time zone that is not known */
  parser(options: FormatOptions): LineParser;
}

/** In the order in which a sample of lines is tried: the more is asked of a line the sooner. */
export const LOG_FORMATS = {
  caddy: { title: 'Caddy (JSON)', host: 'always', userAgent: true, parser: caddyParser },
  nginx_json: {
    title: 'nginx (our JSON format)',
    host: 'always',
    userAgent: true,
    parser: (options) => mappedParser(options, NGINX_MAPPING),
  },
  apache_json: {
    title: 'Apache (our JSON format)',
    host: 'always',
    userAgent: true,
    parser: (options) => mappedParser(options, APACHE_MAPPING),
  },
  combined: {
    title: 'combined (nginx, Apache)',
    host: 'sometimes',
    userAgent: true,
    parser: (options) => combinedParser(options, 'combined'),
  },
  common: {
    title: 'common (no user agent)',
    host: 'sometimes',
    userAgent: false,
    parser: (options) => combinedParser(options, 'common'),
  },
  haproxy: { title: 'HAProxy (httplog)', host: 'sometimes', userAgent: true, parser: haproxyParser },
  cloudfront: {
    title: 'CloudFront (standard log)',
    host: 'always',
    userAgent: true,
    parser: (options) => w3cParser(options, CLOUDFRONT),
  },
  iis: {
    title: 'IIS (W3C)',
    host: 'sometimes',
    userAgent: true,
    parser: (options) => w3cParser(options, IIS),
  },
  json: { title: 'JSON', host: 'sometimes', userAgent: true, parser: mappedParser },
  nginx: {
    title: 'nginx (combined or our JSON format)',
    host: 'sometimes',
    userAgent: true,
    parser: (options) => eitherParser(options, 'nginx_json'),
  },
  apache: {
    title: 'Apache (combined, vhost_combined or our JSON format)',
    host: 'sometimes',
    userAgent: true,
    parser: (options) => eitherParser(options, 'apache_json'),
  },
} as const satisfies Readonly<Record<string, LogFormat>>;
export type LogFormatName = keyof typeof LOG_FORMATS;

export const isLogFormat = (name: string): name is LogFormatName => Object.hasOwn(LOG_FORMATS, name);

export function createLineParser(format: LogFormatName, options: FormatOptions = {}): LineParser {
  return LOG_FORMATS[format].parser(options);
}

/** A line by itself; `createLineParser` reads many faster, and reads formats whose lines depend on those before them. */
export function parseLine(
  line: string,
  { format, ...options }: FormatOptions & { readonly format: LogFormatName },
): LogRecord | Reject | null {
  return createLineParser(format, options).parseLine(line);
}

/** What one server writes in either form: JSON begins with a brace, and no other line does. */
function eitherParser(options: FormatOptions, json: 'nginx_json' | 'apache_json'): LineParser {
  const objects = LOG_FORMATS[json].parser(options);
  const texts = combinedParser(options, 'combined');
  return {
    parseLine: (line) => (line.startsWith('{') ? objects : texts).parseLine(line),
    columns: () => null,
  };
}
