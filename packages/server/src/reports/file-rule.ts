/**
 * Days that were counted by an older rule of what is a file are added up again, newest month first, a minute at a time. Where it stands is in the
 * state database, so that another node, or the next start, goes on. It stops when every month is done, until the rule grows again.
 */
import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import {
  type CountedRun,
  countedMonths,
  fileRule,
  runsOfOtherRule,
  type Warehouse,
} from '../warehouse/index.ts';
import { type Counting, createCounting } from './counting.ts';
import type { CountedDay, Ledger, RuleOfFiles } from './ledger.ts';
import type { Zones } from './zones.ts';

/** After this long a turn begins no further day. */
const TURN_MS = 60_000;

export interface FileRuleDeps {
  readonly warehouse: Warehouse;
  readonly ledger: Ledger;
  readonly zones: Zones;
  readonly withLock: Database['withLock'];
  readonly clock: Clock;
  readonly log: Log;
}

export interface FileRule {
  /** One turn; does nothing once every day follows the rule. @param signal ends it between two days */
  run(signal?: AbortSignal): Promise<void>;
  /** Months that may still have days of an older rule; null: none has. */
  monthsLeft(): Promise<number | null>;
}

export function createFileRule({ warehouse, ledger, zones, withLock, clock, log }: FileRuleDeps): FileRule {
  const rule = fileRule();
  const counting = createCounting({ warehouse, ledger, zones, clock, log }, 1);
  let isDone = false;

  const state = async (): Promise<RuleOfFiles> => {
    const known = await ledger.ruleOfFiles();
    return known?.rule === rule ? known : { rule, isDone: false, months: [] };
  };

  /** @returns whether every day of the month follows the rule */
  const monthIsDone = async (
    month: number,
    counter: Counting,
    until: number,
    signal: AbortSignal | undefined,
  ) => {
    const days = Map.groupBy(
      await runsOfOtherRule(warehouse, month),
      ({ organizationId, day }) => `${organizationId}/${day}`,
    );
    let isWhole = true;
    for (const runs of days.values())
      for (const { standing, ids, organizationId, day } of await readOf(ledger, runs)) {
        if (clock() >= until || signal?.aborted === true) return false;
        isWhole = (await counter.again(organizationId, ids, day, standing)) && isWhole;
      }
    return isWhole;
  };

  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    let now = await state();
    if (now.isDone) {
      isDone = true;
      return;
    }
    const until = clock() + TURN_MS;
    const counter = await counting.begin();
    for (const month of await countedMonths(warehouse)) {
      if (now.months.includes(month)) continue;
      if (clock() >= until || signal?.aborted === true) return;
      if (!(await monthIsDone(month, counter, until, signal))) return;
      now = { ...now, months: [...now.months, month] };
      await ledger.setRuleOfFiles(now);
    }
    await ledger.setRuleOfFiles({ ...now, isDone: true });
    isDone = true;
    if (now.months.length > 0)
      log.info({ months: now.months.length }, 'all closed days tell files from pages by the rule of now');
  };

  return {
    async run(signal) {
      if (isDone) return;
      // Neither the nightly run nor a change of zone publishes a day meanwhile.
      await withLock('reports:rollup', async () => {
        await withLock('reports:recount', () => turn(signal));
      });
    },
    async monthsLeft() {
      const { isDone: all, months } = await state();
      if (all) return null;
      const left = (await countedMonths(warehouse)).filter((month) => !months.includes(month)).length;
      return left === 0 ? null : left;
    },
  };
}

/** Of runs of one day and organization, those that the day is read of, by what was counted. */
async function readOf(ledger: Ledger, runs: readonly CountedRun[]) {
  const [first] = runs;
  if (first === undefined) return [];
  const { organizationId, day } = first;
  const countedOn = await ledger.countedOn(
    organizationId,
    runs.map(({ attributionId }) => attributionId),
    [day],
  );
  const groups = new Map<
    string,
    { standing: CountedDay; ids: string[]; organizationId: string; day: number }
  >();
  for (const { attributionId, run } of runs) {
    const standing = countedOn(attributionId, day);
    if (standing?.run !== run) continue;
    const key = `${run}/${standing.from}/${standing.to}`;
    const group = groups.get(key) ?? { standing, ids: [], organizationId, day };
    groups.set(key, group);
    group.ids.push(attributionId);
  }
  return [...groups.values()];
}
