/** When each bot came to a property first: a fact of the property, whatever days a report is about. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  // Filled from daily rows and hits at the first question of a property. No reference to properties, as of the daily rows.
  await schema
    .createTable('bot_firsts')
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('attribution_id', 'text', (c) => c.notNull())
    .addColumn('bot', 'text', (c) => c.notNull())
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('bot_firsts_key', ['organization_id', 'attribution_id', 'bot'])
    .execute();
  await schema
    .createTable('bot_firsts_learnt')
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('attribution_id', 'text', (c) => c.notNull())
    .addColumn('until', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('bot_firsts_learnt_key', ['organization_id', 'attribution_id'])
    .execute();
}
