/** The spool's file can't be opened at the start; the sentence says why and what to do. */
export class SpoolOpenError extends Error {
  constructor(path: string, options: { cause: unknown }) {
    const reason = options.cause instanceof Error ? options.cause.message : String(options.cause);
    super(`The spool ${path} could not be opened: ${reason}`, options);
    this.name = 'SpoolOpenError';
  }
}

/** The disk said no: nothing of the request was taken, the sender should come again. Answered 503. */
export class SpoolWriteError extends Error {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(`The spool could not write: ${reason}`, options);
    this.name = 'SpoolWriteError';
  }
}
