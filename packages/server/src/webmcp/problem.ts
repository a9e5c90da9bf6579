/** What is wrong, or could be better, with what is to be published. */

export interface ManifestProblem {
  /** RFC 6901, into the request's body: `/tools/2/inputSchema/properties/sku`. */
  readonly pointer: string;
  /** A sentence that says what to do. */
  readonly message: string;
  /** An error prevents publishing, a warning doesn't. */
  readonly severity: 'error' | 'warning';
}

export const error = (pointer: string, message: string): ManifestProblem => ({
  pointer,
  message,
  severity: 'error',
});

export const warning = (pointer: string, message: string): ManifestProblem => ({
  pointer,
  message,
  severity: 'warning',
});

/** A reference token of RFC 6901. */
export const token = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
