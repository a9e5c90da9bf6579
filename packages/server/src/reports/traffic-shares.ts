/**
 * Parts of the traffic. Of hours that a log with every request has counted, all of it is known. Of other hours exact hits are put beside samples,
 * collector traffic alone. No hour of a host is in both.
 */
import { z } from '@hono/zod-openapi';
import { isCollector } from '../sources/index.ts';
import { type FactsFilter, type TrafficRow, trafficRows } from '../warehouse/index.ts';
import type { ReportContext } from './context.ts';
import { rounded, share as shareNumber } from './numbers.ts';
import {
  effectiveSamples,
  hitsOf,
  limitsOf,
  MIN_SAMPLES,
  type Part,
  partOf,
  type Share,
  shareOf,
  sumOfParts,
} from './share.ts';

const STATES = ['ok', 'too_few_samples', 'not_available'] as const;
const REASONS = ['log_push_only', 'counted_by_host_only', 'over_quota', 'no_traffic'] as const;

const shareShape = {
  share: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
} as const;
const sliceSchema = z.object({
  hits: z.number(),
  exact: z.number().openapi({ description: 'Hits that are not samples' }),
  ...shareShape,
});
const DENOMINATORS = ['counted', 'estimated', 'mixed'] as const;
const denominatorShape = {
  denominator: z.enum(DENOMINATORS).nullable().openapi({
    description:
      'How the traffic is known that the shares are of: `counted` by logs that have every request, `estimated` from samples, or `mixed`: counted for some hours or hosts, estimated for the others; null: it is not known',
  }),
  counted: z.number().openapi({
    description: 'Hits and other requests of the hours that logs have counted, all of them known one by one',
  }),
} as const;
const stateShape = {
  state: z.enum(STATES),
  reason: z.enum(REASONS).nullable(),
  ...denominatorShape,
  samples: z.number().int(),
  effective_samples: z.number().openapi({
    description: `The number of equally weighted samples with the same precision; below ${MIN_SAMPLES} there is no share`,
  }),
} as const;
export const sharesSchema = z.object({
  ...stateShape,
  ai_bots: sliceSchema,
  ai_referrals: sliceSchema,
  other_bots: sliceSchema,
  people: sliceSchema,
  spoofed: z.number().openapi({
    description:
      'Spoofed hits of AI bots that the filters select: part of `other_bots`, or with `include=spoofed` of `ai_bots`',
  }),
  days_without_samples: z.number().int().openapi({
    description:
      'Days with collector traffic in these figures and no sample of other traffic. Their visits count, as do those of every day',
  }),
  sources: z.array(z.string()).nullable().openapi({
    description:
      'Sources of which every stored visit of the period is in these figures: `visits` with this `source` lists them. null: of a source only a part is, as on days over the quota',
  }),
  total: z.object({ hits: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() }),
});
export const headlineSchema = z.object({ ...stateShape, ...shareShape });
export const daySharesSchema = z.object({
  state: z.enum(STATES),
  ...denominatorShape,
  ...shareShape,
  samples: z.number().int(),
});
type Shares = z.infer<typeof sharesSchema>;

/** Of pages, for the first view. */
export async function aiShareHeadline(context: ReportContext): Promise<z.infer<typeof headlineSchema>> {
  const { warehouse, signal } = context;
  return headline(sharesOf(ofKnownTraffic(await trafficRows(warehouse, context, signal), context), true));
}

export const headline = ({
  state,
  reason,
  denominator,
  counted,
  samples,
  effective_samples,
  ai_bots: { share, low, high },
}: Shares) => ({
  state,
  reason,
  denominator,
  counted,
  samples,
  effective_samples,
  share,
  low,
  high,
});

export const withoutReason = ({
  state,
  denominator,
  counted,
  share,
  low,
  high,
  samples,
}: z.infer<typeof headlineSchema>) => ({
  state,
  denominator,
  counted,
  share,
  low,
  high,
  samples,
});

/** A row, and whether the traffic beside it is known: not where numbers can't be asked as it was, nor where the quota cut it off. */
type KnownRow = Omit<TrafficRow, 'covered'> & {
  readonly covered: TrafficRow['covered'] | 'unsaid' | 'over_quota';
};

