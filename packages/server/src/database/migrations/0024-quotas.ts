/** How many visits a property and an organization may store a day, and how far a property is today. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('organizations').addColumn('quota_hits', 'bigint').execute();
  for (const column of ['quota_hits', 'quota_limit', 'quota_until'])
    await schema.alterTable('properties').addColumn(column, 'bigint').execute();
  await schema
    .alterTable('properties')
    .addColumn('quota_used', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('properties')
    .addColumn('quota_state', 'text', (c) => c.notNull().defaultTo('open'))
    .execute();
  await schema
    .alterTable('properties')
    .addColumn('quota_of', 'text', (c) => c.notNull().defaultTo('property'))
    .execute();
}
