/** The first page in one request: what each report would say in a line. */

import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import {
  botRows,
  countRows,
  type FailingPageRow,
  hasBotConditions,
  inOrder,
  type ReferralDay,
  rankRows,
  referralDays,
  type TopPageRow,
  topPageList,
  topPages,
} from '../../warehouse/index.ts';
import {
  botSeries,
  botSeriesSchema,
  byIntent,
  byIntentSchema,
  isNew,
  previousBotSeries,
  previousBotSeriesSchema,
  readDays,
  together,
} from '../bot-figures.ts';
import { everyDay, momentsOf, type ReportContext } from '../context.ts';
import { estimatedSchema, estimates, estimatesSchema } from '../estimates.ts';
import {
  compared,
  comparedDays,
  comparedFailures,
  comparedFailuresShape,
  comparedShape,
  comparedVisits,
  comparedVisitsShape,
  figures,
  figuresShape,
  readShape,
} from '../figures.ts';
import { costliest, FAILING_PAGES, fixFirst, fixFirstSchema } from '../fix-first.ts';
import { type Fixed, readFixed } from '../fixed.ts';
import { notFiltered, notFilteredSchema } from '../not-filtered.ts';
import { moment, part, rounded } from '../numbers.ts';
import { defineAnswer } from '../report.ts';
import { aiShareHeadline, headlineSchema } from '../traffic-shares.ts';

const TOP = 5;
const FIX_FIRST = 3;

const botShape = {
  ...{ vendor: z.string(), bot: z.string(), intent: z.string(), hits: z.number() },
  estimated: estimatedSchema,
} as const;
const answerSchema = z.object({
  headline: z.object({
    ai_bot_hits: z.number().openapi({ description: 'Of the population' }),
    estimated: z.number().openapi({ description: 'The part that comes from samples' }),
    spoofed: z.number().openapi({
      description: 'Spoofed visits: not in `ai_bot_hits`, unless the population is `all`',
    }),
    bots: z.number().int(),
    ...readShape,
    on_demand: z.number(),
    referrals: z.number(),
    failures: z.number(),
    estimates: estimatesSchema,
  }),
  ai_bots: z.object({
    ...figuresShape,
    ...readShape,
    bots: z.number().int(),
    on_demand: z.number(),
    ...comparedShape,
  }),
  trust: z.object({
    ...{ verified: z.number(), spoofed: z.number(), unknown: z.number() },
    estimates: estimatesSchema,
  }),
  by_intent: byIntentSchema,
  series: z.array(botSeriesSchema.element.extend({ referrals: z.number() })),
  previous_series: previousBotSeriesSchema,
  top_bots: z.array(
    z.object({
      ...botShape,
      ...comparedShape,
      first_seen: z.iso.datetime().nullable().openapi({
        description: 'Its first visit of all, whatever period is asked for; spoofed visits don’t count',
      }),
      last_seen: z.iso.datetime().nullable(),
    }),
  ),
  new_bots: z.array(z.object({ ...botShape, first_seen: z.iso.datetime().nullable() })),
  top_pages: z.array(
    z.object({
      ...{ host: z.string(), path: z.string(), hits: z.number(), estimated: estimatedSchema },
      bots: z.number().int(),
      ...comparedShape,
    }),
  ),
  referrals: z.object({
    visits: z.number(),
    estimated: z.number(),
    ...comparedVisitsShape,
    top: z.array(z.object({ engine: z.string(), visits: z.number(), estimated: estimatedSchema })),
  }),
  failures: z.object({
    failures: z.number(),
    estimated: estimatedSchema,
    failing_share: z.number(),
    spoofed: z.number().openapi({
      description: 'Failures of spoofed visits: not in `failures`, unless the population is `all`',
    }),
    estimates: estimatesSchema,
    ...comparedFailuresShape,
    fix_first: fixFirstSchema,
  }),
  ai_share: headlineSchema.extend({
    of: z.enum(['ai_bots', 'filtered_bots']).openapi({
      description: 'The bots of this share: all AI bots, or those selected by a filter',
    }),
  }),
  conversions: z.object({ available: z.boolean(), conversions: z.string() }),
  not_filtered: notFilteredSchema,
});

export const overview = defineAnswer({
  name: 'overview',
  path: 'overview',
  summary: 'The headline of each report; with comparison by default',
  schema: 'Overview',
  compare: 'previous',
  answer: answerSchema,
  run: read,
});

