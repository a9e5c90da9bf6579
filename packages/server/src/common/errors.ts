/**
 * The one table of errors: what can go wrong at a request, its HTTP status and title. Rooms throw `ServiceError`;
 * `http/problem.ts` turns it into an RFC 9457 problem document. Anything else that is thrown is a fault of ours: it is
 * logged in full and answered as an empty 500.
 */
export const ERRORS = {
  malformed_body: { status: 400, title: 'The request body could not be read' },
  unauthorized: { status: 401, title: 'Not authenticated' },
  second_factor_required: { status: 401, title: 'A code is needed too' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request body did not arrive in time' },
  conflict: { status: 409, title: 'Conflict' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_encoding: { status: 415, title: 'The encoding of the request body is not supported' },
  invalid: { status: 422, title: 'The request was understood but not accepted' },
  rate_limited: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Temporarily unable to accept this' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Where in a body an error lies (RFC 6901 pointer) and what to do about it. */
export interface FieldError {
  pointer: string;
  message: string;
}

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  /** Extra response headers, for example `Retry-After`. */
  readonly headers: Record<string, string> | undefined;

  /** @param detail one sentence for the caller: what is wrong and what to do next */
  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers;
  }
}

/** The warehouse refused the rows themselves (a parse or type error): the shipper bisects instead of retrying. */
export class UnstorableError extends Error {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(reason, options);
    this.name = 'UnstorableError';
  }
}
