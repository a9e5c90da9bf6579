/** Every five minutes: a look at each property, one after the other, then what follows is sent. Once per cluster, by a lock. */

import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { WarehouseUnavailable } from '../warehouse/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { AlertTally } from './figures.ts';

const PAGE = 200;

/** One property that fails keeps no other waiting. @throws only when the database does */
export function createRound({
  database,
  look,
  dispatch,
  tally,
  clock,
  log,
}: {
  database: Database;
  look: (owner: Owner) => Promise<number>;
  dispatch: Dispatch;
  tally: Pick<AlertTally, 'looked' | 'roundEnded'>;
  clock: Clock;
  log: Log;
}): (signal?: AbortSignal) => Promise<boolean> {
  return async (signal) => {
    const ran = await database.withLock('alerts:look', async () => {
      const beganAt = clock();
      for await (const owner of owners(database)) {
        if (signal?.aborted === true) return;
        try {
          await look(owner);
          tally.looked('done');
        } catch (error) {
          tally.looked('failed');
          // The others would fail alike, each after its wait.
          if (error instanceof WarehouseUnavailable) {
            log.warn({ err: error }, 'the warehouse is down: no property is evaluated in this round');
            return;
          }
          log.warn(
            { err: error, attributionId: owner.id },
            'a property could not be looked at; the next round tries again',
          );
        }
      }
      tally.roundEnded(beganAt, clock());
    });
    if (ran) await dispatch(signal);
    return ran;
  };
}

async function* owners({ reader }: Pick<Database, 'reader'>): AsyncGenerator<Owner> {
  for (let after = ''; ; ) {
    const rows = await reader
      .selectFrom('properties')
      .select(['id', 'organization_id'])
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of rows) yield { id: row.id, organizationId: row.organization_id };
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return;
  }
}
