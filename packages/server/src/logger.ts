/**
 * The process's log: JSON lines on standard error (lines to read where that is a terminal), so that standard output stays for people and pipes. Whatever a caller passes by mistake, the last
 * gate takes out what must never be written: our keys, query strings that carry them, bearer tokens, email addresses.
 */
import { styleText } from 'node:util';
import { pino } from 'pino';
import { currentRequest, type Log, maskSecrets } from './common/index.ts';

const EMAIL = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g;

/** One finished log line with every secret taken out. */
export function redactLine(line: string): string {
  return maskSecrets(line).replace(EMAIL, '[redacted email]');
}

/**
 * @param terminal whether a person reads the lines: they are for reading then, and JSON for programs otherwise
 * @param fd standard error; a test's own file
 */
export function createLogger(level: string, terminal = process.stderr.isTTY === true, fd = 2): Log {
  const destination = pino.destination({ dest: fd, sync: true });
  // The reader of the log may end first, as a killed launcher does; the service must still stop in order.
  destination.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: aboutRequest,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => (terminal ? readable(redactLine(line)) : redactLine(line)) },
    },
    destination,
  );
}

/** What a line of a request or a traced job says beside its own fields; the names are those that log tools join traces by. */
function aboutRequest(): object {
  const { requestId, span } = currentRequest() ?? {};
  return {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }),
  };
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
