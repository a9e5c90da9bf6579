/** Parts of the traffic: exact hits over exact hits and samples, collector traffic alone. */
import { z } from '@hono/zod-openapi';
import { isCollector } from '../sources/index.ts';
import { type TrafficRow, trafficRows } from '../warehouse/index.ts';
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
const REASONS = ['log_push_only', 'no_traffic'] as const;

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
const stateShape = {
  state: z.enum(STATES),
  reason: z.enum(REASONS).nullable(),
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
  total: z.object({ hits: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() }),
});
export const headlineSchema = z.object({ ...stateShape, ...shareShape });
export const daySharesSchema = z.object({ state: z.enum(STATES), ...shareShape, samples: z.number().int() });
type Shares = z.infer<typeof sharesSchema>;

/** Of pages, for the first view. */
export async function aiShareHeadline(context: ReportContext): Promise<z.infer<typeof headlineSchema>> {
  const { warehouse, signal } = context;
  return headline(sharesOf(seenByCollector(await trafficRows(warehouse, context, signal)), true));
}

export const headline = ({
  state,
  reason,
  samples,
  effective_samples,
  ai_bots: { share, low, high },
}: Shares) => ({
  state,
  reason,
  samples,
  effective_samples,
  share,
  low,
  high,
});

export const withoutReason = ({ state, share, low, high, samples }: z.infer<typeof headlineSchema>) => ({
  state,
  share,
  low,
  high,
  samples,
});

/** Logs hold everything: without search crawlers there it is what it is for properties that don't tell those apart. */
export const seenByCollector = (rows: readonly TrafficRow[]): TrafficRow[] =>
  rows.filter((row) => !(isSearchEngine(row) && !isCollector(row.source)));

export const isSearchEngine = (row: TrafficRow): boolean => row.class === 'search_engine';
const isAiBot = (row: TrafficRow): boolean => row.class === 'ai_bot';

/** Samples of bots of a filter that leaves them out count in the whole and in no slice. */
export function sharesOf(rows: readonly TrafficRow[], pagesAlone: boolean): Shares {
  // Logs have no samples: what they count has nothing to be a part of.
  const counted = rows.filter(({ source, asset }) => isCollector(source) && !(pagesAlone && asset));
  const part = (
    of: (row: TrafficRow) => boolean,
    hits: (row: TrafficRow) => number = (row) => row.hits,
    isSampled = false,
  ) =>
    partOf(
      counted.filter(of).map((row) => ({ rate: row.sample_rate, hits: hits(row) })),
      isSampled,
    );
  // AI bots and referrals are all sent; of the rest only samples are.
  const ofSamples = (of: (row: TrafficRow) => boolean) =>
    part((row) => row.class === 'sample' && of(row), undefined, true);
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
  const { state, reason } = stateOf(whole, rows);
  const slice = (name: keyof typeof parts) => {
    const own = parts[name];
    const others = Object.entries(parts).flatMap(([other, value]) => (other === name ? [] : [value]));
    const known = state === 'ok' ? shareOf(own, sumOfParts([...others, leftOut])) : null;
    return { hits: rounded(hitsOf(own)), exact: own.exact, ...shown(known) };
  };
  return {
    state,
    reason,
    samples: whole.samples,
    effective_samples: rounded(effectiveSamples(whole)),
    ai_bots: slice('ai_bots'),
    ai_referrals: slice('ai_referrals'),
    other_bots: slice('other_bots'),
    people: slice('people'),
    spoofed: rounded(hitsOf(part(isAiBot, ({ spoofed_meant: meant }) => meant))),
    total: totalOf(state, whole),
  };
}

function stateOf(whole: Part, rows: readonly TrafficRow[]): Pick<Shares, 'state' | 'reason'> {
  if (!rows.some(({ source }) => isCollector(source)))
    return { state: 'not_available', reason: rows.length > 0 ? 'log_push_only' : 'no_traffic' };
  // Where every request was sent there is nothing to estimate, and no number too small.
  const isWhole = whole.samples > 0 && whole.variance === 0;
  return {
    state: isWhole || effectiveSamples(whole) >= MIN_SAMPLES ? 'ok' : 'too_few_samples',
    reason: null,
  };
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
