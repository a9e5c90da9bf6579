/** The first tables. `organization_id` is in every one from the start: no later retrofit of tables, keys and caches. */
import type { Kysely } from 'kysely';
import { DEFAULT_ORGANIZATION_ID } from '../../common/index.ts';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('organizations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db
    .insertInto('organizations')
    .values({ id: DEFAULT_ORGANIZATION_ID, name: 'Default', created_at: 0 })
    .execute();

  await schema
    .createTable('properties')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('domain', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute();
  await schema
    .createIndex('properties_by_organization')
    .on('properties')
    .columns(['organization_id', 'created_at'])
    .execute();

  await schema
    .createTable('ingest_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.references('properties.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await schema
    .createIndex('ingest_keys_by_organization')
    .on('ingest_keys')
    .columns(['organization_id', 'created_at'])
    .execute();

  await schema
    .createTable('sign_in_sessions')
    .addColumn('digest', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.references('organizations.id'))
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('sign_in_sessions_by_organization')
    .on('sign_in_sessions')
    .column('organization_id')
    .execute();
  await schema
    .createIndex('sign_in_sessions_by_expiry')
    .on('sign_in_sessions')
    .column('expires_at')
    .execute();

  await schema
    .createTable('list_snapshots')
    .addColumn('kind', 'text', (c) => c.primaryKey())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('fetched_at', 'bigint', (c) => c.notNull())
    .addColumn('etag', 'text')
    .addColumn('source_status', 'text')
    .execute();

  await schema
    .createTable('setup_signals')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.references('organizations.id'))
    .addColumn('attribution_id', 'text')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .addColumn('endpoint', 'text', (c) => c.notNull())
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('sample', 'text')
    .execute();
  await schema
    .createIndex('setup_signals_by_organization')
    .on('setup_signals')
    .columns(['organization_id', 'attribution_id', 'last_at'])
    .execute();
  await schema.createIndex('setup_signals_by_age').on('setup_signals').column('last_at').execute();

  await schema
    .createTable('quarantine')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text')
    .addColumn('endpoint', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('field', 'text')
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('quarantine_by_organization')
    .on('quarantine')
    .columns(['organization_id', 'at'])
    .execute();
  await schema.createIndex('quarantine_by_age').on('quarantine').column('at').execute();

  await schema
    .createTable('logpush_claims')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('organization_id', 'text', (c) => c.references('organizations.id'))
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('node', 'text', (c) => c.notNull())
    .addColumn('lease_until', 'bigint', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('logpush_claims_pk', ['scope', 'digest'])
    .execute();
  await schema.createIndex('logpush_claims_by_age').on('logpush_claims').column('at').execute();

  await schema
    .createTable('installation')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();

  await schema
    .createTable('audit_log')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.references('organizations.id'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('audit_log_by_organization')
    .on('audit_log')
    .columns(['organization_id', 'at'])
    .execute();

  await schema
    .createTable('locks')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('lease_until', 'bigint', (c) => c.notNull())
    .execute();
}
