/** Closed days of some properties, counted into daily rows: by the nightly run, by name, or since a time zone was changed. */
import { type Clock, type Days, type Log, piecesOf, sum } from '../common/index.ts';
import {
  countAgain,
  countDays,
  countInto,
  type DayRun,
  type Warehouse,
  wholeRuns,
} from '../warehouse/index.ts';
import { DAYS_AT_ONCE, HITS_AT_ONCE, inBatches, orEachAlone, PROPERTIES_AT_ONCE } from './batches.ts';
import { type CountedDay, isOfDay, type Ledger, type NewlyCounted } from './ledger.ts';
import { spanOf, type Zones } from './zones.ts';

/** Days that are to be counted. */
export interface ToCount {
  readonly organizationId: string;
  /** Of that organization, with the days of one calendar. */
  readonly attributionIds: readonly string[];
  readonly calendar: Days;
  /** In the order in which they are counted, each once. */
  readonly days: readonly number[];
  /** Count again what has not grown. */
  readonly force: boolean;
  /** Asked before each batch of days; `false` ends it, and what is counted stays. Absent: to the end. */
  readonly goesOn?: () => Promise<boolean>;
}

export interface Done {
  /** One for each property and day. */
  readonly counted: readonly NewlyCounted[];
  /** Days of properties whose rows are not on every replica yet; they are read of what they were before, and counted again later. */
  readonly short: number;
}

export interface Counting {
  count(days: ToCount): Promise<Done>;
  /**
   * Adds up days that were counted once more, from the rows of their own runs, by the rule of files as it is now.
   * @param attributionIds properties of one organization, of which the day is read of that run
   * @returns false: rows are not on every replica yet, and the day is read of what it was before
   */
  again(
    organizationId: string,
    attributionIds: readonly string[],
    day: number,
    standing: CountedDay,
  ): Promise<boolean>;
}

export interface CountingDeps {
  readonly warehouse: Warehouse;
  readonly ledger: Ledger;
  readonly zones: Zones;
  readonly clock: Clock;
  readonly log: Log;
}

/** A day and the properties whose hits of it are to be counted. */
interface DueDay {
  readonly day: number;
  readonly properties: readonly { readonly attributionId: string; readonly hits: number }[];
  /** Of all of them. */
  readonly hits: number;
}

