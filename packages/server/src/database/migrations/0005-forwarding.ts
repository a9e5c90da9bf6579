/** Forwarding: destinations, and the outbox of deliveries. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('destinations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('platform', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('config', 'text', (c) => c.notNull())
    .addColumn('credentials', 'text', (c) => c.notNull())
    .addColumn('credentials_at', 'bigint', (c) => c.notNull())
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('paused', 'bigint', (c) => c.notNull())
    .addColumn('alarm', 'text')
    .addColumn('not_before', 'bigint')
    .addColumn('failures', 'bigint', (c) => c.notNull())
    .addColumn('revision', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute();
  await schema
    .createIndex('destinations_by_property')
    .on('destinations')
    .columns(['attribution_id', 'created_at'])
    .execute();
  await schema
    .createIndex('destinations_by_organization')
    .on('destinations')
    .column('organization_id')
    .execute();

  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('destination_id', 'text', (c) => c.notNull().references('destinations.id'))
    .addColumn('platform', 'text', (c) => c.notNull())
    .addColumn('conversion_row', 'text', (c) => c.notNull())
    .addColumn('topic', 'text', (c) => c.notNull())
    .addColumn('conversion_id', 'text', (c) => c.notNull())
    .addColumn('visitor_id', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('message', 'text')
    .addColumn('platform_event', 'text')
    .addColumn('guarantee', 'text')
    .addColumn('attempts', 'bigint', (c) => c.notNull())
    .addColumn('next_at', 'bigint')
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('split', 'text')
    .addColumn('ref', 'text')
    .addColumn('request', 'text')
    .addColumn('response', 'text')
    .addColumn('history', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('settled_at', 'bigint')
    .execute();
  // What makes a conversion one delivery per destination, however often it is announced.
  await schema
    .createIndex('deliveries_once')
    .on('deliveries')
    .columns(['conversion_row', 'destination_id'])
    .unique()
    .execute();
  // Open ones alone: what is over is never looked at by the loop.
  await schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['destination_id', 'next_at', 'id'])
    .where(sql.ref('state'), 'in', sql`('pending', 'retry', 'accepted_async')`)
    .execute();
  await schema
    .createIndex('deliveries_leased')
    .on('deliveries')
    .column('lease_until')
    .where(sql.ref('lease_until'), 'is not', null)
    .execute();
  await schema
    .createIndex('deliveries_by_time')
    .on('deliveries')
    .columns(['attribution_id', 'created_at', 'id'])
    .execute();
  await schema
    .createIndex('deliveries_by_state')
    .on('deliveries')
    .columns(['attribution_id', 'state', 'created_at'])
    .execute();
  await schema
    .createIndex('deliveries_by_visitor')
    .on('deliveries')
    .columns(['attribution_id', 'visitor_id'])
    .execute();
  await schema.createIndex('deliveries_by_organization').on('deliveries').column('organization_id').execute();
  await schema.createIndex('deliveries_by_age').on('deliveries').column('created_at').execute();
}
