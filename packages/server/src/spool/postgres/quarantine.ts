/** The table of rejected input. Any node may collect it for the state database; the id makes twice once. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { QUARANTINED_PER_ORGANIZATION, type StoredQuarantine } from '../quarantine.ts';
import type { QuarantinedInput } from '../types.ts';
import type { Transaction } from './lane.ts';
import type { Tables } from './schema.ts';

export function quarantine(tx: Transaction, t: Tables, inputs: readonly QuarantinedInput[]): void {
  if (inputs.length === 0) return;
  const column = (of: (input: QuarantinedInput) => string | null) =>
    inputs.map((input) => of(input)?.replaceAll('\0', '\uFFFD') ?? null);
  tx.query(
    {
      text: `INSERT INTO ${t.quarantine} (id, organization, attribution, endpoint, reason, field, body, at)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])`,
    },
    [
      inputs.map(() => randomUUID()),
      column(({ organizationId }) => organizationId),
      column(({ attributionId }) => attributionId),
      column(({ endpoint }) => endpoint),
      column(({ reason }) => reason),
      column(({ field }) => field),
      column(({ body }) => body),
      inputs.map(({ at }) => at),
    ],
  );
  const organizations = new Set(inputs.map(({ organizationId }) => organizationId));
  for (const organization of organizations)
    tx.query(
      {
        text: `DELETE FROM ${t.quarantine} WHERE organization = $1 AND number <= (
          SELECT number FROM ${t.quarantine} WHERE organization = $1 ORDER BY number DESC LIMIT 1 OFFSET ${QUARANTINED_PER_ORGANIZATION})`,
      },
      [organization],
    );
}

/** Oldest first. */
export async function quarantined(client: pg.Client, t: Tables, limit: number): Promise<StoredQuarantine[]> {
  const { rows } = await client.query<StoredQuarantine & { at: string }>(
    `SELECT id, organization AS "organizationId", attribution AS "attributionId", endpoint, reason, field, body, at
     FROM ${t.quarantine} ORDER BY number LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({ ...row, at: Number(row.at) }));
}
