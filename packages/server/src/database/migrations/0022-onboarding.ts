/** Whether the first steps of a property are still shown. Which of them are done follows from what is stored anyway. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('properties').addColumn('onboarding_dismissed_at', 'bigint').execute();
}
