/** What the warehouse throws besides `UnstorableError`. */

/** Not reachable now; the spool waits and tries again. */
export class WarehouseUnavailable extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'WarehouseUnavailable';
  }
}

const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);

/** Whether the connection ended before an answer came: a kept one that the other side was just closing, or an engine that starts again. */
export function lostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && LOST.has(String(error.code))) || error.message === 'socket hang up';
}

/**
 * ClickHouse codes that mean "these rows, whenever they come": text and numbers that can't be parsed into their column, unknown enum
 * values, a broken constraint. Everything else (memory, disk, network, read-only replica, unknown table) may pass on a retry.
 */
const UNSTORABLE = new Set([
  6, // CANNOT_PARSE_TEXT
  25, // CANNOT_PARSE_ESCAPE_SEQUENCE
  26, // CANNOT_PARSE_QUOTED_STRING
  27, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  38, // CANNOT_PARSE_DATE
  41, // CANNOT_PARSE_DATETIME
  53, // TYPE_MISMATCH
  69, // ARGUMENT_OUT_OF_BOUND
  70, // CANNOT_CONVERT_TYPE
  72, // CANNOT_PARSE_NUMBER
  117, // INCORRECT_DATA
  130, // CANNOT_READ_ARRAY_FROM_TEXT
  131, // TOO_LARGE_STRING_SIZE
  321, // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  349, // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  376, // CANNOT_PARSE_UUID
  407, // DECIMAL_OVERFLOW
  467, // CANNOT_PARSE_BOOL
  469, // VIOLATED_CONSTRAINT
  691, // UNKNOWN_ELEMENT_OF_ENUM
]);

/** Whether an error of the client says that the rows themselves are refused. Its `code` is ClickHouse's number as text. */
export function refusesRows(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNSTORABLE.has(Number(error.code));
}
