/** Sign-in with a company's provider: which of its identities is whom, which members its groups have made, when such a session ends. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('identities')
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('person_id', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('identities_pk', ['issuer', 'subject'])
    .execute();
  // A second identity of one provider for one person is another person's who got the same address.
  await schema
    .createIndex('identities_once')
    .on('identities')
    .columns(['person_id', 'issuer'])
    .unique()
    .execute();
  await schema
    .createTable('used_sign_ins')
    .addColumn('digest', 'text', (c) => c.primaryKey())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('used_sign_ins_by_expiry').on('used_sign_ins').column('expires_at').execute();
  await schema
    .alterTable('members')
    .addColumn('by_groups', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('sign_in_sessions').addColumn('ends_at', 'bigint').execute();
}
