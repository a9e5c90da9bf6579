/** What a line must be read as, held against the request that it tells of. */
import {
  createLineParser,
  type FormatOptions,
  isReject,
  type LogFormatName,
  type LogRecord,
} from '../../packages/core/src/log-formats/index.ts';
import type { Recorded } from './record.ts';
import { HOST, type OddRequest } from './requests.ts';
import { TIME_ZONE } from './servers.ts';

/** Name of a log in the recordings → how it is read. */
export const READ_AS: Readonly<Record<string, { format: LogFormatName; options?: FormatOptions }>> = {
  combined: { format: 'combined', options: { host: HOST } },
  main: { format: 'nginx', options: { host: HOST } },
  vhost_combined: { format: 'apache' },
  common: { format: 'common', options: { host: HOST } },
  nginx_json: { format: 'nginx' },
  apache_json: { format: 'apache' },
  caddy: { format: 'caddy' },
  haproxy: {
    format: 'haproxy',
    options: {
      timeZone: TIME_ZONE,
      captures: [
        'host',
        'user-agent',
        'referer',
        'x-forwarded-for',
        'signature',
        'signature-input',
        'signature-agent',
      ],
    },
  },
};

/** Members that a log has no place for. */
const LACKS: Readonly<Record<string, readonly (keyof LogRecord)[]>> = {
  combined: ['host', 'forwarded_for', 'signature', 'signature_input', 'signature_agent'],
  main: ['host', 'signature', 'signature_input', 'signature_agent'],
  // The name of the site, which a server has one of.
  vhost_combined: ['host', 'forwarded_for', 'signature', 'signature_input', 'signature_agent'],
  common: [
    'host',
    'user_agent',
    'referer',
    'forwarded_for',
    'signature',
    'signature_input',
    'signature_agent',
  ],
};

/** The member of a request and of the record that was read of its line, side by side. */
export interface Compared {
  readonly expected: Readonly<Record<string, unknown>> | 'not_a_request';
  readonly read: object | string | null;
}

/** A header that was refused is not always logged: of such a request only what its first line says is compared. */
const REFUSED = 400;

export function compare(log: string, line: string, { said, v6 }: OddRequest, { status }: Recorded): Compared {
  const { format, options = {} } = READ_AS[log] ?? { format: 'json' as const };
  const text = Buffer.from(line, 'latin1').toString('utf8');
  const parsed = createLineParser(format, options).parseLine(text);
  const read = parsed !== null && isReject(parsed) ? parsed.reject : parsed;
  if (said === undefined || (read === 'not_a_request' && status === REFUSED))
    return { expected: 'not_a_request', read };
  const whole = { ...said, status, ip: v6 === true ? '::1' : '127.0.0.1' };
  const lacks = LACKS[log] ?? [];
  const members = (
    status === REFUSED
      ? (['method', 'pathname', 'status', 'ip'] as const)
      : (Object.keys(whole) as (keyof typeof whole)[])
  ).filter((member) => !lacks.includes(member));
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(members.map((member) => [member, asLogged(member, from[member])]));
  return {
    expected: pick(whole),
    read: read === null || typeof read === 'string' ? read : pick({ ...read }),
  };
}

/** What servers may do to a value before they log it: a folded header is unfolded, the port of a host left out, a text cut at a zero. */
function asLogged(member: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (member === 'host') return value.replace(/:\d+$/, '');
  const [text = ''] = value.split('\0');
  return member === 'user_agent' ? text.replace(/\s+/g, ' ').replace(/^-$/, '') : text;
}
