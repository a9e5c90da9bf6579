/** Errors in ClickHouse's HTTP form, so that the client reads both backends alike. */

/** An exception with ClickHouse's number (src/Common/ErrorCodes.cpp). */
export class EngineException extends Error {
  readonly code: number;
  constructor(code: number, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'EngineException';
    this.code = code;
  }
}

export const CODES = {
  badArguments: 36,
  unsupported: 48,
  syntaxError: 62,
  unknownDatabase: 81,
  unknownSetting: 115,
  tooManyQueries: 202,
  cancelled: 394,
  missingParameter: 456,
  authenticationFailed: 516,
  requestTooLarge: 743,
  other: 1002,
} as const;

const BAD_REQUEST = new Set([
  25, 26, 27, 36, 38, 41, 43, 46, 47, 48, 53, 62, 69, 70, 115, 117, 349, 456, 691,
]);
const NOT_FOUND = new Set([60, 81]);

/** The HTTP status that ClickHouse answers for a code (the codes that occur here; everything else is 500). */
export function statusOf(code: number): number {
  if (code === CODES.authenticationFailed) return 403;
  if (code === CODES.tooManyQueries) return 503;
  if (code === CODES.requestTooLarge) return 413;
  if (code === 159) return 408;
  if (NOT_FOUND.has(code)) return 404;
  return BAD_REQUEST.has(code) ? 400 : 500;
}

/** Reads what the engine threw. chDB repeats the prefix of insert errors ("Code: 27. … Code: 27. …"); one of them is kept. */
export function toException(error: unknown): EngineException {
  if (error instanceof EngineException) return error;
  const text = error instanceof Error ? error.message : String(error);
  const code = Number(/Code: (\d+)\./.exec(text)?.[1] ?? CODES.other);
  const message = text.replace(/^(?:Code: \d+\. DB::Exception: )+/, '');
  return new EngineException(code, message, { cause: error });
}

/** The body a ClickHouse server sends with an exception. */
export function exceptionBody(exception: EngineException): string {
  const tail = /\([A-Z_0-9]+\)\s*$/.test(exception.message) ? '' : ' (EMBEDDED)';
  return `Code: ${exception.code}. DB::Exception: ${exception.message}${tail}\n`;
}
