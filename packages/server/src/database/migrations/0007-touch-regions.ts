/** Where a touch comes from, as far as consent goes; and how the conversions of a day are found. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('touches').addColumn('region', 'text').execute();

  // The accuracy report goes by the day of reception.
  await schema
    .createIndex('conversions_by_reception')
    .on('conversions')
    .columns(['attribution_id', 'received_at'])
    .execute();
  // Whose personal data may be over before its retention: few, where deliveries go through.
  await schema
    .createIndex('conversions_forwarded')
    .on('conversions')
    .column('id')
    .where(sql.ref('session_matched'), '=', sql.lit(1))
    .where(sql.ref('personal_until'), 'is not', null)
    .execute();
  // What is shown of requests goes long before the delivery itself.
  await schema
    .createIndex('deliveries_shown')
    .on('deliveries')
    .column('created_at')
    .where(sql.ref('request'), 'is not', null)
    .execute();
  // No query reads a whole organization, but every statement names it: SQLite, which knows no better, then read all rows of one instead of
  // those it was asked for (100 conversions by their ids, the answers of a request, a visitor's sessions).
  for (const table of ['conversions', 'deliveries', 'sessions', 'webhook_requests', 'browser_conversions'])
    await schema.dropIndex(`${table}_by_organization`).execute();
  // As of 0005, and the destination: health is counted from the index alone.
  await schema.dropIndex('deliveries_by_state').execute();
  await schema
    .createIndex('deliveries_by_state')
    .on('deliveries')
    .columns(['attribution_id', 'state', 'created_at', 'destination_id'])
    .execute();
}
