/** What the warehouse throws besides `UnstorableError`, and what the answers of a server, a balancer and a network mean. */

/** No answer to this question now; the spool waits, a reader comes again. The message is a sentence for the reader. */
export class WarehouseUnavailable extends Error {
  /** Seconds after which a second try may do better. */
  readonly retryAfter: number;
  /** ClickHouse's number as text, or the system's word (`ECONNREFUSED`); null: neither. */
  readonly code: string | null;

  constructor(message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'WarehouseUnavailable';
    const { cause } = options;
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
    this.retryAfter = options.retryAfter ?? 5;
  }
}

/** The warehouse answers and must not be used as it is set up. The message is a sentence for the operator. */
export class WarehouseMisconfigured extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WarehouseMisconfigured';
  }
}

/** Files of the warehouse can't be read: other questions are answered, this one never. */
export class WarehouseDamaged extends WarehouseUnavailable {
  readonly damage: Damage;

  constructor(damage: Damage, options: { cause?: unknown } = {}) {
    super(damageSentence(damage), { ...options, retryAfter: 300 });
    this.name = 'WarehouseDamaged';
    this.damage = damage;
  }
}

export interface Damage {
  /** Empty: the error did not say. */
  readonly table: string;
  readonly part: string;
}

export const damageSentence = ({ table, part }: Damage): string =>
  part === ''
    ? 'Files of the warehouse are damaged: a part of its data can’t be read.'
    : `The warehouse can’t read the part ${part}${table === '' ? '' : ` of the table ${table}`}: its files are damaged.`;

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
  return UNSTORABLE.has(exceptionCode(error) ?? 0);
}

const BUSY = 'The warehouse is busy just now; try again in a moment.';
const TOO_LONG = 'The warehouse needed too long for this; ask for fewer days, or try again.';
const TOO_LARGE = 'The warehouse needed more memory for this than it may use; ask for fewer days, or filter.';
const AWAY = 'The warehouse does not answer just now; try again in a moment.';
const REFUSED =
  'The warehouse refuses this service; its operator has to look at the name, password and rights.';

/** ClickHouse codes that say nothing about the question: the same one may be answered later, or once the operator has acted. */
const PASSING: ReadonlyMap<number, string> = new Map([
  ...[159, 160].map((code) => [code, TOO_LONG] as const), // TIMEOUT_EXCEEDED, TOO_SLOW
  // TOO_MANY_SIMULTANEOUS_QUERIES, MEMORY_LIMIT_EXCEEDED, TOO_MANY_PARTS, CANNOT_SCHEDULE_TASK, LIMIT_EXCEEDED (of users), QUOTA_EXCEEDED
  ...[202, 241, 252, 439, 290, 201].map((code) => [code, BUSY] as const),
  // ALL_CONNECTION_TRIES_FAILED, NETWORK_ERROR, SOCKET_TIMEOUT, NO_ZOOKEEPER, TABLE_IS_READ_ONLY, NOT_ENOUGH_SPACE,
  // TOO_FEW_LIVE_REPLICAS, UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE, REPLICA_IS_NOT_IN_QUORUM, UNKNOWN_STATUS_OF_INSERT, NO_ACTIVE_REPLICAS,
  // UNFINISHED (a mutation or DDL with a replica away), QUERY_WAS_CANCELLED, ABORTED, KEEPER_EXCEPTION, CANNOT_WRITE_TO_FILE_DESCRIPTOR
  ...[279, 210, 209, 225, 242, 243, 285, 286, 289, 319, 254, 341, 394, 236, 999, 75].map(
    (code) => [code, AWAY] as const,
  ),
  // AUTHENTICATION_FAILED, ACCESS_DENIED, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, READONLY
  ...[516, 497, 192, 193, 194, 164].map((code) => [code, REFUSED] as const),
]);

/** Codes of a read that found files cut, altered or gone. */
const DAMAGED = new Set([
  32, // ATTEMPT_TO_READ_AFTER_EOF
  33, // CANNOT_READ_ALL_DATA
  40, // CHECKSUM_DOESNT_MATCH
  107, // FILE_DOESNT_EXIST
  118, // UNKNOWN_COMPRESSION_METHOD
  228, // BAD_SIZE_OF_FILE_IN_DATA_PART
  246, // CORRUPTED_DATA
  271, // CANNOT_DECOMPRESS
  432, // UNKNOWN_CODEC
]);

export const ACCESS_DENIED = 497;

/** ClickHouse's number; null: the error is none of ClickHouse's. */
export function exceptionCode(error: unknown): number | null {
  if (error instanceof WarehouseUnavailable) return exceptionCode(error.cause);
  if (!(error instanceof Error) || !('code' in error) || !('type' in error)) return null;
  const code = Number(error.code);
  return Number.isInteger(code) ? code : null;
}

/**
 * An error of the client as the service throws it on: what passes, and what no ClickHouse said (a balancer's page, an unknown name, a
 * connection that broke off, an answer that is cut) is `WarehouseUnavailable`. Errors in the question itself stay what they are.
 */
export function understood(error: unknown): unknown {
  if (error instanceof WarehouseUnavailable || error instanceof WarehouseMisconfigured) return error;
  const code = exceptionCode(error);
  if (code === null) return new WarehouseUnavailable(AWAY, { cause: shortened(error) });
  const damage = DAMAGED.has(code) ? damageOf(error as Error) : null;
  if (damage !== null) return new WarehouseDamaged(damage, { cause: error });
  const sentence = isOwnLimit(code, error) ? TOO_LARGE : PASSING.get(code);
  return sentence === undefined ? error : new WarehouseUnavailable(sentence, { cause: error });
}

/** MEMORY_LIMIT_EXCEEDED of the statement itself, not of the engine or its user: it would be met again. */
const isOwnLimit = (code: number, error: unknown): boolean =>
  code === 241 &&
  error instanceof Error &&
  /\bquery memory limit exceeded|memory limit \(for query\)/i.test(error.message);

/** ClickHouse names the part by its path: `…/<table or its UUID>/202603_1_1_0/`. */
function damageOf({ message }: Error): Damage {
  const [, table = '', part = ''] = /([\w.-]+)\/(\w+_\d+_\d+_\d+(?:_\d+)?)(?=[/\s'")]|$)/.exec(message) ?? [];
  return { table, part };
}

/** A page of a balancer in the log says no more with all of its markup. */
function shortened(error: unknown): unknown {
  if (!(error instanceof Error) || error.message.length <= 300) return error;
  const short = new Error(`${error.message.slice(0, 300)}…`);
  short.name = error.name;
  return short;
}
