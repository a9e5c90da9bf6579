/**
 * The process's log: JSON lines on standard error (lines to read where that is a terminal), so that standard output stays for people and pipes. Whatever a caller passes by mistake, the last
 * gate takes out what must never be written: our keys, query strings that carry them, bearer tokens, e-mail addresses.
 */
import { styleText } from 'node:util';
import { pino } from 'pino';
import type { Log } from './kit/index.ts';

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bsvc_(cf|wh)_[0-9A-Za-z]{4,}/g, 'svc_$1_[redacted]'],
  [/\bght_[0-9A-Za-z]{4,}/g, 'ght_[redacted]'],
  [/\bwhsec_[0-9A-Za-z+/=_-]{4,}/g, 'whsec_[redacted]'],
  [/(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/-]+/gi, '$1[redacted]'],
  [/((?:token|secret|passw(?:or)?d|api[_-]?key)(?:=|%3d))[^&#;"\s\\]+/gi, '$1[redacted]'],
  [/("authorization"\s*:\s*")(?:[^"\\]|\\.)*/gi, '$1[redacted]'],
  // One-time links, and the cookie that they are exchanged for.
  [/((?:#token|ghostlight_session)=)[\w-]{8,}/g, '$1[redacted]'],
  [/(header_X-API-Key=)[^&"\s\\]+/gi, '$1[redacted]'],
  [/\b(Bearer\s+)[A-Za-z0-9._~+/-]{8,}=*/gi, '$1[redacted]'],
  [/((?:postgres|postgresql|https?|smtps?):\/\/[^:/@\s"]+:)[^@\s"]+@/g, '$1[redacted]@'],
  [/[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g, '[redacted e-mail]'],
];

/** One finished log line with every secret taken out. */
export function redactLine(line: string): string {
  return SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/** @param terminal whether a person reads standard error: lines are for reading then, and JSON for programs otherwise */
export function createLogger(level: string, terminal = process.stderr.isTTY === true): Log {
  const destination = pino.destination({ dest: 2, sync: true });
  // The reader of the log may end first, as a killed launcher does; the service must still stop in order.
  destination.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => (terminal ? readable(redactLine(line)) : redactLine(line)) },
    },
    destination,
  );
}

const COLOURS: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
};

/** One JSON line of the log as a person reads it: `14:03:12 warn  lists  the message  source=openai`; a stack below errors alone. */
export function readable(line: string): string {
  try {
    const { level, time, msg, room, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const fault = err as { message?: string; stack?: string } | undefined;
    const fields = Object.entries({ ...rest, ...(fault === undefined ? {} : { error: fault.message }) })
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' ');
    const word = String(level);
    const shown = styleText(COLOURS[word] ?? 'dim', word.padEnd(5), { stream: process.stderr });
    const parts = [String(time).slice(11, 19), shown, room, msg, fields];
    const stack = (word === 'error' || word === 'fatal') && fault?.stack ? `\n${fault.stack}` : '';
    return `${parts.filter((part) => part !== undefined && part !== '').join('  ')}${stack}\n`;
  } catch {
    return line;
  }
}
