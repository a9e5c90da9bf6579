/** Who is who they say, and how we know. */
import { VERDICT_REASONS, type VerdictReason } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import {
  botDays,
  type DayCount,
  type TrustRow,
  type TrustTotals,
  trustList,
  trustTotals,
} from '../../warehouse/index.ts';
import { botSeries, previousBotSeries } from '../bot-figures.ts';
import {
  type Column,
  defineTable,
  group,
  groupOrNull,
  type ItemOf,
  number,
  shapeOf,
  text,
  time,
} from '../columns.ts';
import { changeShape } from '../comparison.ts';
import { daySchema, everyDay, previousSeriesOf, type ReportContext } from '../context.ts';
import { estimates, estimatesOf, estimatesSchema, within } from '../estimates.ts';
import { changed, compared, comparedDays, comparedShape } from '../figures.ts';
import { readPage, readWhole, type WarehouseList } from '../listing.ts';
import { moment, part, rounded, roundedAll } from '../numbers.ts';
import { defineList } from '../report.ts';

const NOT_RECORDED = 'not_recorded';
type Reason = VerdictReason | typeof NOT_RECORDED;
const REASONS: readonly Reason[] = [...(Object.keys(VERDICT_REASONS) as VerdictReason[]), NOT_RECORDED];
/** Known since files with these columns were first given out. */
const LATER_REASONS: readonly VerdictReason[] = [
  ...(['anonymized_address', 'proxy_address', 'log_signature', 'signature_invalid'] as const),
  ...(['signature_expired', 'signature_other_host', 'signature_incomplete'] as const),
  ...(['signature_key_unknown', 'signature_unchecked'] as const),
];

const VERDICTS = {
  verified: number('Verified', 'visits'),
  spoofed: number('Spoofed', 'visits'),
  unknown: number('Unknown', 'visits'),
} as const;
const BEFORE = {
  hits: number('Visits before', 'visits'),
  spoofed: number('Spoofed before', 'visits'),
} as const;
const trustColumns = {
  hits: number('Visits', 'visits'),
  estimated: number('Visits, estimated', 'visits'),
  ...VERDICTS,
  spoofed_share: number('Spoofed share', 'fraction'),
  estimates: estimatesOf(VERDICTS),
  methods: group(
    {
      signature: number('Verified by signature', 'visits'),
      edge_cidr: number('Verified by ranges at the edge', 'visits'),
      edge_platform: number('Verified by Cloudflare', 'visits'),
      server_cidr: number('Verified by ranges', 'visits'),
    },
    'How verified ones were',
  ),
  reasons: group(
    Object.fromEntries(
      REASONS.map((word) => [word, number(`Reason: ${word.replaceAll('_', ' ')}`, 'visits')]),
    ) as Record<Reason, Column<z.ZodNumber>>,
    'Why each hit is verified, spoofed or unknown; together they are all hits. `not_recorded`: hits stored before reasons were recorded',
  ),
  previous: groupOrNull(BEFORE),
  last_spoofed: time('Last spoofed visit'),
} as const;
const table = defineTable(
  'TrustItem',
  {
    vendor: text('Vendor'),
    bot: text('Bot'),
    intent: text('Intent'),
    ...trustColumns,
  },
  LATER_REASONS.map((reason) => `reasons.${reason}`),
);
const totalsSchema = z.object({
  ...shapeOf(trustColumns),
  ...changeShape,
  changes: z
    .object({ verified: z.object(comparedShape), unknown: z.object(comparedShape) })
    .openapi({ description: 'Of the other two; `change` is that of the spoofed visits' }),
  previous: groupOrNull({
    ...BEFORE,
    compared_with: number(
      'Spoofed compared',
      'visits',
      'The spoofed visits of the period until `compared_until`',
    ),
  }).schema,
});

const seriesSchema = z.array(
  daySchema.extend({
    verified: z.number(),
    spoofed: z.number(),
    unknown: z.number(),
    estimates: estimatesSchema,
  }),
);
const previousSeriesSchema = previousSeriesOf({
  ...{ verified: z.number(), spoofed: z.number(), unknown: z.number() },
});

export const trust = defineList({
  name: 'trust',
  path: 'trust',
  summary: 'Verified, spoofed and unknown visits by bot, with method and reason',
  schema: 'TrustReport',
  population: 'all',
  sorts: ['spoofed', 'hits', 'verified', 'unknown', 'bot'],
  tables: [table],
  around: { totals: totalsSchema, series: seriesSchema, previous_series: previousSeriesSchema },
  async run(context, parameters) {
    const { warehouse, signal } = context;
    const [page, totals, days] = await Promise.all([
      readPage(context, list, parameters),
      trustTotals(warehouse, context, signal),
      botDays(warehouse, context, signal),
    ]);
    return {
      ...page,
      totals: totalsOf(context, totals, days),
      series: seriesOf(context, days),
      previous_series: previousOf(context, days),
    };
  },
  whole: (context) => readWhole(context, list),
});

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

const list: WarehouseList<TrustRow, ItemOf<typeof table>> = {
  spec: trustList,
  items: ({ compare }, rows) =>
    rows.map((row) => ({ vendor: row.vendor, bot: row.bot, intent: row.intent, ...view(compare, row) })),
};

/** Its change is that of the spoofed. */
const totalsOf = (
  context: ReportContext,
  totals: TrustTotals,
  days: readonly DayCount[],
): z.infer<typeof totalsSchema> => {
  const of = view(context.compare, totals);
  const daysOf = (verdict: boolean | null) =>
    comparedDays(
      context,
      everyDay(context.plan, days, ({ verified, hits }) => (verified === verdict ? hits : 0)),
    );
  const spoofed = daysOf(false);
  return {
    ...of,
    previous: of.previous && { ...of.previous, compared_with: rounded(spoofed.compared_hits) },
    ...changed(context, spoofed),
    changes: { verified: compared(context, daysOf(true)), unknown: compared(context, daysOf(null)) },
  };
};

const seriesOf = (context: ReportContext, days: readonly DayCount[]): z.infer<typeof seriesSchema> =>
  botSeries(context, days).map(({ day, partial, verified, spoofed, unknown, estimates: of }) => ({
    day,
    partial,
    verified,
    spoofed,
    unknown,
    estimates: Object.fromEntries(
      Object.entries(of).filter(([name]) => ['verified', 'spoofed', 'unknown'].includes(name)),
    ),
  }));

const previousOf = (
  context: ReportContext,
  days: readonly DayCount[],
): z.infer<typeof previousSeriesSchema> =>
  previousBotSeries(context, days)?.map(({ day, verified, spoofed, unknown }) => ({
    ...{ day, verified, spoofed, unknown },
  })) ?? null;
