/**
 * Which of the runs that were counted may be published. Each table of daily rows is filled by a statement of its own, which replicas behind a
 * balancer may each answer with fewer hits than were counted before; and a reader may be given a replica that has none of the rows yet.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NUMBERS_AS_NUMBERS } from '../row.ts';
import type { Warehouse } from '../warehouse.ts';
import { DAILY_TABLES } from './daily-tables.ts';

/** Readings at once: several connections, which a balancer spreads over the replicas. */
const READINGS = 6;
const ROUNDS = 4;
const PAUSE_MS = 500;
const SETTINGS = { ...NUMBERS_AS_NUMBERS, max_execution_time: 60, select_sequential_consistency: 1 } as const;

interface Sums {
  readonly property: string;
  readonly run: number;
  readonly hits: number;
  readonly detailed: number;
  readonly ai: number;
  readonly pages: number;
  readonly bots: number;
  readonly lists: number;
  readonly bot_lists: number;
  readonly page_days: number;
}

const NONE: Readonly<Record<string, string>> = {
  ...{ hits: 'toUInt64(0)', detailed: 'toUInt64(0)', ai: '0.', pages: '0.' },
  ...{ bots: '0.', lists: '0.', bot_lists: '0.', page_days: '0.' },
};
const SUM_NAMES = Object.keys(NONE);

/** What a run counted of a property. */
interface OfRun {
  readonly organizationId: string;
  readonly attributionId: string;
  readonly run: number;
  /** At least so many. */
  readonly hits: number;
}

/**
 * On one engine all: it reads its own rows. On replicas: those that every one that was reached holds whole.
 * @param pauseMs tests wait less
 */
export async function wholeRuns<One extends OfRun>(
  warehouse: Warehouse,
  counted: readonly One[],
  pauseMs: number = PAUSE_MS,
): Promise<readonly One[]> {
  if ((await warehouse.standing()) !== 'replicated') return counted;
  for (let round = 1; ; round += 1) {
    const readings = await Promise.all(Array.from({ length: READINGS }, () => read(warehouse, counted)));
    const whole = counted.filter((one) => readings.every((sums) => isWhole(sums.get(keyOf(one)), one.hits)));
    if (whole.length === counted.length || round === ROUNDS) return whole;
    for (const { name } of DAILY_TABLES) await warehouse.syncReplica(name);
    await sleep(pauseMs * round);
  }
}

/** Sums of weights are of the same numbers, added up in another order. */
function isWhole(sums: Sums | undefined, hits: number): boolean {
  if (sums === undefined) return hits === 0;
  const isSame = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, a);
  return (
    sums.hits >= hits &&
    sums.detailed === sums.hits &&
    isSame(sums.ai, sums.pages) &&
    [sums.lists, sums.bot_lists, sums.page_days].every((sum) => isSame(sums.bots, sum))
  );
}

async function read(warehouse: Warehouse, counted: readonly OfRun[]): Promise<ReadonlyMap<string, Sums>> {
  const OF_RUN =
    'd.organization_id IN {organizations:Array(UUID)} AND d.attribution_id IN {properties:Array(UUID)} AND d.run IN {runs:Array(UInt64)}';
  /** Each table's sums under their names, beside noughts. `d`: a bare `hits` would be the nought of that name. */
  const of = (table: string, sums: Readonly<Record<string, string>>): string =>
    `SELECT d.attribution_id AS property, d.run AS run, ${SUM_NAMES.map((name) => `${sums[name] ?? NONE[name]} AS ${name}`).join(', ')}
  FROM ${table} AS d WHERE ${OF_RUN}`;
  const listed = 'arraySum(d.weights)';
  const parts = [
    of('daily_totals', {
      hits: 'toUInt64(d.hits)',
      ai: "if(d.class IN ('ai_bot', 'ai_referral'), d.weight, 0.)",
      bots: "if(d.class = 'ai_bot', d.weight, 0.)",
    }),
    of('daily_bot_pages', { detailed: 'toUInt64(d.hits)' }),
    of('daily_pages', { pages: 'd.weight' }),
    of('daily_page_lists', { lists: listed }),
    of('daily_bot_page_lists', { bot_lists: listed }),
    of('daily_page_days', { page_days: 'd.weight' }),
  ];
  // One statement, so one replica: what it says of the tables belongs together.
  const rows = await warehouse.rows<Sums>('report', {
    sql: `SELECT p.property AS property, p.run AS run, ${SUM_NAMES.map((name) => `sum(p.${name}) AS ${name}`).join(', ')}
FROM (
  ${parts.join('\n  UNION ALL ')}
) AS p GROUP BY property, run`,
    params: {
      organizations: [...new Set(counted.map(({ organizationId }) => organizationId))],
      properties: [...new Set(counted.map(({ attributionId }) => attributionId))],
      runs: [...new Set(counted.map(({ run }) => run))],
    },
    settings: SETTINGS,
  });
  return new Map(rows.map((row) => [keyOf({ attributionId: row.property, run: row.run }), row]));
}

const keyOf = ({ attributionId, run }: Pick<OfRun, 'attributionId' | 'run'>): string =>
  `${attributionId}/${run}`;
