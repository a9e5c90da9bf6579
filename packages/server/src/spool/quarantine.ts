/** Rejected input, kept by the spool in the transaction that counts it until the state database has collected it. Bounded by number and age. */
import { DAY_MS } from '@ghostlight/core/time';
import type { QuarantinedInput } from './types.ts';

export const QUARANTINE_KEEP_MS = 7 * DAY_MS;
/** The newest of each organization. */
export const QUARANTINED_PER_ORGANIZATION = 1_000;

/** `id` is unique over all nodes: collecting a row twice must not make it two. */
export type StoredQuarantine = QuarantinedInput & { readonly id: string };

/** What is recorded of a row that the warehouse refuses: its owner is read from the row, as far as it can be read. */
export function unstorable(line: Uint8Array, reason: string, at: number): QuarantinedInput {
  const text = Buffer.from(line).toString('utf8').trimEnd();
  let row: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) row = { ...parsed };
  } catch {
    // Then it has no owner; it is kept nevertheless.
  }
  const member = (name: string) => (typeof row[name] === 'string' ? row[name] : null);
  return {
    organizationId: member('organization_id') ?? '',
    attributionId: member('attribution_id'),
    endpoint: (member('source') ?? 'unknown').slice(0, 64),
    reason: 'unstorable',
    field: reason.slice(0, 200),
    body: text.slice(0, 8_192),
    at,
  };
}
