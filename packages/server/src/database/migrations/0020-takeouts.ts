/** Archives with all data of an organization: where they are, how far they are, and until when they are kept. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('takeouts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('asked_by', 'text', (c) => c.notNull())
    .addColumn('asked_at', 'bigint', (c) => c.notNull())
    .addColumn('node', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('table', 'text')
    .addColumn('rows', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('error', 'text')
    .addColumn('link_digest', 'text')
    .addColumn('link_until', 'bigint')
    .execute();
  await schema
    .createIndex('takeouts_by_organization')
    .on('takeouts')
    .columns(['organization_id', 'asked_at'])
    .execute();
}
