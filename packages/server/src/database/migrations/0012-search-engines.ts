/** Whether a property tells crawlers of search engines apart. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .alterTable('properties')
    .addColumn('search_engines', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