async function read(context: ReportContext): Promise<z.infer<typeof answerSchema>> {
  const { warehouse, signal } = context;
  // What asks twice, one question after the other, begins first, so that it doesn't run alone at the end.
  const [pages, bots, firsts, sent, share, conversions] = await Promise.all([
    firstPages(context),
    botRows(warehouse, context, signal),
    context.firsts(),
    referralDays(warehouse, context, signal),
    aiShareHeadline(context),
    context.conversions(context.property, momentsOf(context)),
  ]);
  const days = await readDays(context, bots);
  const sums = together(bots);
  const totals = figures(sums);
  const intents = byIntent(context, bots);
  const failures = sums.client_errors + sums.server_errors;
  const failuresEstimated = sums.estimated_client_errors + sums.estimated_server_errors;
  const { hits: onDemand = 0, estimated: onDemandEstimated = 0 } =
    intents.find(({ intent }) => intent === 'on_demand') ?? {};
  const { verified, spoofed, unknown } = totals.estimates;
  const referrals = referralsOf(context, sent);
  return {
    headline: {
      ai_bot_hits: totals.hits,
      estimated: totals.estimated,
      spoofed: totals.spoofed,
      bots: sums.bots,
      pages: pages.pages,
      files: pages.files,
      on_demand: onDemand,
      referrals: referrals.visits,
      failures: rounded(failures),
      estimates: estimates({
        spoofed: sums.estimated_spoofed,
        on_demand: onDemandEstimated,
        referrals: referrals.estimated,
        failures: failuresEstimated,
      }),
    },
    ai_bots: {
      ...totals,
      estimates: { ...totals.estimates, ...estimates({ on_demand: onDemandEstimated }) },
      pages: pages.pages,
      files: pages.files,
      bots: sums.bots,
      on_demand: onDemand,
      ...compared(context, comparedDays(context, sums.days)),
    },
    trust: {
      ...{ verified: totals.verified, spoofed: totals.spoofed, unknown: totals.unknown },
      estimates: estimates({ verified: verified ?? 0, spoofed: spoofed ?? 0, unknown: unknown ?? 0 }),
    },
    by_intent: intents,
    series: botSeries(context, days).map((day, index) => {
      const ofDay = sent.filter((one) => one.day === context.plan.from + index);
      return {
        ...day,
        referrals: rounded(visitsOf(ofDay)),
        estimates: { ...day.estimates, ...estimates({ referrals: estimatedOf(ofDay) }) },
      };
    }),
    previous_series: previousBotSeries(context, days),
    top_bots: bots
      .filter(({ hits }) => hits > 0)
      .slice(0, TOP)
      .map(({ vendor, bot, intent, hits, estimated, days: byDay, last_at }) => ({
        ...{ vendor, bot, intent, hits: rounded(hits), estimated: rounded(estimated) },
        ...compared(context, comparedDays(context, byDay)),
        first_seen: moment(firsts.get(bot) ?? 0),
        last_seen: moment(last_at),
      })),
    new_bots: bots
      .filter((row) => isNew(context, row, firsts.get(row.bot)) === true)
      .slice(0, TOP)
      .map(({ vendor, bot, intent, hits, estimated }) => ({
        ...{ vendor, bot, intent, hits: rounded(hits), estimated: rounded(estimated) },
        ...{ first_seen: moment(firsts.get(bot) ?? 0) },
      })),
    top_pages: pages.top.map(({ host, path, hits, estimated, bots: readers, ...before }) => ({
      host,
      path,
      hits: rounded(hits),
      estimated: rounded(estimated),
      bots: readers,
      ...compared(context, before),
    })),
    referrals,
    failures: {
      failures: rounded(failures),
      estimated: rounded(failuresEstimated),
      failing_share: part(failures, sums.hits),
      spoofed: rounded(sum(bots, (row) => row.spoofed_errors)),
      estimates: estimates({
        spoofed: sum(bots, (row) => row.estimated_spoofed_errors),
      }),
      ...comparedFailures(context, sums.failed_days),
      fix_first: fixFirst(pages.worst, pages.fixed, FIX_FIRST),
    },
    ai_share: { ...share, of: hasBotConditions(context.filter) ? 'filtered_bots' : 'ai_bots' },
    conversions: {
      available: conversions.rows.length > 0,
      conversions: conversions.conversions,
    },
    not_filtered: notFiltered(context.filter),
  };
}

interface FirstPages {
  readonly top: readonly TopPageRow[];
  /** Of all that were read. */
  readonly pages: number;
  readonly files: number;
  readonly worst: readonly FailingPageRow[];
  readonly fixed: Fixed;
}

/** The pages that were read most and those whose failures cost most; the visits of both are counted in one question. */
async function firstPages(context: ReportContext): Promise<FirstPages> {
  const { warehouse, signal } = context;
  const [top, worst] = await Promise.all([
    topPages(warehouse, context, TOP, signal),
    rankRows(warehouse, context, FAILING_PAGES, costliest(FIX_FIRST), signal),
  ]);
  const { apart: _, ...failing } = FAILING_PAGES;
  const numbers = [...new Set([...top.numbers, ...worst.numbers])];
  const [pages, failures] = await Promise.all([
    countRows<TopPageRow>(warehouse, context, topPageList, numbers, signal),
    countRows<Omit<FailingPageRow, 'hits' | 'estimated_hits'>>(
      warehouse,
      context,
      failing,
      worst.numbers,
      signal,
    ),
  ]);
  const whole = new Map(
    [...failures].map(([number, row]) => {
      const { hits = row.failures, estimated = row.estimated } = pages.get(number) ?? {};
      return [number, { ...row, hits, estimated_hits: estimated }];
    }),
  );
  const costly = inOrder(worst.numbers, whole);
  const fixed = await readFixed(context, costly);
  return { ...top, top: inOrder(top.numbers, pages), worst: costly, fixed };
}

const estimatedOf = (days: readonly ReferralDay[]) => sum(days, ({ estimated }) => estimated);
const visitsOf = (days: readonly ReferralDay[]) => sum(days, ({ visits }) => visits);

function referralsOf(
  context: ReportContext,
  days: readonly ReferralDay[],
): z.infer<typeof answerSchema>['referrals'] {
  const { plan } = context;
  const now = days.filter(({ day }) => day >= plan.from);
  const visits = visitsOf(now);
  const engines = [...Map.groupBy(now, ({ engine }) => engine)]
    .map(([engine, of]) => ({
      engine,
      visits: rounded(visitsOf(of)),
      estimated: rounded(estimatedOf(of)),
    }))
    .sort((a, b) => b.visits - a.visits || (a.engine < b.engine ? -1 : 1));
  return {
    visits: rounded(visits),
    estimated: rounded(estimatedOf(now)),
    ...comparedVisits(
      context,
      comparedDays(
        context,
        everyDay(plan, days, (row) => row.visits),
      ),
    ),
    top: engines.slice(0, TOP),
  };
}
