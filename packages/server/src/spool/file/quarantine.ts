/** The table of rejected input. */
import { randomUUID } from 'node:crypto';
import { QUARANTINED_PER_ORGANIZATION, type StoredQuarantine } from '../quarantine.ts';
import type { QuarantinedInput } from '../types.ts';
import type { SpoolFile } from './file.ts';

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
       SELECT number FROM quarantine WHERE organization = ? ORDER BY number DESC LIMIT 1 OFFSET ${QUARANTINED_PER_ORGANIZATION})`,
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
