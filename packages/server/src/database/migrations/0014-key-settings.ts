/** What an ingest key knows of its sender, encrypted, and when a key ends that another one has replaced. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('ingest_keys').addColumn('settings', 'text').execute();
  await schema.alterTable('ingest_keys').addColumn('expires_at', 'bigint').execute();
}
