/** What can be filtered by: the values that occur, for each filter those that occur under all the others. */
import type { Warehouse } from '../warehouse.ts';
import type { FactClass } from './daily-tables.ts';
import { NOW } from './dimensions.ts';
import { askFacts, type FactsFilter, facts, hasBotConditions, type ReportQuery } from './facts.ts';

export interface FilterValue {
  readonly kind: Kind;
  readonly value: string;
  /** Of a bot. */
  readonly vendor: string;
  readonly intent: string;
  readonly hits: number;
  /** Of those, how many are AI referrals; the others are visits of AI bots. */
  readonly referrals: number;
}

const MAX_VALUES = 500;

/** Kind of a list → what its values are, and the filter of its own, which it leaves out. */
const KINDS = {
  bot: { by: ['bot', 'vendor', 'intent'], own: 'bot' },
  vendor: { by: ['vendor'], own: 'vendor' },
  intent: { by: ['intent'], own: 'intent' },
  host: { by: ['host'], own: 'host' },
  country: { by: ['country'], own: 'country' },
  engine: { by: ['engine'], own: null },
} as const satisfies Record<
  string,
  { readonly by: readonly (keyof typeof COLUMNS)[]; readonly own: keyof FactsFilter | null }
>;
type Kind = keyof typeof KINDS;

/** As text, by the name that the lists have for it. */
const COLUMNS = {
  bot: 'bot_name',
  vendor: 'vendor',
  intent: 'intent',
  host: 'host',
  country: 'country',
  engine: 'referrer_engine',
} as const;

/** Lists that are read together: under one filter, out of one table. */
interface Reading {
  readonly filter: FactsFilter;
  readonly kinds: Kind[];
}

/** In the period, most hits first, at most 500 of each kind. At most six readings in one statement, and two where nothing is filtered. */
export async function filterValues(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<FilterValue[]> {
  return await askFacts<FilterValue>(
    warehouse,
    query,
    `SELECT kind, value, vendor, intent, hits, referrals FROM (
  ${readingsOf(query.filter)
    .map((reading) => valuesOf(query, reading))
    .join('\n  UNION ALL\n  ')}
)
WHERE value != '' ORDER BY kind, hits DESC, value, vendor, intent LIMIT ${MAX_VALUES} BY kind`,
    signal,
  );
}

function readingsOf(filter: FactsFilter): Reading[] {
  const readings = new Map<string, Reading>();
  for (const [kind, { own }] of Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][]) {
    const others = Object.fromEntries(
      Object.entries(filter).filter(
        // Referrals are of no bot, so no filter on bots narrows their engines.
        ([name, value]) => value !== undefined && name !== own && !(kind === 'engine' && ofBots(name, value)),
      ),
    ) as FactsFilter;
    // Apart from the rest: lean rows have no countries.
    const key = JSON.stringify([Object.entries(others).sort(), kind === 'country']);
    const reading = readings.get(key) ?? { filter: others, kinds: [] };
    readings.set(key, reading);
    reading.kinds.push(kind);
  }
  return [...readings.values()];
}

const ofBots = (name: string, value: unknown): boolean => hasBotConditions({ [name]: value });

function valuesOf(query: ReportQuery, { filter, kinds }: Reading): string {
  // Only a visit of a bot passes a filter on bots.
  const classes: readonly FactClass[] = hasBotConditions(filter) ? ['ai_bot'] : ['ai_bot', 'ai_referral'];
  const names = [...new Set(kinds.flatMap((kind) => [...KINDS[kind].by]))];
  const has = (name: keyof typeof COLUMNS) => (names.includes(name) ? name : "''");
  const kindOf = (kind: Kind) => `grouping(${KINDS[kind].by[0]}) = 0, '${kind}'`;
  const valueIn = (kind: Kind) => `kind = '${kind}', ${KINDS[kind].by[0]}`;
  const [last = 'bot', ...others] = kinds.toReversed();
  const choice = (of: (kind: Kind) => string, otherwise: string) =>
    others.length === 0 ? otherwise : `multiIf(${[...others.toReversed().map(of), otherwise].join(', ')})`;
  return `SELECT ${choice(kindOf, `'${last}'`)} AS kind, ${choice(valueIn, KINDS[last].by[0])} AS value,
    ${has('vendor')} AS vendor, ${has('intent')} AS intent, sum(f.weight) AS hits,
    sum(f.referred) AS referrals
  FROM (
    SELECT ${names.map((name) => `toString(f.${COLUMNS[name]}) AS ${name}`).join(', ')}, f.weight AS weight,
      if(f.class = 'ai_referral', f.weight, 0.) AS referred
    FROM ${facts([...names.map((name) => COLUMNS[name]), 'weight', 'class'], { ...query, filter }, classes)} WHERE ${NOW}
  ) AS f
  GROUP BY GROUPING SETS (${kinds.map((kind) => `(${KINDS[kind].by.join(', ')})`).join(', ')})`;
}
