/** Changes that were sent with a key, and what they were answered: a repeat gets the same answer. Kept for a day. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('repeatable_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text')
    .addColumn('attribution_id', 'text')
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('answer', 'text')
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  for (const [name, columns] of [
    ['by_time', ['at']],
    ['by_actor', ['actor']],
    ['by_organization', ['organization_id']],
    ['by_property', ['attribution_id']],
  ] as const)
    await schema
      .createIndex(`repeatable_requests_${name}`)
      .on('repeatable_requests')
      .columns([...columns])
      .execute();
}
