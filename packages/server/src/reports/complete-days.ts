/**
 * Days that were counted by a version with fewer daily tables get their rows in the others, newest first, a minute at a time; until then
 * reports read the tables that they have. The rows are made from those of the same run, so no raw hit is needed. The state database knows
 * which days are left: another node, or the next start, goes on.
 */
import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { countLater, runIsWhole, type Warehouse } from '../warehouse/index.ts';
import type { IncompleteDay, Ledger } from './ledger.ts';

/** After this long a turn begins no further day. */
const TURN_MS = 50_000;
/** Days of properties that are looked up at once. */
const AT_ONCE = 1_000;
/** Properties that one statement counts. */
const PROPERTIES_AT_ONCE = 50;

export interface CompleteDaysDeps {
  readonly warehouse: Warehouse;
  readonly ledger: Ledger;
  readonly withLock: Database['withLock'];
  readonly clock: Clock;
  readonly log: Log;
}

export interface CompleteDays {
  /** One turn; does nothing once every day has its rows. @param signal ends it between two days */
  run(signal?: AbortSignal): Promise<void>;
}

export function createCompleteDays({
  warehouse,
  ledger,
  withLock,
  clock,
  log,
}: CompleteDaysDeps): CompleteDays {
  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    const until = clock() + TURN_MS;
    for (;;) {
      const days = await ledger.incomplete(AT_ONCE);
      for (const of of together(days)) {
        if (clock() >= until || signal?.aborted === true) return;
        const [first] = of;
        if (first === undefined) continue;
        const { run } = first.standing;
        const ids = of.map(({ attributionId }) => attributionId);
        await countLater(warehouse, run, first.organizationId, ids, first.day);
        const due = of.map((one) => ({ ...one, hits: one.standing.hits }));
        // Rows that not every replica has yet are made again in the next turn.
        if (!(await runIsWhole(warehouse, run, due))) return;
        await ledger.complete(run, of);
      }
      if (days.length < AT_ONCE) break;
    }
    log.info({}, 'all closed days have rows in every daily table');
  };

  return {
    async run(signal) {
      if ((await ledger.incomplete(1)).length === 0) return;
      // Neither the nightly run nor a change of zone publishes a day meanwhile, and no other node does the same.
      await withLock('reports:rollup', async () => {
        await withLock('reports:recount', () => turn(signal));
      });
    },
  };
}

/** What one statement counts: properties of one organization whose day is of one run. */
function together(days: readonly IncompleteDay[]): IncompleteDay[][] {
  const key = ({ organizationId, day, standing: { run } }: IncompleteDay) =>
    [organizationId, day, run].join('/');
  return [...Map.groupBy(days, key).values()].flatMap((of) =>
    Array.from({ length: Math.ceil(of.length / PROPERTIES_AT_ONCE) }, (_, piece) =>
      of.slice(piece * PROPERTIES_AT_ONCE, (piece + 1) * PROPERTIES_AT_ONCE),
    ),
  );
}
