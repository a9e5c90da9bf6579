import { createHash } from 'node:crypto';

/**
 * The primary key of a `setup_signals` row: SHA-256 (hex) over its identifying tuple. A plain unique index would not do, for
 * in SQL no NULL equals another and every signal without an organization would be a row of its own.
 */
export function signalKey(signal: {
  readonly organization_id: string | null;
  readonly attribution_id: string | null;
  readonly kind: string;
  readonly detail: string;
  readonly endpoint: string;
}): string {
  const tuple = [signal.organization_id, signal.attribution_id, signal.kind, signal.detail, signal.endpoint];
  return createHash('sha256').update(JSON.stringify(tuple)).digest('hex');
}