/** Filters that numbers can't pass: a log counts other requests by host alone. */
const NOT_BY = ['path', 'page', 'country'] as const satisfies (keyof FactsFilter)[];

/** Search crawlers of logs are left out where the log's others are not known: without them it is what it is for properties that don't tell those apart. */
export function ofKnownTraffic(
  rows: readonly TrafficRow[],
  { filter, plan }: { readonly filter: FactsFilter; readonly plan: Pick<ReportContext['plan'], 'overQuota'> },
): KnownRow[] {
  const isNarrower = NOT_BY.some((name) => filter[name] !== undefined);
  const asked: readonly KnownRow[] = isNarrower
    ? rows.map((row) => ({
        ...row,
        covered: row.covered === 'here' && !isCollector(row.source) ? ('unsaid' as const) : ('no' as const),
      }))
    : rows;
  // Samples are dropped first: AI visits, which are kept longer, would be too large a part. Later AI visits are, and logs still count others.
  const isCut = (row: KnownRow): boolean => {
    const dropped = plan.overQuota.get(row.day);
    return dropped !== undefined && (isOfSampled(row) || (dropped === 'visits' && isOfCounted(row)));
  };
  const whole = asked.map((row) => (isCut(row) ? { ...row, covered: 'over_quota' as const } : row));
  return whole.filter((row) => !(isSearchEngine(row) && !isCollector(row.source) && !isOfCounted(row)));
}

/** Its log has counted the other requests of the hour. A sample would say again what is in those numbers. */
export const isOfCounted = (row: KnownRow): boolean => row.covered === 'here' && row.class !== 'sample';
/** A collector's, of an hour that no log has counted. */
export const isOfSampled = (row: KnownRow): boolean =>
  row.covered === 'no' && isCollector(row.source) && row.class !== 'counted';
const isOfKnown = (row: KnownRow): boolean => isOfCounted(row) || isOfSampled(row);

export const isSearchEngine = (row: Pick<TrafficRow, 'class'>): boolean => row.class === 'search_engine';
const isAiBot = (row: KnownRow): boolean => row.class === 'ai_bot';

/** Samples of bots of a filter that leaves them out count in the whole and in no slice. */
export function sharesOf(rows: readonly KnownRow[], pagesAlone: boolean): Shares {
  // Logs that count nothing else have no samples either: what they say has nothing to be a part of.
  const known = rows.filter(isOfKnown);
  const counted = known.filter(({ asset }) => !(pagesAlone && asset));
  const part = (
    of: (row: KnownRow) => boolean,
    hits: (row: KnownRow) => number = (row) => row.hits,
    isSampled = false,
  ) =>
    partOf(
      counted.filter(of).map((row) => ({ rate: row.sample_rate, hits: hits(row) })),
      isSampled,
    );
  const isSampled = known.length === 0 || known.some(isOfSampled);
  // AI bots and referrals are all sent; of the rest only samples are, or numbers.
  const ofSamples = (of: (row: KnownRow) => boolean) =>
    part((row) => (row.class === 'sample' || row.class === 'counted') && of(row), undefined, isSampled);
  const parts = {
    ai_bots: part(isAiBot, ({ meant }) => meant),
    ai_referrals: part((row) => row.class === 'ai_referral'),
    // A program under the name of an AI bot is nevertheless a program. Search crawlers count where their samples count for properties
    // that don't tell them apart: the switch moves no share.
    other_bots: sumOfParts([
      ofSamples((row) => row.other_bot),
      part(isSearchEngine),
      part(isAiBot, ({ spoofed }) => spoofed),
    ]),
    people: ofSamples((row) => !row.other_bot),
  };
  const leftOut = part(isAiBot, ({ hits, meant, spoofed }) => hits - meant - spoofed);
  const whole = sumOfParts([...Object.values(parts), leftOut]);
  const inLogs = partOf(counted.filter(isOfCounted).map(({ sample_rate: rate, hits }) => ({ rate, hits })));
  const { state, reason } = stateOf(whole, inLogs, known, rows);
  const slice = (name: keyof typeof parts) => {
    const own = parts[name];
    const others = Object.entries(parts).flatMap(([other, value]) => (other === name ? [] : [value]));
    const known = state === 'ok' ? shareOf(own, sumOfParts([...others, leftOut])) : null;
    return { hits: rounded(hitsOf(own)), exact: own.exact, ...shown(known) };
  };
  return {
    state,
    reason,
    denominator: denominatorOf(whole, known),
    counted: rounded(hitsOf(inLogs)),
    samples: whole.samples,
    effective_samples: rounded(effectiveSamples(whole)),
    ai_bots: slice('ai_bots'),
    ai_referrals: slice('ai_referrals'),
    other_bots: slice('other_bots'),
    people: slice('people'),
    spoofed: rounded(hitsOf(part(isAiBot, ({ spoofed_meant: meant }) => meant))),
    days_without_samples: daysWithoutSamples(counted),
    sources: wholeSources(known, rows),
    total: totalOf(state, whole),
  };
}

