/** The disk said no: nothing of the request was taken, the sender should come again. Answered 503. */
export class SpoolWriteError extends Error {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(`The spool could not write: ${reason}`, options);
    this.name = 'SpoolWriteError';
  }
}
