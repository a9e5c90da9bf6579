/** People: who they are, how they prove it, which organization they belong to; one-time links and API tokens. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await who(db);
  await secondFactors(db);
  await links(db);
  await tokens(db);
  for (const column of ['person_id', 'address', 'user_agent'])
    await db.schema.alterTable('sign_in_sessions').addColumn(column, 'text').execute();
  await db.schema
    .createIndex('sign_in_sessions_by_person')
    .on('sign_in_sessions')
    .column('person_id')
    .execute();
  // The list reads by time within an organization, and the admin token over all of them.
  await db.schema.createIndex('audit_log_by_time').on('audit_log').columns(['at', 'id']).execute();
}

/** Times in the first two are what the sign-in library writes: a timestamp on PostgreSQL, its ISO text on SQLite. */
async function who({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('people')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('email_verified', 'boolean', (c) => c.notNull())
    .addColumn('image', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute();
  await schema
    .createTable('credentials')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('person_id', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('provider_id', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('password', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('credentials_once')
    .on('credentials')
    .columns(['person_id', 'provider_id'])
    .unique()
    .execute();
  await schema
    .createTable('members')
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('person_id', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('members_pk', ['organization_id', 'person_id'])
    .execute();
  await schema.createIndex('members_by_person').on('members').column('person_id').execute();
}

async function secondFactors({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('second_factors')
    .addColumn('person_id', 'text', (c) => c.primaryKey().references('people.id'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_step', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('recovery_codes')
    .addColumn('person_id', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('digest', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pk', ['person_id', 'digest'])
    .execute();
}

async function links({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('one_time_links')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('organization_id', 'text', (c) => c.references('organizations.id'))
    .addColumn('person_id', 'text', (c) => c.references('people.id'))
    .addColumn('email', 'text')
    .addColumn('role', 'text')
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('one_time_links_by_organization')
    .on('one_time_links')
    .columns(['organization_id', 'kind'])
    .execute();
  await schema.createIndex('one_time_links_by_person').on('one_time_links').column('person_id').execute();
  await schema.createIndex('one_time_links_by_expiry').on('one_time_links').column('expires_at').execute();
}

async function tokens({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('api_tokens')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.references('properties.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('person_id', 'text', (c) => c.references('people.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await schema
    .createIndex('api_tokens_by_organization')
    .on('api_tokens')
    .columns(['organization_id', 'created_at'])
    .execute();
}
