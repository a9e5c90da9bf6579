/**
 * What a line of a server's access log says about one request: the fields of a hit before they are coerced, cut and classified. Member names are those that
 * the service reads in JSON, so that a record can be sent as it is.
 */
export interface LogRecord {
  /** Epoch milliseconds, as the server logged it. */
  readonly timestamp: number;
  /** The visitor's host, as far as the line names one; a port may follow. Empty: none. */
  readonly host: string;
  readonly method: string;
  /** As requested: neither decoded nor normalised, with its query. Begins with a slash. */
  readonly pathname: string;
  readonly user_agent: string;
  readonly referer: string;
  /** 0: the server gave no answer. */
  readonly status: number;
  /** Of the answer; 0 where the line does not say. */
  readonly bytes: number;
  /** The address that the server takes for the client's; empty where the line has none. */
  readonly ip: string;
  /** `X-Forwarded-For` as received. Any client can write it: see `clientAddress`. */
  readonly forwarded_for: string;
  /** The server's own name of the request; empty where it gives none. */
  readonly request_id: string;
  readonly country: string;
  /** 0: not known. */
  readonly asn: number;
  /** `http`, `https`, or empty where the line does not say. */
  readonly scheme: '' | 'http' | 'https';
  readonly accept: string;
  /** The three headers of a signed request (Web Bot Auth), as received; empty where absent. */
  readonly signature: string;
  readonly signature_input: string;
  readonly signature_agent: string;
}

/** Why a line is no record, with words for the person who runs the server. A closed set. */
export const LINE_REJECTS = {
  not_a_request: 'The line is not about a request: a connection without one, or a message of the server.',
  other_format: 'The line is not in this format.',
  truncated: 'The line is truncated, perhaps by a syslog daemon or a full disk.',
  no_header: 'There is no #Fields line before this line, so its columns have no names.',
  no_time: 'The line has no time of the request that can be read.',
  no_status: 'The status is not a number of up to three digits.',
  no_bytes: 'The size of the answer is not a number.',
} as const;
export type LineReject = keyof typeof LINE_REJECTS;

/** A line that is no record. `not_a_request` is ordinary; all others are faults of the line or of the chosen format. */
export interface Reject {
  readonly reject: LineReject;
}

export function isReject(parsed: LogRecord | Reject): parsed is Reject {
  return 'reject' in parsed;
}

/** A member of a record that a mapping can name, and `request`: a whole request line. */
export type RecordField = keyof LogRecord | 'request';

export interface FormatOptions {
  /** Host of lines that name none. */
  readonly host?: string;
  /** IANA name, for times that are written without a zone; default UTC. */
  readonly timeZone?: string;
  /** HAProxy: which headers `capture request header` captures, in its order; lower case. */
  readonly captures?: readonly string[];
  /** W3C: names of the columns, for lines without a `#Fields` line before them. */
  readonly fields?: readonly string[];
  /** JSON: where each field stands; several places are tried in turn. `a.b` is a member of a member. */
  readonly mapping?: Mapping;
}

export type Mapping = { readonly [field in RecordField]?: readonly string[] };

/** Reads the lines of one file or stream in their order. Never throws, whatever the line. */
export interface LineParser {
  /**
   * @param line without its line feed; bytes that are no UTF-8 as U+FFFD
   * @returns null for a line that says nothing: blank, or a comment
   */
  parseLine(line: string): LogRecord | Reject | null;
  /** W3C: the columns that the last `#Fields` line named, to go on from the middle of a file. Null: none yet, or none needed. */
  columns(): readonly string[] | null;
}

/** Each kind of reject is one object: hostile files have millions. */
const REJECTS: { readonly [reason in LineReject]: Reject } = Object.fromEntries(
  Object.keys(LINE_REJECTS).map((reason) => [reason, { reject: reason as LineReject }]),
) as { [reason in LineReject]: Reject };

export const reject = (reason: LineReject): Reject => REJECTS[reason];
