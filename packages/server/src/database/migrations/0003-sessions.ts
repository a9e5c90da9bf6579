/** Browser events: visitors, their sessions and touches, and what keeps an event from counting twice. */
import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  const owned = (table: string): CreateTableBuilder<string, 'attribution_id' | 'organization_id'> =>
    schema
      .createTable(table)
      .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'));
  const byOrganization = async (table: string): Promise<void> => {
    await schema.createIndex(`${table}_by_organization`).on(table).column('organization_id').execute();
  };

  await owned('event_settings')
    .addColumn('refuse_foreign_origins', 'integer', (c) => c.notNull())
    .addColumn('allowed_origins', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('event_settings_pk', ['attribution_id'])
    .execute();
  await byOrganization('event_settings');

  await owned('visitors')
    .addColumn('visitor_id', 'text', (c) => c.notNull())
    .addColumn('first_seen', 'bigint', (c) => c.notNull())
    .addColumn('last_seen', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('visitors_pk', ['attribution_id', 'visitor_id'])
    .execute();
  await byOrganization('visitors');
  await schema.createIndex('visitors_by_age').on('visitors').column('last_seen').execute();

  await owned('sessions')
    .addColumn('visitor_id', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('landing_at', 'bigint', (c) => c.notNull())
    .addColumn('landing_host', 'text', (c) => c.notNull())
    .addColumn('landing_path', 'text', (c) => c.notNull())
    .addColumn('referrer_host', 'text', (c) => c.notNull())
    .addColumn('pages', 'bigint', (c) => c.notNull())
    .addColumn('events', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sessions_pk', ['attribution_id', 'visitor_id', 'id'])
    .execute();
  await byOrganization('sessions');
  await schema.createIndex('sessions_by_age').on('sessions').column('last_at').execute();

  await owned('touches')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('visitor_id', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('paid', 'integer', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('consent', 'text')
    .addColumn('client', 'text')
    .execute();
  await byOrganization('touches');
  await schema
    .createIndex('touches_of_visitor')
    .on('touches')
    .columns(['attribution_id', 'visitor_id', 'at'])
    .execute();
  await schema.createIndex('touches_by_age').on('touches').column('at').execute();

  await owned('seen_events')
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('receipt', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('seen_events_pk', ['attribution_id', 'event_id'])
    .execute();
  // No index by organization: it is the largest of these tables, and never asked for so.
  await schema.createIndex('seen_events_by_age').on('seen_events').column('at').execute();

  await owned('event_arrivals')
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('event_arrivals_pk', ['attribution_id'])
    .execute();
  await byOrganization('event_arrivals');

  await owned('event_origins')
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('is_foreign', 'integer', (c) => c.notNull())
    .addColumn('accepted', 'bigint', (c) => c.notNull())
    .addColumn('refused', 'bigint', (c) => c.notNull())
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('event_origins_pk', ['attribution_id', 'origin'])
    .execute();
  await byOrganization('event_origins');

  await owned('erased_visitors')
    .addColumn('visitor_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('swept', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('erased_visitors_pk', ['attribution_id', 'visitor_id'])
    .execute();
  await byOrganization('erased_visitors');
  await schema.createIndex('erased_visitors_by_age').on('erased_visitors').column('at').execute();
}
