/**
 * Conversions from the newest to the oldest, a page at a time, so that no report holds the database or the memory. Between two pages others have
 * their turn: SQLite answers at once, so a long report would otherwise keep the event loop from every tenant.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { ConversionRow } from './announce.ts';

type Place = Pick<ConversionRow, 'id' | 'occurred_at'>;

/** Ends the statement of a page: rows after the last one, in this order. */
export interface PageOf {
  readonly older: RawBuilder<boolean>;
  readonly order: RawBuilder<unknown>;
  readonly limit: number;
}

/** @param read must name the table of conversions `conversions` */
export async function* newestFirst<Row extends Place>(
  limit: number,
  read: (page: PageOf) => Promise<Row[]>,
): AsyncGenerator<Row> {
  const order = sql`conversions.occurred_at desc, conversions.id`;
  for (let older = sql<boolean>`1 = 1`; ; ) {
    const rows = await read({ older, order, limit });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    const { occurred_at: at, id } = last;
    older = sql<boolean>`(conversions.occurred_at < ${at} or (conversions.occurred_at = ${at} and conversions.id > ${id}))`;
    await turn();
  }
}
