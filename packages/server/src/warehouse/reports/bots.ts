/** Which bots came, how often, for what; and the days of a period. */
import type { Warehouse } from '../warehouse.ts';
import { askFacts, DAY_MS, dateOf, facts, NOW, type Question } from './facts.ts';
import { type ListSpec, text } from './list.ts';
import {
  BOTS,
  CHANGE,
  FIGURE_COLUMNS,
  FIGURES,
  type Figures,
  PAGES,
  PREVIOUS_HITS,
  PREVIOUS_PAGES,
  selected,
} from './measures.ts';

export interface BotRow extends Figures {
  readonly vendor: string;
  readonly bot: string;
  readonly intent: string;
  readonly engine: string;
  readonly bots: number;
  readonly pages: number;
  readonly previous_hits: number;
  readonly previous_pages: number;
  readonly change: number | null;
  /** Hits of each day of the period. */
  readonly series?: readonly number[];
}

/** Without what needs single pages or days. */
export function botFigureList(group: 'bot' | 'vendor'): ListSpec {
  const ofVendor = group === 'vendor';
  return {
    classes: ['ai_bot'],
    reads: [...FIGURE_COLUMNS, 'vendor', 'bot_name', 'intent', 'engine'],
    keys: ofVendor
      ? { vendor: text('f.vendor') }
      : {
          vendor: text('f.vendor'),
          bot: text('f.bot_name'),
          intent: text('f.intent'),
          engine: text('f.engine'),
        },
    measures: {
      ...FIGURES,
      bots: BOTS,
      previous_hits: PREVIOUS_HITS,
      ...(ofVendor ? { bot: "''", intent: "''", engine: 'any(toString(f.engine))' } : {}),
    },
    derived: { change: CHANGE, errors: 'client_errors + server_errors' },
    // Who came before and comes no more is the news of the list.
    having: 'hits > 0 OR previous_hits > 0',
    sorts: {
      hits: 'hits',
      vendor: 'vendor',
      bot: 'bot',
      last_seen: 'last_at',
      first_seen: 'first_at',
      spoofed: 'spoofed',
      errors: 'errors',
      change: 'change',
    },
  };
}

export function botList({ plan }: Question, group: 'bot' | 'vendor'): ListSpec {
  const list = botFigureList(group);
  const keys = group === 'vendor' ? ['vendor'] : ['vendor', 'bot_name', 'intent', 'engine'];
  return {
    ...list,
    apart: { reads: ['page', ...keys], measures: PAGE_COUNTS },
    charts: { series: `sumResample(${plan.from}, ${plan.to + 1}, 1)(f.weight, toUInt32(f.day))` },
    sorts: { ...list.sorts, pages: 'pages' },
  };
}

const PAGE_COUNTS = { pages: PAGES, previous_pages: PREVIOUS_PAGES } as const;

export interface BotTotals extends Figures {
  readonly bots: number;
  readonly vendors: number;
  readonly previous_hits: number;
  readonly pages: number;
  readonly previous_pages: number;
}

export async function botTotals(
  warehouse: Warehouse,
  question: Question,
  signal?: AbortSignal,
): Promise<BotTotals> {
  const columns = {
    ...FIGURES,
    bots: BOTS,
    vendors: `uniqExactIf(f.vendor, ${NOW})`,
    previous_hits: PREVIOUS_HITS,
  };
  const [row] = await askFacts<BotTotals>(
    warehouse,
    question,
    `SELECT * FROM (
  SELECT ${selected(columns)} FROM ${facts([...FIGURE_COLUMNS, 'bot_name', 'vendor'], question, ['ai_bot'])}
) AS s CROSS JOIN (
  SELECT ${selected(PAGE_COUNTS)} FROM ${facts(['page'], question, ['ai_bot'])}
) AS p`,
    signal,
  );
  if (row === undefined) throw new Error('A sum without GROUP BY has one row');
  return row;
}

export interface DayCount {
  /** Counted from 1970. */
  readonly day: number;
  readonly intent: string;
  readonly verified: boolean | null;
  readonly hits: number;
  readonly estimated: number;
}

/** Hits by day, intent and verdict, of both periods. At most 800 days × 5 × 3 rows. */
export async function botDays(
  warehouse: Warehouse,
  question: Question,
  signal?: AbortSignal,
): Promise<DayCount[]> {
  return await askFacts<DayCount>(
    warehouse,
    question,
    `SELECT toUInt32(f.day) AS day, toString(f.intent) AS intent, f.verified AS verified,
  sum(f.weight) AS hits, sum(f.estimated) AS estimated
FROM ${facts(['weight', 'estimated', 'intent', 'verified'], question, ['ai_bot'])}
GROUP BY f.day, f.intent, f.verified ORDER BY day LIMIT 20000`,
    signal,
  );
}

/** Which of some bots had come before a day, in all that is kept. A replaced run names no other bots than the one that counts. */
export async function knownBefore(
  warehouse: Warehouse,
  { plan }: Question,
  bots: readonly string[],
  day: number,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (bots.length === 0) return new Set();
  const rows = await askFacts<{ bot: string }>(
    warehouse,
    { plan, filter: {} },
    `SELECT DISTINCT toString(h.bot_name) AS bot FROM daily_totals AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND h.class = 'ai_bot'
  AND h.day < {before:Date} AND h.bot_name IN {bots:Array(String)}
UNION DISTINCT
SELECT DISTINCT toString(h.bot_name) AS bot FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND h.class = 'ai_bot'
  AND h.at >= fromUnixTimestamp64Milli({since:Int64}) AND h.at < fromUnixTimestamp64Milli({until:Int64})
  AND h.bot_name IN {bots:Array(String)}`,
    signal,
    {
      bots,
      before: dateOf(day),
      // Before the first run there are raw hits alone; after it they tell no more than the days that are not counted yet.
      since: plan.runs.length === 0 ? 0 : (plan.rawDays[0] ?? day) * DAY_MS,
      until: day * DAY_MS,
    },
  );
  return new Set(rows.map(({ bot }) => bot));
}
