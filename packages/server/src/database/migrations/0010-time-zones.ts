/** A property's time zone, and between which moments a day was counted. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .alterTable('properties')
    .addColumn('time_zone', 'text', (c) => c.notNull().defaultTo('UTC'))
    .execute();
  await schema.alterTable('properties').addColumn('zone_since_day', 'text').execute();
  await schema.alterTable('properties').addColumn('zone_since_at', 'bigint').execute();
  await schema.alterTable('properties').addColumn('recount_asked_at', 'bigint').execute();
  await schema.alterTable('daily_rows').addColumn('starts_at', 'bigint').execute();
  await schema.alterTable('daily_rows').addColumn('ends_at', 'bigint').execute();
}
