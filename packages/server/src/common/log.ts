/** What rooms log through: pino's shape, so that tests can hand in a recorder. Never pass keys, query strings, e-mails. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}
