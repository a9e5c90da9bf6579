/** What a change was: the values before and after, where they may be shown. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('audit_log').addColumn('changes', 'text').execute();
}
