/** Rejected input, kept here in the transaction that counts it until the state database has collected it. Bounded by number and age. */
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@ghostlight/core/time';
import type { SpoolFile } from './file.ts';
import type { QuarantinedInput } from './types.ts';

export const QUARANTINE_KEEP_MS = 7 * DAY_MS;
const PER_ORGANIZATION = 1_000;

/** `id` is unique over all nodes: collecting a row twice must not make it two. */
export type StoredQuarantine = QuarantinedInput & { readonly id: string };

/** Inside a transaction. */
export function quarantine(file: SpoolFile, inputs: readonly QuarantinedInput[]): void {
  if (inputs.length === 0) return;
  const insert = file.statement(
    'INSERT INTO quarantine (id, organization, attribution, endpoint, reason, field, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { organizationId, attributionId, endpoint, reason, field, body, at } of inputs) {
    insert.run(randomUUID(), organizationId, attributionId, endpoint, reason, field, body, at);
  }
  const bound = file.statement(
    `DELETE FROM quarantine WHERE organization = ? AND number <= (
       SELECT number FROM quarantine WHERE organization = ? ORDER BY number DESC LIMIT 1 OFFSET ${PER_ORGANIZATION})`,
  );
  for (const organization of new Set(inputs.map(({ organizationId }) => organizationId))) {
    bound.run(organization, organization);
  }
}

/** Oldest first. */
export function quarantined(file: SpoolFile, limit: number): StoredQuarantine[] {
  const rows = file
    .statement(
      `SELECT id, organization AS organizationId, attribution AS attributionId, endpoint, reason, field, body, at
       FROM quarantine ORDER BY number LIMIT ?`,
    )
    .all(limit);
  return rows as unknown as StoredQuarantine[];
}

export function removeQuarantine(file: SpoolFile, ids: readonly string[]): void {
  file.freeingTransaction(() => {
    for (const id of ids) file.statement('DELETE FROM quarantine WHERE id = ?').run(id);
  });
}

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
