/** What rooms are given from outside: the time and the log. */

/** The time, injected: tests move it by hand. Epoch milliseconds. */
export type Clock = () => number;

/** What rooms log through: pino's shape, so that tests can hand in a recorder. Never pass keys, query strings, emails. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}
