/** What follows from a conversion that is new or newly matched, in the same transaction. */
import type { Database, Row } from '../database/index.ts';

export type ConversionRow = Row<'conversions'>;

/**
 * Called in the transaction that stores a conversion, and again in the one that matches it later: what is written here (deliveries)
 * stands or falls with it. Await nothing but the database.
 */
export type OnConversion = (trx: Database['kysely'], conversion: ConversionRow) => Promise<void>;

/** Recent Activity says what is so now, not what was answered. */
export async function announce(
  trx: Database['kysely'],
  conversions: readonly ConversionRow[],
  onConversion: OnConversion | undefined,
): Promise<void> {
  for (const conversion of conversions) {
    if (conversion.session_matched === 1)
      await trx
        .updateTable('webhook_requests')
        .set({ session_matched: 1, match_reason: conversion.match_reason })
        .where('conversion_row', '=', conversion.id)
        .where('organization_id', '=', conversion.organization_id)
        .execute();
    await onConversion?.(trx, conversion);
  }
}
