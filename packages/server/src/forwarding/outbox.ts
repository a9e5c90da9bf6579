/**
 * The outbox: one delivery per matched conversion and destination, in the transaction of the conversion. Whether it will be sent is
 * decided when its turn comes: here stands only that it must not be forgotten. Asked of the database each time, and not of a cache: a
 * destination that another node has just connected would miss conversions, and the look-up is a point of an index.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../common/index.ts';
import type { OnConversion } from '../webhooks/index.ts';

export function createOutbox(clock: Clock): OnConversion {
  return async (trx, conversion) => {
    if (conversion.session_matched !== 1) return;
    const destinations = await trx
      .selectFrom('destinations')
      .select(['id', 'platform'])
      .where('attribution_id', '=', conversion.attribution_id)
      .where('organization_id', '=', conversion.organization_id)
      .where('deleted_at', 'is', null)
      .execute();
    if (destinations.length === 0) return;
    const at = clock();
    await trx
      .insertInto('deliveries')
      .values(
        destinations.map(({ id, platform }) => ({
          id: `dlv_${randomBytes(16).toString('hex')}`,
          organization_id: conversion.organization_id,
          attribution_id: conversion.attribution_id,
          destination_id: id,
          platform,
          conversion_row: conversion.id,
          topic: conversion.topic,
          conversion_id: conversion.conversion_id,
          visitor_id: conversion.visitor_id,
          state: 'pending' as const,
          attempts: 0,
          next_at: at,
          history: '[]',
          created_at: at,
          updated_at: at,
        })),
      )
      // Announced once when it is stored, and again when it is matched later.
      .onConflict((conflict) => conflict.columns(['conversion_row', 'destination_id']).doNothing())
      .execute();
  };
}
