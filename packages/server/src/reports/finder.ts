/** The search among what AI bots did: bots and paths of a property's last days. */
import { daysOf } from '../common/index.ts';
import { type FoundBot, type FoundPath, findBots, findPaths } from '../warehouse/index.ts';
import type { ZonedOwner } from './plan.ts';
import type { Reports } from './reports.ts';

/** The search covers as many days as reports show by default, thrice. */
export const SEARCHED_DAYS = 84;

export type FindVisited = (
  property: ZonedOwner,
  text: string,
  limit: number,
  signal: AbortSignal,
) => Promise<{ readonly bots: FoundBot[]; readonly paths: FoundPath[] }>;

export function createFinder({
  plan,
  warehouse,
  clock,
}: Pick<Reports, 'plan' | 'warehouse' | 'clock'>): FindVisited {
  return async (property, text, limit, signal) => {
    const to = daysOf(property).dayAt(clock());
    const days = { from: to - SEARCHED_DAYS + 1, to, compareFrom: null };
    const query = {
      plan: await plan(property, days, signal),
      filter: {},
      // A path that only an impersonator asked for is looked for, too.
      population: 'all',
    } as const;
    const [bots, paths] = await Promise.all([
      findBots(warehouse, query, text, limit, signal),
      findPaths(warehouse, query, text, limit, signal),
    ]);
    return { bots, paths };
  };
}
