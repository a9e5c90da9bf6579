/**
 * Days that were counted by a version with fewer daily tables get their rows in the others, newest first, a minute at a time; until then
 * reports read the tables that they have. The rows are made from those of the same run, so no raw hit is needed. The state database knows
 * which days are left: another node, or the next start, goes on.
 */
import { type Clock, type Log, piecesOf, sum } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { countLater, type DayRun, type Warehouse, wholeRuns } from '../warehouse/index.ts';
import { inBatches, orEachAlone, PROPERTIES_AT_ONCE } from './batches.ts';
import type { IncompleteDay, Ledger } from './ledger.ts';

/** After this long a turn begins no further days. */
const TURN_MS = 50_000;
/** Days of properties that are looked up at once. */
const AT_ONCE = 1_000;

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
  /** @returns false: rows are not on every replica yet */
  const fill = async (days: readonly RunDay[]): Promise<boolean> => {
    const [first] = days;
    if (first === undefined) return true;
    const ids = first.properties.map(({ attributionId }) => attributionId);
    await countLater(warehouse, first.organizationId, ids, days);
    const filled = days.flatMap(({ run, properties }) =>
      properties.map((one) => ({ ...one, run, hits: one.standing.hits })),
    );
    const whole = await wholeRuns(warehouse, filled);
    await ledger.complete(whole);
    return whole.length === filled.length;
  };

  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    const until = clock() + TURN_MS;
    for (;;) {
      const days = await ledger.incomplete(AT_ONCE);
      for (const batch of together(days)) {
        if (clock() >= until || signal?.aborted === true) return;
        let isWhole = true;
        await orEachAlone(
          batch,
          async (some) => {
            isWhole = (await fill(some)) && isWhole;
          },
          log,
        );
        // Rows that not every replica has yet are made again in the next turn.
        if (!isWhole) return;
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

/** Properties of one organization whose day is of one run. */
interface RunDay extends DayRun {
  readonly organizationId: string;
  readonly properties: readonly IncompleteDay[];
  /** Of all of them. */
  readonly hits: number;
}

/** What one statement counts: days of the same properties. */
function together(days: readonly IncompleteDay[]): RunDay[][] {
  const runOf = ({ organizationId, day, standing: { run } }: IncompleteDay) =>
    [organizationId, day, run].join('/');
  const runDays = [...Map.groupBy(days, runOf).values()].flatMap((ofRun) =>
    piecesOf(ofRun, PROPERTIES_AT_ONCE).flatMap((properties): RunDay[] => {
      const [first] = properties;
      if (first === undefined) return [];
      const { organizationId, day, standing } = first;
      const hits = sum(properties, (one) => one.standing.hits);
      return [{ organizationId, day, run: standing.run, properties, hits }];
    }),
  );
  const ownersOf = ({ organizationId, properties }: RunDay) =>
    [organizationId, ...properties.map(({ attributionId }) => attributionId)].join('/');
  return [...Map.groupBy(runDays, ownersOf).values()].flatMap(inBatches);
}
