/** Members with access to chosen properties, and invitations of such members. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .alterTable('members')
    .addColumn('limited', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('one_time_links').addColumn('properties', 'text').execute();
  await schema
    .createTable('member_properties')
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('person_id', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('member_properties_pk', ['organization_id', 'person_id', 'attribution_id'])
    .execute();
}
