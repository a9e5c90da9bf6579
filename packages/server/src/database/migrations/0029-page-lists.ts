/** Which run of a day has rows in every daily table of now: one that was counted before a table was made has none there. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('daily_rows').addColumn('complete_run', 'bigint').execute();
}
