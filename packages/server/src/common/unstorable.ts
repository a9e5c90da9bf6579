/** The warehouse refused the rows themselves (a parse or type error): the shipper bisects instead of retrying. */
export class UnstorableError extends Error {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(reason, options);
    this.name = 'UnstorableError';
  }
}
