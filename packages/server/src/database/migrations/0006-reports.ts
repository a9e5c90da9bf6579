/** Reports: which recount of a day counts, and what is known of each property's sitemap. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  // No reference to properties: the warehouse may hold hits of one that the state database has never heard of (restored, imported).
  await schema
    .createTable('daily_rows')
    .addColumn('attribution_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('run', 'bigint', (c) => c.notNull())
    .addColumn('hits', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('daily_rows_key', ['organization_id', 'attribution_id', 'day'])
    .execute();

  await schema
    .createTable('daily_leftovers')
    .addColumn('run', 'bigint', (c) => c.notNull())
    .addColumn('attribution_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('daily_leftovers_key', ['run', 'organization_id', 'attribution_id'])
    .execute();

  await schema
    .createTable('sitemaps')
    .addColumn('attribution_id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('configured_url', 'text')
    .addColumn('url', 'text')
    .addColumn('reading_since', 'bigint')
    .addColumn('tried_at', 'bigint')
    .addColumn('fetched_at', 'bigint')
    .addColumn('error', 'text')
    .addColumn('version', 'bigint')
    .addColumn('digest', 'text')
    .addColumn('pages', 'bigint', (c) => c.notNull())
    .addColumn('skipped', 'bigint', (c) => c.notNull())
    .addColumn('truncated', 'bigint', (c) => c.notNull())
    .execute();
}
