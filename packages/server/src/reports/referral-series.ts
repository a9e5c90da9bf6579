/** Visits that AI products sent, told apart by product: of each day, or each hour. */
import { z } from '@hono/zod-openapi';
import { estimatedSchema, estimates, estimatesSchema, within } from './estimates.ts';
import { rounded } from './numbers.ts';

/** A chart of more lines than this can't be read. */
const CHARTED_ENGINES = 8;

export const engineShape = {
  visits: z.number(),
  estimated: estimatedSchema,
  engines: z.record(z.string(), z.number()),
  estimates: estimatesSchema,
};

interface EngineCount {
  readonly engine: string;
  readonly visits: number;
  /** The part that comes from samples. */
  readonly estimated: number;
}

/** The engines with the most visits. The others are one line, `other`. */
export function chartedEngines(rows: readonly EngineCount[]): ReadonlySet<string> {
  const visits = new Map<string, number>();
  for (const { engine, visits: count } of rows) visits.set(engine, (visits.get(engine) ?? 0) + count);
  return new Set(
    [...visits]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, CHARTED_ENGINES)
      .map(([engine]) => engine),
  );
}

/** @param rows of one day or hour */
export function byEngine(rows: readonly EngineCount[], charted: ReadonlySet<string>) {
  const [engines, sampled] = [new Map<string, number>(), new Map<string, number>()];
  let [sum, estimated] = [0, 0];
  for (const { engine, visits: count, estimated: part } of rows) {
    const name = charted.has(engine) ? engine : 'other';
    engines.set(name, (engines.get(name) ?? 0) + count);
    sampled.set(name, (sampled.get(name) ?? 0) + part);
    sum += count;
    estimated += part;
  }
  return {
    visits: rounded(sum),
    estimated: rounded(estimated),
    engines: Object.fromEntries([...engines].map(([name, count]) => [name, rounded(count)])),
    estimates: estimates(within('engines', Object.fromEntries(sampled))),
  };
}
