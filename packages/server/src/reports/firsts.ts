/**
 * When each bot came to a property first. Days of a report can't say it: they begin somewhere, and hits that come late are of days before.
 * What was stored until some moment is learnt once and kept; the hits stored since are read at every question.
 */
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import type { Clock } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { firstVisits, type Warehouse } from '../warehouse/index.ts';

/** Nodes' clocks differ, and an insert is stamped when it begins. */
const OVERLAP_MS = 15 * MINUTE_MS;
/** Reports teach as well: where no day is counted, the hits that are read at each question stay few. */
const LEARN_AFTER_MS = DAY_MS;
/** The lists know some hundred. */
const MAX_BOTS = 5_000;
const ROWS_PER_STATEMENT = 200;

export interface Firsts {
  /** Epoch milliseconds by bot; of the spoofed visits none. */
  of(owner: Owner, signal?: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** After a property's days were counted. */
  learn(owner: Owner): Promise<void>;
}

export function createFirsts({
  database: { kysely },
  warehouse,
  clock,
}: {
  database: Pick<Database, 'kysely'>;
  warehouse: Warehouse;
  clock: Clock;
}): Firsts {
  const until = async ({ id, organizationId }: Owner): Promise<number | null> => {
    const row = await kysely
      .selectFrom('bot_firsts_learnt')
      .select('until')
      .where('organization_id', '=', organizationId)
      .where('attribution_id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : Number(row.until);
  };

  const found = async (owner: Owner, learnt: number | null, signal?: AbortSignal) =>
    await firstVisits(
      warehouse,
      { organizationId: owner.organizationId, attributionId: owner.id },
      learnt === null ? null : learnt - OVERLAP_MS,
      signal,
    );

  const keep = async (
    { id, organizationId }: Owner,
    visits: ReadonlyMap<string, number>,
    at: number,
  ): Promise<void> => {
    const rows = [...visits].slice(0, MAX_BOTS).map(([bot, first_at]) => ({
      organization_id: organizationId,
      attribution_id: id,
      bot,
      first_at,
    }));
    await kysely.transaction().execute(async (trx) => {
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
        await trx
          .insertInto('bot_firsts')
          .values(rows.slice(from, from + ROWS_PER_STATEMENT))
          .onConflict((conflict) =>
            conflict.columns(['organization_id', 'attribution_id', 'bot']).doUpdateSet({
              // Two nodes may teach at once, in any order.
              first_at: sql<number>`case when excluded.first_at < bot_firsts.first_at then excluded.first_at else bot_firsts.first_at end`,
            }),
          )
          .execute();
      await trx
        .insertInto('bot_firsts_learnt')
        .values({ organization_id: organizationId, attribution_id: id, until: at })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'attribution_id']).doUpdateSet({ until: at }),
        )
        .execute();
    });
  };

  return {
    async of(owner, signal) {
      const began = clock();
      const learnt = await until(owner);
      const [rows, fresh] = await Promise.all([
        kysely
          .selectFrom('bot_firsts')
          .select(['bot', 'first_at'])
          .where('organization_id', '=', owner.organizationId)
          .where('attribution_id', '=', owner.id)
          .limit(MAX_BOTS)
          .execute(),
        found(owner, learnt, signal),
      ]);
      const all = new Map(rows.map(({ bot, first_at }) => [bot, Number(first_at)]));
      for (const [bot, at] of fresh) all.set(bot, Math.min(at, all.get(bot) ?? at));
      if (learnt === null || began - learnt > LEARN_AFTER_MS) await keep(owner, fresh, began);
      return all;
    },
    async learn(owner) {
      const began = clock();
      await keep(owner, await found(owner, await until(owner)), began);
    },
  };
}
