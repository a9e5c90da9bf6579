/** Who is who they say, how we know, and where the others come from. */
import { VERDICT_REASONS, type VerdictReason } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import {
  type DayCount,
  type SpoofSourceRow,
  spoofSourceList,
  type TrustRow,
  type TrustTotals,
  trustList,
} from '../warehouse/index.ts';
import { botSeries } from './bots.ts';
import { changeShape } from './comparison.ts';
import { type Asked, daySchema, everyDay } from './context.ts';
import { estimatedSchema, estimates, estimatesSchema, within } from './estimates.ts';
import { changed, comparedDays } from './figures.ts';
import type { Listing } from './listing.ts';
import { moment, part, rounded, roundedAll } from './numbers.ts';

export const TRUST_SORTS = ['spoofed', 'hits', 'verified', 'unknown', 'bot'] as const;
export const SOURCE_SORTS = ['hits', 'asn', 'country', 'last_seen'] as const;

const NOT_RECORDED = 'not_recorded';
type Reason = VerdictReason | typeof NOT_RECORDED;
const REASONS: readonly Reason[] = [...(Object.keys(VERDICT_REASONS) as VerdictReason[]), NOT_RECORDED];

const trustShape = {
  hits: z.number(),
  estimated: z.number(),
  verified: z.number(),
  spoofed: z.number(),
  unknown: z.number(),
  estimates: estimatesSchema,
  spoofed_share: z.number(),
  methods: z
    .object({
      signature: z.number(),
      edge_cidr: z.number(),
      edge_platform: z.number(),
      server_cidr: z.number(),
    })
    .openapi({ description: 'How verified ones were' }),
  reasons: z
    .object(Object.fromEntries(REASONS.map((word) => [word, z.number()])) as Record<Reason, z.ZodNumber>)
    .openapi({
      description:
        'Why each hit is verified, spoofed or unknown; together they are all hits. `not_recorded`: hits of before reasons were stored',
    }),
  previous: z.object({ hits: z.number(), spoofed: z.number() }).nullable(),
  last_spoofed: z.iso.datetime().nullable(),
} as const;
export const trustItemSchema = z.object({
  vendor: z.string(),
  bot: z.string(),
  intent: z.string(),
  ...trustShape,
});
export const trustTotalsSchema = z.object({ ...trustShape, ...changeShape });

function view(compare: boolean, row: TrustTotals) {
  const { hits, estimated, verified, spoofed, unknown } = row;
  const { signature, edge_cidr, edge_platform, server_cidr } = row;
  return {
    ...roundedAll({ hits, estimated, verified, spoofed, unknown }),
    estimates: estimates({
      verified: row.estimated_verified,
      spoofed: row.estimated_spoofed,
      unknown: row.estimated_unknown,
      ...within('methods', row.estimated_methods),
      ...Object.fromEntries(
        Object.entries(row.estimated_reasons).map(([word, value]) => [
          `reasons.${word || NOT_RECORDED}`,
          value,
        ]),
      ),
    }),
    spoofed_share: part(spoofed, hits),
    methods: roundedAll({ signature, edge_cidr, edge_platform, server_cidr }),
    reasons: Object.fromEntries(
      REASONS.map((word) => [word, rounded(row[`reason_${word === NOT_RECORDED ? '' : word}`])]),
    ) as Record<Reason, number>,
    previous: compare ? { hits: rounded(row.previous_hits), spoofed: rounded(row.previous_spoofed) } : null,
    last_spoofed: moment(row.last_spoofed_at),
  };
}

export const trustListing: Listing<TrustRow, z.infer<typeof trustItemSchema>> = {
  spec: trustList,
  columns: [
    ...['vendor', 'bot', 'intent', 'hits', 'estimated', 'verified', 'spoofed', 'unknown', 'spoofed_share'],
    ...['estimates.verified', 'estimates.spoofed', 'estimates.unknown'],
    ...Object.keys(trustShape.methods.shape).map((name) => `methods.${name}`),
    ...Object.keys(trustShape.reasons.shape).map((name) => `reasons.${name}`),
    ...['previous.hits', 'previous.spoofed', 'last_spoofed'],
  ],
  items: ({ compare }, rows) =>
    rows.map((row) => ({ vendor: row.vendor, bot: row.bot, intent: row.intent, ...view(compare, row) })),
};

/** Its change is that of the spoofed. */
export const trustTotalsView = (
  asked: Asked,
  totals: TrustTotals,
  days: readonly DayCount[],
): z.infer<typeof trustTotalsSchema> => ({
  ...view(asked.compare, totals),
  ...changed(
    asked,
    comparedDays(
      asked,
      everyDay(asked.plan, days, ({ verified, hits }) => (verified === false ? hits : 0)),
    ),
  ),
});

export const trustSeriesSchema = z.array(
  daySchema.extend({
    verified: z.number(),
    spoofed: z.number(),
    unknown: z.number(),
    estimates: estimatesSchema,
  }),
);

export const trustSeries = (asked: Asked, days: readonly DayCount[]): z.infer<typeof trustSeriesSchema> =>
  botSeries(asked, days).map(({ day, partial, verified, spoofed, unknown, estimates: of }) => ({
    day,
    partial,
    verified,
    spoofed,
    unknown,
    estimates: Object.fromEntries(
      Object.entries(of).filter(([name]) => ['verified', 'spoofed', 'unknown'].includes(name)),
    ),
  }));

export const sourceItemSchema = z.object({
  asn: z.number().int().openapi({ description: '0: the edge did not say' }),
  country: z.string(),
  hits: z.number(),
  estimated: estimatedSchema,
  bots: z.number().int(),
  paths: z.number().int(),
  claimed: z.array(z.string()).openapi({ description: 'Whom they pretended to be, at most ten by name' }),
  first_seen: z.iso.datetime().nullable(),
  last_seen: z.iso.datetime().nullable(),
});

export const sourceListing: Listing<SpoofSourceRow, z.infer<typeof sourceItemSchema>> = {
  spec: spoofSourceList,
  columns: Object.keys(sourceItemSchema.shape),
  items: (_, rows) =>
    rows.map(({ asn, country, hits, estimated, bots, paths, claimed, first_at, last_at }) => ({
      asn,
      country,
      hits: rounded(hits),
      estimated: rounded(estimated),
      bots,
      paths,
      claimed: [...claimed],
      first_seen: moment(first_at),
      last_seen: moment(last_at),
    })),
};
