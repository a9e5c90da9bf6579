/** How long a property keeps its data by class, and what was deleted for it. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('properties').addColumn('retention', 'text').execute();
  await schema
    .createTable('retention_runs')
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('class', 'text', (c) => c.notNull())
    .addColumn('days', 'bigint', (c) => c.notNull())
    .addColumn('cut_at', 'bigint', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('deleted', 'bigint', (c) => c.notNull())
    .addColumn('total', 'bigint', (c) => c.notNull())
    .addColumn('rest', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('retention_runs_pk', ['attribution_id', 'class'])
    .execute();
}
