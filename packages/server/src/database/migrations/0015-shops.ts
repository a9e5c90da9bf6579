/** Shops that deliver their own webhooks: their secrets and last deliveries, whom they want forgotten, and which conversions they said. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('webhook_shops')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('platform', 'text', (c) => c.notNull())
    .addColumn('secrets', 'text', (c) => c.notNull())
    .addColumn('previous_until', 'bigint')
    .addColumn('rate_limit', 'bigint', (c) => c.notNull())
    .addColumn('arrival_us', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint')
    .addColumn('last_topic', 'text')
    .addColumn('last_result', 'text')
    .addColumn('last_detail', 'text')
    .addColumn('pinged_at', 'bigint')
    .addColumn('stored', 'bigint', (c) => c.notNull())
    .addColumn('repeated', 'bigint', (c) => c.notNull())
    .addColumn('ignored', 'bigint', (c) => c.notNull())
    .addColumn('unusable', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('webhook_shops_once')
    .on('webhook_shops')
    .columns(['attribution_id', 'platform'])
    .unique()
    .execute();
  await schema
    .createIndex('webhook_shops_by_organization')
    .on('webhook_shops')
    .column('organization_id')
    .execute();

  await schema
    .createTable('webhook_redactions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('platform', 'text', (c) => c.notNull())
    .addColumn('whose', 'text', (c) => c.notNull())
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('webhook_redactions_by_organization')
    .on('webhook_redactions')
    .column('organization_id')
    .execute();

  await schema.alterTable('webhook_requests').addColumn('shop', 'text').execute();
  await schema.alterTable('webhook_requests').addColumn('delivery', 'text').execute();
  await schema.alterTable('conversions').addColumn('shop', 'text').execute();
}