/** @param remainder of a run's number by 2: what counts beside others gives out other numbers than they */
export function createCounting(
  { warehouse, ledger, zones, clock, log }: CountingDeps,
  remainder: 0 | 1,
): { begin(): Promise<Counting> } {
  return {
    async begin() {
      let last = await ledger.lastRun();
      const nextRun = (): number => {
        const next = Math.max(clock(), last + 1);
        last = next % 2 === remainder ? next : next + 1;
        return last;
      };

      /** Days whose due properties are the same, by one statement per table. @param batch ascending */
      const countBatch = async (
        { organizationId, calendar }: ToCount,
        batch: readonly DueDay[],
      ): Promise<Done> => {
        const runs: DayRun[] = batch.map(({ day }) => ({ day, run: nextRun() }));
        const due = batch.flatMap(({ day, properties }, index) =>
          properties.map((one) => ({
            ...{ ...one, ...spanOf(calendar, day) },
            ...{ organizationId, run: runs[index]?.run ?? 0 },
          })),
        );
        await ledger.begin(due);
        const ids = batch[0]?.properties.map(({ attributionId }) => attributionId) ?? [];
        await countInto(warehouse, organizationId, ids, runs, calendar.startOf);
        // What is published is read from now on, and short of a lagging replica's hits it would stay so.
        const whole = await wholeRuns(warehouse, due);
        const counted = await stillOf(whole);
        await ledger.publish(counted);
        return { counted, short: due.length - whole.length };
      };

      /** @param asked at most as many properties and days as are looked at together */
      const countPiece = async (asked: ToCount): Promise<Done[]> => {
        const due = await dueDays(asked);
        const done: Done[] = [];
        const keyOf = ({ properties }: DueDay) => properties.map(({ attributionId }) => attributionId).join();
        for (const days of Map.groupBy(due, keyOf).values())
          for (const batch of inBatches(days)) {
            if ((await asked.goesOn?.()) === false) return done;
            const [first] = batch;
            // Looked at again: counting what is large may take long, and its hits be fewer by then.
            if (first !== undefined && first.hits > HITS_AT_ONCE && asked.days.length > 1)
              done.push(...(await countPiece({ ...asked, days: [first.day] })));
            else
              await orEachAlone(
                batch.toSorted((a, b) => a.day - b.day),
                async (some) => void done.push(await countBatch(asked, some)),
                log,
              );
          }
        return done;
      };

      return {
        async count(asked) {
          const done: Done[] = [];
          let isOver = false;
          const goesOn = async () => {
            isOver ||= (await asked.goesOn?.()) === false;
            return !isOver;
          };
          for (const attributionIds of piecesOf(asked.attributionIds, PROPERTIES_AT_ONCE))
            for (const days of piecesOf(asked.days, DAYS_AT_ONCE))
              if (!isOver) done.push(...(await countPiece({ ...asked, attributionIds, days, goesOn })));
          return {
            counted: done.flatMap(({ counted }) => counted),
            short: sum(done, ({ short }) => short),
          };
        },
        async again(organizationId, attributionIds, day, standing) {
          let isWhole = true;
          for (const ids of piecesOf(attributionIds, PROPERTIES_AT_ONCE)) {
            const countedOn = await ledger.countedOn(organizationId, ids, [day]);
            const run = nextRun();
            const due = ids.flatMap((attributionId) => {
              const now = countedOn(attributionId, day);
              const { from, to } = standing;
              return now?.run === standing.run
                ? [{ organizationId, attributionId, day, run, hits: now.hits, from, to }]
                : [];
            });
            if (due.length === 0) continue;
            await ledger.begin(due);
            const dueIds = due.map(({ attributionId }) => attributionId);
            await countAgain(warehouse, { of: standing.run, run }, organizationId, dueIds, day);
            const whole = await wholeRuns(warehouse, due);
            await ledger.publish(whole);
            isWhole &&= whole.length === due.length;
          }
          return isWhole;
        },
      };
    },
  };

  /** In the order that was asked for. */
  async function dueDays({
    organizationId,
    attributionIds,
    calendar,
    days,
    force,
  }: ToCount): Promise<DueDay[]> {
    const countedOn = await ledger.countedOn(organizationId, attributionIds, days);
    // Counted before the rows are: what arrives in between makes the day look grown, and it is counted again.
    const ascending = days.toSorted((a, b) => a - b);
    const raw = await countDays(warehouse, organizationId, attributionIds, ascending, calendar.startOf);
    return days.flatMap((day) => {
      const span = spanOf(calendar, day);
      const properties = attributionIds
        .map((attributionId) => ({ attributionId, hits: raw.get(attributionId)?.get(day) ?? 0 }))
        .filter(({ attributionId, hits }) => isDue(countedOn(attributionId, day), span, hits, force));
      return properties.length === 0 ? [] : [{ day, properties, hits: sum(properties, ({ hits }) => hits) }];
    });
  }

  /** Those whose zone was not changed meanwhile: what was counted of the others is of a day that is no more. */
  async function stillOf(counted: readonly NewlyCounted[]): Promise<NewlyCounted[]> {
    const daysOf = await zones.of([...new Set(counted.map(({ attributionId }) => attributionId))]);
    return counted.filter((one) => isOfDay(one, spanOf(daysOf(one.attributionId), one.day)));
  }
}

/** Fewer hits than were counted once are what retention has left of a day: its rows are worth more. */
function isDue(
  standing: CountedDay | undefined,
  span: Pick<CountedDay, 'from' | 'to'>,
  hits: number,
  force: boolean,
): boolean {
  if (standing === undefined) return hits > 0;
  // Of another zone: the day of today has other hits, or none at all.
  if (!isOfDay(standing, span)) return true;
  if (hits === 0) return false;
  return force ? hits >= standing.hits : hits > standing.hits;
}
