/** The signed WebMCP manifest: a key per property, what is published, what is being edited, and who changed what. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('webmcp_keys')
    .addColumn('attribution_id', 'text', (c) => c.primaryKey().references('properties.id'))
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('kid', 'text', (c) => c.notNull())
    .addColumn('public_jwk', 'text', (c) => c.notNull())
    .addColumn('private_jwk', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('webmcp_keys_by_organization')
    .on('webmcp_keys')
    .column('organization_id')
    .execute();

  await schema
    .createTable('webmcp_manifests')
    .addColumn('attribution_id', 'text', (c) => c.primaryKey().references('properties.id'))
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('document', 'text', (c) => c.notNull())
    .addColumn('etag', 'text', (c) => c.notNull())
    .addColumn('kid', 'text', (c) => c.notNull())
    .addColumn('jku', 'text', (c) => c.notNull())
    .addColumn('hosts', 'text', (c) => c.notNull())
    .addColumn('tools', 'text', (c) => c.notNull())
    .addColumn('issued_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('published_at', 'bigint', (c) => c.notNull())
    .addColumn('published_by', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('webmcp_manifests_by_organization')
    .on('webmcp_manifests')
    .column('organization_id')
    .execute();

  await schema
    .createTable('webmcp_drafts')
    .addColumn('attribution_id', 'text', (c) => c.primaryKey().references('properties.id'))
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_by', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('webmcp_drafts_by_organization')
    .on('webmcp_drafts')
    .column('organization_id')
    .execute();

  await schema
    .createTable('webmcp_versions')
    .addColumn('attribution_id', 'text', (c) => c.notNull().references('properties.id'))
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('hosts', 'text', (c) => c.notNull())
    .addColumn('tools', 'text', (c) => c.notNull())
    .addColumn('tool_count', 'bigint', (c) => c.notNull())
    .addColumn('kid', 'text')
    .addPrimaryKeyConstraint('webmcp_versions_pk', ['attribution_id', 'version'])
    .execute();
  await schema
    .createIndex('webmcp_versions_by_organization')
    .on('webmcp_versions')
    .column('organization_id')
    .execute();
}
