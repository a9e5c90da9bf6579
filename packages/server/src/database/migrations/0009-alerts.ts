/** Alerts: rules, alerts, channels and messages. */
import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  const ofProperty = (table: string): CreateTableBuilder<string, 'attribution_id' | 'organization_id'> =>
    schema
      .createTable(table)
      .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
      .addColumn('organization_id', 'text', (c) => c.notNull());

  await ofProperty('alert_watches')
    .addColumn('evaluated_at', 'bigint', (c) => c.notNull())
    .addColumn('watching_since', 'bigint', (c) => c.notNull())
    .addColumn('first_visit_at', 'bigint')
    .addPrimaryKeyConstraint('alert_watches_key', ['attribution_id'])
    .execute();
  await ofProperty('alert_seen')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('alert_seen_key', ['attribution_id', 'kind', 'name'])
    .execute();
  await ofProperty('alert_rules')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('enabled', 'bigint', (c) => c.notNull())
    .addColumn('threshold', 'double precision')
    .addPrimaryKeyConstraint('alert_rules_key', ['attribution_id', 'kind'])
    .execute();
  await ofProperty('alert_settings')
    .addColumn('repeat_hours', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('alert_settings_key', ['attribution_id'])
    .execute();

  await ofProperty('alerts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('resolved_at', 'bigint')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('now', 'double precision', (c) => c.notNull())
    .addColumn('usual', 'double precision')
    .addColumn('unit', 'text', (c) => c.notNull())
    .addColumn('link', 'text', (c) => c.notNull())
    .addColumn('told', 'text', (c) => c.notNull())
    .addColumn('told_at', 'bigint', (c) => c.notNull())
    .execute();
  // The list, the look at what is open, and the clearing of old ones.
  await schema
    .createIndex('alerts_by_time')
    .on('alerts')
    .columns(['attribution_id', 'organization_id', 'at', 'id'])
    .execute();
  await schema
    .createIndex('alerts_by_subject')
    .on('alerts')
    .columns(['attribution_id', 'kind', 'subject', 'at'])
    .execute();
  // Whatever happens to a lock, two nodes can't say the same twice.
  await schema
    .createIndex('alerts_open_once')
    .on('alerts')
    .columns(['attribution_id', 'kind', 'subject'])
    .unique()
    .where(sql.ref('resolved_at'), 'is', null)
    .execute();

  await schema
    .createTable('alert_channels')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.references('properties.id'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('enabled', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute();
  await schema
    .createIndex('alert_channels_by_organization')
    .on('alert_channels')
    .columns(['organization_id', 'attribution_id'])
    .execute();

  await ofProperty('alert_messages')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('channel_id', 'text', (c) => c.notNull())
    .addColumn('phase', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts', 'bigint', (c) => c.notNull())
    .addColumn('next_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('tried_at', 'bigint')
    .addColumn('error', 'text')
    .execute();
  await schema.createIndex('alert_messages_by_alert').on('alert_messages').column('alert_id').execute();
  // What is due, and how much a channel was sent within the hour.
  await schema.createIndex('alert_messages_due').on('alert_messages').columns(['next_at']).execute();
  await schema
    .createIndex('alert_messages_by_channel')
    .on('alert_messages')
    .columns(['channel_id', 'tried_at'])
    .execute();
}
