/**
 * Conversions that arrived before their visitor's touch: matched when it comes, within an hour. Session and webhook may commit on two
 * nodes at the same moment, each blind to the other, so both look again after their commit; what falls through, the sweep of each
 * minute finds.
 */

import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { announce, type ConversionRow, type OnConversion } from './announce.ts';
import { findMatch, type Matching } from './matching.ts';
import { isSale, passOn, purchaseOf } from './refunds.ts';

/** Of one visitor, or read at once by a sweep. */
const PAGE = 1_000;
/** Looked at in one sweep, the newest first: what two commits passed each other over is new. */
const MAX_SWEPT = 20_000;

export interface LateMatch {
  /** After the commit of new touches. Never throws. */
  onVisitors(seen: readonly { readonly attributionId: string; readonly visitorId: string }[]): Promise<void>;
  /** After the commit of a conversion whose visitor was unknown. Never throws. */
  lookAgain(conversion: ConversionRow): Promise<void>;
  /** The job of each minute. */
  sweep(): Promise<void>;
}

export function createLateMatch({
  database,
  matching,
  onConversion,
  clock,
  log,
}: {
  database: Database;
  matching: Matching;
  onConversion: OnConversion | undefined;
  clock: Clock;
  log: Log;
}): LateMatch {
  /** One transaction per conversion: it either becomes late, with all that follows, or stays as it is. */
  const rematch = async (id: string): Promise<void> => {
    await database.kysely.transaction().execute(async (trx) => {
      const conversion = await trx
        .selectFrom('conversions')
        .selectAll()
        .where('id', '=', id)
        .where('session_matched', '=', 0)
        .where('match_until', '>=', clock())
        .$call(database.adapter.forUpdate)
        .executeTakeFirst();
      if (conversion === undefined) return;
      const lookbackDays = await lookbackOf(trx, conversion);
      const match = await findMatch(matching, trx, {
        attributionId: conversion.attribution_id,
        visitorId: conversion.visitor_id,
        occurredAt: conversion.occurred_at,
        receivedAt: conversion.received_at,
        lookbackDays,
      });
      if (match.session_matched !== 1) return;
      const late = await trx
        .updateTable('conversions')
        .set({ ...match, match_reason: 'late' })
        .where('id', '=', id)
        .where('organization_id', '=', conversion.organization_id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const refunds = isSale(late) ? await passOn(trx, late) : [];
      await announce(trx, [late, ...refunds], onConversion);
    });
  };

  /** A refund whose purchase was stored at the same moment, elsewhere. */
  const adopt = async ({ attribution_id: id, conversion_id: order }: ConversionRow): Promise<void> => {
    await database.kysely.transaction().execute(async (trx) => {
      const purchase = await purchaseOf(trx, database.adapter, id, order);
      if (purchase !== null) await announce(trx, await passOn(trx, purchase), onConversion);
    });
  };

  const quietly = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids)
      await rematch(id).catch((error: unknown) =>
        log.warn(
          { err: error, conversion: id },
          'a conversion could not be matched again; the sweep will try',
        ),
      );
  };

  const waiting = () =>
    database.reader.selectFrom('conversions').selectAll().where('match_until', '>=', clock()).limit(PAGE);

  /** Newest first. @param last of the page before */
  const waitingAfter = (last: ConversionRow | undefined) =>
    waiting()
      .$if(last !== undefined, (query) =>
        query.where(({ and, eb, or }) =>
          or([
            eb('match_until', '<', last?.match_until ?? 0),
            and([eb('match_until', '=', last?.match_until ?? 0), eb('id', '>', last?.id ?? '')]),
          ]),
        ),
      )
      .orderBy('match_until', 'desc')
      .orderBy('id');

  /** Without a transaction, which on SQLite would block all others. */
  const isKnownNow = async ({ attribution_id, visitor_id, occurred_at }: ConversionRow): Promise<boolean> =>
    visitor_id !== null &&
    (await matching.touchesOf(database.reader, attribution_id, visitor_id, occurred_at, 0)).known;

  return {
    async onVisitors(seen) {
      for (const { attributionId, visitorId } of seen) {
        const rows = await waiting()
          .where('attribution_id', '=', attributionId)
          .where('visitor_id', '=', visitorId)
          .execute()
          .catch((error: unknown) => {
            log.warn({ err: error }, 'waiting conversions could not be read; the sweep will try');
            return [];
          });
        await quietly(rows.map(({ id }) => id));
      }
    },
    async lookAgain(conversion) {
      if (conversion.match_until !== null && (await isKnownNow(conversion).catch(() => false)))
        await quietly([conversion.id]);
      if (conversion.topic === 'refund' && conversion.purchase_row === null)
        await adopt(conversion).catch((error: unknown) =>
          log.warn(
            { err: error, conversion: conversion.id },
            'the purchase of a refund could not be looked up',
          ),
        );
    },
    async sweep() {
      let swept = 0;
      for (let last: ConversionRow | undefined; swept < MAX_SWEPT; ) {
        const rows = await waitingAfter(last).execute();
        for (const row of rows) if (await isKnownNow(row)) await quietly([row.id]);
        last = rows.at(-1);
        swept += rows.length;
        if (rows.length < PAGE) break;
      }
      await database.kysely
        .updateTable('conversions')
        .set({ match_until: null })
        .where('match_until', '<', clock())
        .execute();
    },
  };
}

/** As it was set when the match is made. */
async function lookbackOf(trx: Database['kysely'], conversion: ConversionRow): Promise<number> {
  const row = await trx
    .selectFrom('webhook_settings')
    .select('lookback_days')
    .where('attribution_id', '=', conversion.attribution_id)
    .where('organization_id', '=', conversion.organization_id)
    .executeTakeFirstOrThrow();
  return row.lookback_days;
}
