/** Deletions of properties and organizations with everything in them: what was there, and the count that proves that nothing is left. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('organizations').addColumn('deleted_at', 'bigint').execute();
  await schema
    .createTable('deletions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.references('properties.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('asked_by', 'text', (c) => c.notNull())
    .addColumn('asked_at', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('found', 'text', (c) => c.notNull())
    .addColumn('rest', 'text', (c) => c.notNull())
    .addColumn('counted_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('error', 'text')
    .execute();
  await schema
    .createIndex('deletions_by_organization')
    .on('deletions')
    .columns(['organization_id', 'asked_at'])
    .execute();
  await schema.createIndex('deletions_by_time').on('deletions').columns(['asked_at', 'id']).execute();
}
