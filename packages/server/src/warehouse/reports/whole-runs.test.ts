import { expect, it } from 'vitest';
import type { Standing, Warehouse } from '../warehouse.ts';
import { wholeRuns } from './whole-runs.ts';

const PROPERTY = 'p';
const RUN = { organizationId: 'o', attributionId: PROPERTY, run: 1, hits: 10 };
const counted = [RUN];
const LATER = { bots: 3.5, lists: 3.5, bot_lists: 3.5, page_days: 3.5 };
const WHOLE = { property: PROPERTY, run: 1, hits: 10, detailed: 10, ai: 4.5, pages: 4.5, ...LATER };

/** @param answers what each reading finds, the last one for all after it */
function replicas(answers: readonly unknown[][], standing: Standing = 'replicated') {
  let asked = 0;
  const synced: string[] = [];
  const warehouse = {
    standing: async () => standing,
    rows: async () => {
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1] ?? [];
    },
    syncReplica: async (table: string) => void synced.push(table),
  } as unknown as Warehouse;
  return { warehouse, synced, asked: () => asked };
}

it.each([
  ['has none of its rows', []],
  ['has fewer hits', [{ ...WHOLE, hits: 9, detailed: 9 }]],
  ['was filled from fewer hits in one table', [{ ...WHOLE, detailed: 9 }]],
  ['was filled from fewer hits in the table of pages', [{ ...WHOLE, pages: 4 }]],
  ['has no lists of pages yet', [{ ...WHOLE, lists: 0 }]],
  ['has some lists of pages twice', [{ ...WHOLE, bot_lists: 4 }]],
  ['has no days of pages yet', [{ ...WHOLE, page_days: 0 }]],
])('a run is not published while a replica %s', async (_, short) => {
  const lagging = replicas([[WHOLE], short as unknown[], [WHOLE], short as unknown[]]);
  expect(await wholeRuns(lagging.warehouse, counted, 0)).toEqual([]);
  expect(lagging.synced).toContain('daily_totals');
});

it('a run is published once every replica that answers has it whole, also with hits that came meanwhile', async () => {
  const more = { ...WHOLE, hits: 12, detailed: 12 };
  expect(await wholeRuns(replicas([[], [WHOLE]]).warehouse, counted, 0)).toEqual(counted);
  expect(await wholeRuns(replicas([[more]]).warehouse, counted, 0)).toEqual(counted);
});

it('of runs that were counted together, those are published that every replica has whole', async () => {
  const next = { ...RUN, run: 3 };
  const lagging = replicas([[WHOLE, { ...WHOLE, run: 3, hits: 9, detailed: 9 }]]);
  expect(await wholeRuns(lagging.warehouse, [RUN, next], 0)).toEqual([RUN]);
});

it('one engine is not asked', async () => {
  const single = replicas([[]], 'single');
  expect(await wholeRuns(single.warehouse, counted, 0)).toEqual(counted);
  expect(single.asked()).toBe(0);
});
