/** Which bots came, how often, for what; and the days of a period. */
import { dateOf } from '../../kit/index.ts';
import type { Warehouse } from '../warehouse.ts';
import { askFacts, facts, NOW, type Question } from './facts.ts';
import {
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
  readonly previous_hits: number;
  /** Hits of each day of the period, and by verdict; of the spoofed ones whether or not they are among the hits. */
  readonly series: readonly number[];
  readonly verified_series: readonly number[];
  readonly unknown_series: readonly number[];
  readonly spoofed_series: readonly number[];
  /** By which `botPages` names it. */
  readonly number: string;
  readonly vendor_number: string;
}

/** Numbers for what is told apart: over single pages, grouping by words took half as long again. */
const NUMBERS = {
  bot: 'cityHash64(cityHash64(f.vendor), cityHash64(f.bot_name), f.intent, cityHash64(f.engine))',
  vendor: 'cityHash64(f.vendor)',
} as const;

/** Every bot of both periods, most hits first, and names that were only pretended; at most 2,000, where the lists know some hundred. */
export async function botRows(
  warehouse: Warehouse,
  question: Question,
  signal?: AbortSignal,
): Promise<BotRow[]> {
  const { from, to } = question.plan;
  const byDay = (condition: string) =>
    `sumResample(${from}, ${to + 1}, 1)(if(${condition}, f.weight, 0), toUInt32(f.day))`;
  const columns = {
    ...{ vendor: 'f.vendor', bot: 'f.bot_name', intent: 'f.intent', engine: 'f.engine' },
    ...FIGURES,
    previous_hits: PREVIOUS_HITS,
    series: byDay('f.counted'),
    verified_series: byDay('f.verified = true'),
    unknown_series: byDay('f.verified IS NULL'),
    spoofed_series: byDay('f.verified = false'),
    number: `toString(${NUMBERS.bot})`,
    vendor_number: `toString(${NUMBERS.vendor})`,
  };
  // Who came before and comes no more is the news of the list.
  return await askFacts<BotRow>(
    warehouse,
    question,
    `SELECT ${selected(columns)}
FROM ${facts([...FIGURE_COLUMNS, 'vendor', 'bot_name', 'intent', 'engine'], question, ['ai_bot'])}
GROUP BY vendor, bot, intent, engine HAVING hits > 0 OR previous_hits > 0 OR spoofed > 0
ORDER BY hits DESC, vendor, bot, intent, engine LIMIT 2000`,
    signal,
  );
}

export interface PageCounts {
  readonly pages: number;
  readonly previous_pages: number;
}

const PAGE_COUNTS = { pages: PAGES, previous_pages: PREVIOUS_PAGES } as const;

/** Pages that each of them read, by its number, and all together. */
export async function botPages(
  warehouse: Warehouse,
  question: Question,
  group: 'bot' | 'vendor',
  signal?: AbortSignal,
): Promise<{ readonly all: PageCounts; readonly of: ReadonlyMap<string, PageCounts> }> {
  const number = NUMBERS[group];
  const words = group === 'bot' ? ['vendor', 'bot_name', 'intent', 'engine'] : ['vendor'];
  const rows = await askFacts<PageCounts & { number: string; is_all: number }>(
    warehouse,
    question,
    `SELECT ${selected({ number: `toString(${number})`, is_all: `grouping(${number})`, ...PAGE_COUNTS })}
FROM ${facts(['page', ...words], question, ['ai_bot'])}
GROUP BY ${number} WITH ROLLUP ORDER BY is_all DESC LIMIT 10000`,
    signal,
  );
  return {
    all: rows.find(({ is_all }) => is_all === 1) ?? { pages: 0, previous_pages: 0 },
    of: new Map(rows.flatMap((row) => (row.is_all === 1 ? [] : [[row.number, row]]))),
  };
}

export interface DayCount {
  /** Counted from 1970. */
  readonly day: number;
  readonly intent: string;
  readonly verified: boolean | null;
  readonly hits: number;
}

/** Hits of the period by day, intent and verdict. At most 400 days × 5 × 3 rows. */
export async function botDays(
  warehouse: Warehouse,
  question: Question,
  signal?: AbortSignal,
): Promise<DayCount[]> {
  return await askFacts<DayCount>(
    warehouse,
    question,
    `SELECT toUInt32(f.day) AS day, toString(f.intent) AS intent, f.verified AS verified,
  sum(f.weight) AS hits
FROM ${facts(['weight', 'intent', 'verified'], question, ['ai_bot'])}
WHERE ${NOW} GROUP BY f.day, f.intent, f.verified ORDER BY day LIMIT 20000`,
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
    { plan, filter: {}, population: 'verified_unknown' },
    `SELECT DISTINCT toString(h.bot_name) AS bot FROM daily_totals AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND h.class = 'ai_bot'
  AND ifNull(h.verified, true)
  AND h.day < {before:Date} AND h.bot_name IN {bots:Array(String)}
UNION DISTINCT
SELECT DISTINCT toString(h.bot_name) AS bot FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND h.class = 'ai_bot'
  AND ifNull(h.verified, true)
  AND h.at >= fromUnixTimestamp64Milli({since:Int64}) AND h.at < fromUnixTimestamp64Milli({until:Int64})
  AND h.bot_name IN {bots:Array(String)}`,
    signal,
    {
      bots,
      before: dateOf(day),
      // Before the first run there are raw hits alone; after it they tell no more than the days that are not counted yet.
      since: plan.runs.length === 0 ? 0 : plan.startOf(plan.rawDays[0] ?? day),
      until: plan.startOf(day),
    },
  );
  return new Set(rows.map(({ bot }) => bot));
}
