/** What the robots.txt of a sitemap's hosts says: it may be why a page is not read. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('sitemaps').addColumn('robots', 'text').execute();
}
