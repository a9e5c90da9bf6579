/** What people answer to alerts: seen, silent until a moment, and which of them a channel gets. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('alerts').addColumn('acknowledged_at', 'bigint').execute();
  await schema.alterTable('alerts').addColumn('acknowledged_by', 'text').execute();
  await schema.alterTable('alert_rules').addColumn('muted_until', 'bigint').execute();
  await schema.alterTable('alert_channels').addColumn('kinds', 'text').execute();
}
