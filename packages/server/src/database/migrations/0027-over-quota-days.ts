/** Days on which a property was over its quota: visits were dropped, and their figures are not whole. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('over_quota_days')
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('over_at', 'bigint', (c) => c.notNull())
    .addColumn('closed_at', 'bigint')
    .addColumn('closed_until', 'bigint')
    .addPrimaryKeyConstraint('over_quota_days_pk', ['organization_id', 'attribution_id', 'day'])
    .execute();
}
