/** Public links to the reports of a property, and mails of reports to its people. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('share_links')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await schema
    .createIndex('share_links_by_property')
    .on('share_links')
    .columns(['attribution_id', 'created_at'])
    .execute();
  await schema
    .createIndex('share_links_by_organization')
    .on('share_links')
    .column('organization_id')
    .execute();

  await schema
    .createTable('report_mails')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('person_id', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('every', 'text', (c) => c.notNull())
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('hour', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('next_at', 'bigint', (c) => c.notNull())
    .addColumn('last_sent_at', 'bigint')
    .addColumn('last_error', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .createIndex('report_mails_once')
    .on('report_mails')
    .columns(['attribution_id', 'person_id'])
    .unique()
    .execute();
  await schema.createIndex('report_mails_due').on('report_mails').column('next_at').execute();
  await schema
    .createIndex('report_mails_by_organization')
    .on('report_mails')
    .column('organization_id')
    .execute();
}
