/** Which request made a change: its `X-Request-Id`, by which the log is searched. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('audit_log').addColumn('request_id', 'text').execute();
}