/** Whose stored visits are all counted; null: some source's visits are counted in part. */
function wholeSources(known: readonly KnownRow[], rows: readonly KnownRow[]): string[] | null {
  const stored = (row: KnownRow): boolean => row.class !== 'counted';
  const counted = new Set(known.filter(stored).map(({ source }) => source));
  const leftOut = rows.some((row) => stored(row) && counted.has(row.source) && !isOfKnown(row));
  return leftOut ? null : [...counted].sort();
}

/** Such a day stays in: where samples are few, leaving it out would keep the days on which some were drawn, and other traffic would be too large. */
function daysWithoutSamples(rows: readonly KnownRow[]): number {
  const collected = rows.filter((row) => isOfSampled(row) && !isSearchEngine(row));
  const sampled = new Set(collected.filter((row) => row.class === 'sample').map(({ day }) => day));
  return new Set(collected.map(({ day }) => day)).difference(sampled).size;
}

/** So small a part of the traffic may be known by few samples: it can't move a share by more. */
const SMALL_PART = 0.05;

function stateOf(
  whole: Part,
  inLogs: Part,
  known: readonly KnownRow[],
  rows: readonly KnownRow[],
): Pick<Shares, 'state' | 'reason'> {
  const isCollected = rows.some(({ source }) => isCollector(source));
  const isCut = rows.some(({ covered }) => covered === 'over_quota');
  if (known.length === 0 && (isCut || !isCollected))
    return { state: 'not_available', reason: reasonOf(rows) };
  // Where every request was sent or counted there is nothing to estimate, and no number too small.
  const isWhole =
    whole.variance === 0 && (whole.samples > 0 || (known.length > 0 && !known.some(isOfSampled)));
  const isMostlyCounted = hitsOf(inLogs) > 0 && hitsOf(whole) - hitsOf(inLogs) <= SMALL_PART * hitsOf(whole);
  return {
    state: isWhole || isMostlyCounted || effectiveSamples(whole) >= MIN_SAMPLES ? 'ok' : 'too_few_samples',
    reason: null,
  };
}

function reasonOf(rows: readonly KnownRow[]): Shares['reason'] {
  if (rows.length === 0) return 'no_traffic';
  if (rows.some(({ covered }) => covered === 'over_quota')) return 'over_quota';
  return rows.some(({ covered }) => covered === 'unsaid') ? 'counted_by_host_only' : 'log_push_only';
}

/** A log of a share of all requests estimates them too. */
function denominatorOf(whole: Part, known: readonly KnownRow[]): Shares['denominator'] {
  if (known.length === 0) return null;
  const isCounted = known.some(isOfCounted);
  if (!isCounted) return 'estimated';
  return known.some(isOfSampled) || whole.variance > 0 ? 'mixed' : 'counted';
}

const shown = (known: Share | null) =>
  known === null
    ? { share: null, low: null, high: null }
    : { share: shareNumber(known.share), low: shareNumber(known.low), high: shareNumber(known.high) };

function totalOf(state: Shares['state'], whole: Part): Shares['total'] {
  if (state !== 'ok') return { hits: null, low: null, high: null };
  const { low, high } = limitsOf(whole, 0);
  return { hits: rounded(hitsOf(whole)), low: rounded(low), high: rounded(high) };
}
