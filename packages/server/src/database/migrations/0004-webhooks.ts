/** Webhooks: settings, keys, Recent Activity; conversions; custom tracking domains. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await webhooks(db);
  await conversions(db);
  await domains(db);
}

async function webhooks({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('webhook_settings')
    .addColumn('attribution_id', 'text', (c) => c.primaryKey().references('properties.id'))
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('enabled', 'bigint', (c) => c.notNull())
    .addColumn('lookback_days', 'bigint', (c) => c.notNull())
    .addColumn('consent_default', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('webhook_settings_by_organization')
    .on('webhook_settings')
    .column('organization_id')
    .execute();

  await schema
    .createTable('webhook_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('rate_limit', 'bigint', (c) => c.notNull())
    .addColumn('arrival_us', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await schema
    .createIndex('webhook_keys_by_property')
    .on('webhook_keys')
    .columns(['attribution_id', 'created_at'])
    .execute();
  await schema
    .createIndex('webhook_keys_by_organization')
    .on('webhook_keys')
    .column('organization_id')
    .execute();

  await schema
    .createTable('webhook_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('http_status', 'bigint', (c) => c.notNull())
    .addColumn('topic', 'text', (c) => c.notNull())
    .addColumn('session_matched', 'bigint', (c) => c.notNull())
    .addColumn('match_reason', 'text')
    .addColumn('conversion_row', 'text')
    .addColumn('conversion_id', 'text')
    .addColumn('key_prefix', 'text')
    .addColumn('error', 'text')
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addColumn('received', 'text')
    .addColumn('judgement', 'text')
    .execute();
  await schema
    .createIndex('webhook_requests_newest')
    .on('webhook_requests')
    .columns(['attribution_id', 'status', 'at', 'id'])
    .execute();
  await schema
    .createIndex('webhook_requests_by_organization')
    .on('webhook_requests')
    .column('organization_id')
    .execute();
  await schema
    .createIndex('webhook_requests_by_conversion')
    .on('webhook_requests')
    .column('conversion_row')
    .execute();
}

async function conversions({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('conversions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('topic', 'text', (c) => c.notNull())
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('conversion_id', 'text', (c) => c.notNull())
    .addColumn('refund_id', 'text')
    .addColumn('event_name', 'text')
    .addColumn('visitor_id', 'text')
    .addColumn('occurred_at', 'bigint', (c) => c.notNull())
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('value', 'text')
    .addColumn('currency', 'text')
    .addColumn('tax', 'text')
    .addColumn('shipping', 'text')
    .addColumn('discount_code', 'text')
    .addColumn('lead_type', 'text')
    .addColumn('products', 'text', (c) => c.notNull())
    .addColumn('consent', 'text')
    .addColumn('personal', 'text')
    .addColumn('personal_until', 'bigint')
    .addColumn('payload_digest', 'text')
    .addColumn('session_matched', 'bigint', (c) => c.notNull())
    .addColumn('match_reason', 'text', (c) => c.notNull())
    .addColumn('purchase_row', 'text')
    .addColumn('model', 'text')
    .addColumn('winner', 'text')
    .addColumn('touches', 'text', (c) => c.notNull())
    .addColumn('channel', 'text')
    .addColumn('platform', 'text')
    .addColumn('source', 'text')
    .addColumn('medium', 'text')
    .addColumn('campaign', 'text')
    .addColumn('match_until', 'bigint')
    .execute();
  // What makes a hundred identical requests at once one conversion.
  await schema
    .createIndex('conversions_once')
    .on('conversions')
    .columns(['attribution_id', 'topic', 'idempotency_key'])
    .unique()
    .execute();
  await schema
    .createIndex('conversions_by_time')
    .on('conversions')
    .columns(['attribution_id', 'occurred_at', 'id'])
    .execute();
  await schema
    .createIndex('conversions_by_order')
    .on('conversions')
    .columns(['attribution_id', 'conversion_id'])
    .execute();
  await schema
    .createIndex('conversions_by_visitor')
    .on('conversions')
    .columns(['attribution_id', 'visitor_id'])
    .execute();
  await schema
    .createIndex('conversions_by_organization')
    .on('conversions')
    .column('organization_id')
    .execute();
  await schema.createIndex('conversions_by_purchase').on('conversions').column('purchase_row').execute();
  await schema.createIndex('conversions_by_age').on('conversions').column('received_at').execute();
  await schema
    .createIndex('conversions_personal')
    .on('conversions')
    .column('personal_until')
    .where(sql.ref('personal_until'), 'is not', null)
    .execute();
  await schema
    .createIndex('conversions_waiting')
    .on('conversions')
    .column('match_until')
    .where(sql.ref('match_until'), 'is not', null)
    .execute();

  await schema
    .createTable('browser_conversions')
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('topic', 'text', (c) => c.notNull())
    .addColumn('conversion_id', 'text', (c) => c.notNull())
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('visitor_id', 'text')
    .addColumn('session_id', 'text')
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('browser_conversions_pk', ['attribution_id', 'topic', 'conversion_id'])
    .execute();
  await schema
    .createIndex('browser_conversions_by_organization')
    .on('browser_conversions')
    .column('organization_id')
    .execute();
  await schema.createIndex('browser_conversions_by_age').on('browser_conversions').column('at').execute();
}

async function domains({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('tracking_domains')
    .addColumn('domain', 'text', (c) => c.notNull())
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('verified_at', 'bigint')
    .addColumn('checked_at', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('tracking_domains_pk', ['domain', 'attribution_id'])
    .execute();
  // An unproven claim doesn't block the owner of a name; a proven one is the only one.
  await schema
    .createIndex('tracking_domains_verified')
    .on('tracking_domains')
    .column('domain')
    .unique()
    .where(sql.ref('verified_at'), 'is not', null)
    .execute();
  await schema
    .createIndex('tracking_domains_by_property')
    .on('tracking_domains')
    .column('attribution_id')
    .execute();
  await schema
    .createIndex('tracking_domains_by_organization')
    .on('tracking_domains')
    .column('organization_id')
    .execute();
}
