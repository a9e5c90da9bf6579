/** The network from which a key was last used; of no address more than /24 or /48. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  for (const table of ['ingest_keys', 'webhook_keys', 'api_tokens'])
    await schema.alterTable(table).addColumn('last_used_from', 'text').execute();
}
