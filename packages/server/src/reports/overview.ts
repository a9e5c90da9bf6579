/** The first page in one request: what each report would say in a line. */
import { z } from '@hono/zod-openapi';
import {
  type BotRow,
  botList,
  failureTotals,
  type ListSpec,
  type PageRow,
  pageList,
  type ReferralRow,
  readList,
  referralDays,
  referralList,
  referralTotals,
} from '../warehouse/index.ts';
import { aiShareHeadline, headlineSchema } from './ai-share.ts';
import {
  botListing,
  botSeries,
  botSeriesSchema,
  botSummary,
  botTotalsView,
  byIntentSchema,
  byIntentView,
} from './bots.ts';
import type { Asked } from './context.ts';
import { fixFirst, fixFirstSchema } from './failures.ts';
import { compared, comparedShape, figuresShape } from './figures.ts';
import type { ReadConversions } from './funnel.ts';
import type { Owner } from './ledger.ts';
import { part, rounded } from './numbers.ts';
import { referralTotalsView } from './referrals.ts';

const TOP = 5;
const FIX_FIRST = 3;
/** Bots that are looked at for new ones: who is new is rarely among the largest. */
const BOTS = 200;

const botShape = { vendor: z.string(), bot: z.string(), intent: z.string(), hits: z.number() } as const;
export const overviewSchema = z.object({
  ai_bots: z.object({
    ...figuresShape,
    pages: z.number().int(),
    bots: z.number().int(),
    on_demand: z.number(),
    ...comparedShape,
  }),
  trust: z.object({ verified: z.number(), spoofed: z.number(), unknown: z.number() }),
  by_intent: byIntentSchema,
  series: z.array(botSeriesSchema.element.extend({ referrals: z.number() })),
  top_bots: z.array(
    z.object({ ...botShape, change: z.number().nullable(), last_seen: z.iso.datetime().nullable() }),
  ),
  new_bots: z.array(z.object({ ...botShape, first_seen: z.iso.datetime().nullable() })),
  top_pages: z.array(
    z.object({ host: z.string(), path: z.string(), hits: z.number(), bots: z.number().int() }),
  ),
  referrals: z.object({
    visits: z.number(),
    estimated: z.number(),
    previous: z.object({ visits: z.number() }).nullable(),
    change: z.number().nullable(),
    top: z.array(z.object({ engine: z.string(), visits: z.number() })),
  }),
  failures: z.object({ failures: z.number(), failing_share: z.number(), fix_first: fixFirstSchema }),
  ai_share: headlineSchema,
  conversions: z.object({ available: z.boolean(), conversions: z.string() }),
});

export async function overview(
  asked: Asked,
  owner: Owner,
  days: { readonly from: number; readonly to: number },
  readConversions: ReadConversions,
): Promise<z.infer<typeof overviewSchema>> {
  const { warehouse, compare, signal } = asked;
  const top = async <Row>(spec: ListSpec, sort: string, limit = TOP) =>
    (await readList<Row>(warehouse, asked, spec, { sort, order: 'desc', limit, page: 1 }, signal)).items;
  const [summary, bots, pages, sent, sentDays, engines, failed, fix, share, conversions] = await Promise.all([
    botSummary(asked),
    top<BotRow>(botList(asked, 'bot'), 'hits', BOTS),
    top<PageRow>(pageList, 'hits'),
    referralTotals(warehouse, asked, signal),
    referralDays(warehouse, asked, signal),
    top<ReferralRow>(referralList('engine'), 'visits'),
    failureTotals(warehouse, asked, 'error', signal),
    fixFirst(asked, FIX_FIRST),
    aiShareHeadline(asked),
    readConversions(owner, days),
  ]);
  const { pages: pageCount, bots: botCount, vendors: _, ...figures } = botTotalsView(asked, summary.totals);
  const items = await botListing(asked, 'bot', summary.totals.hits).items(asked, bots);
  const byIntent = byIntentView(asked, summary.days);
  const referred = referralTotalsView(asked, sent);
  const bySentDay = new Map<number, number>();
  for (const { day, visits } of sentDays) bySentDay.set(day, (bySentDay.get(day) ?? 0) + visits);
  return {
    ai_bots: {
      ...figures,
      pages: pageCount,
      bots: botCount,
      on_demand: byIntent.find(({ intent }) => intent === 'on_demand')?.hits ?? 0,
      ...compared(compare, summary.totals.hits, summary.totals.previous_hits),
    },
    trust: { verified: figures.verified, spoofed: figures.spoofed, unknown: figures.unknown },
    by_intent: byIntent,
    series: botSeries(asked, summary.days).map((day, index) => ({
      ...day,
      referrals: rounded(bySentDay.get(asked.plan.from + index) ?? 0),
    })),
    top_bots: items
      .filter(({ hits }) => hits > 0)
      .slice(0, TOP)
      .map(({ vendor, bot, intent, hits, change, last_seen }) => ({
        ...{ vendor, bot, intent, hits, change, last_seen },
      })),
    new_bots: items
      .filter(({ is_new }) => is_new)
      .slice(0, TOP)
      .map(({ vendor, bot, intent, hits, first_seen }) => ({ vendor, bot, intent, hits, first_seen })),
    top_pages: pages.map(({ host, path, hits, bots: readers }) => ({
      host,
      path,
      hits: rounded(hits),
      bots: readers,
    })),
    referrals: {
      visits: referred.visits,
      estimated: referred.estimated,
      previous: referred.previous,
      change: referred.change,
      top: engines.map(({ engine, hits }) => ({ engine, visits: rounded(hits) })),
    },
    failures: {
      failures: rounded(failed.failures),
      failing_share: part(failed.failures, failed.hits),
      fix_first: fix,
    },
    ai_share: share,
    conversions: {
      available: conversions.rows.length > 0,
      conversions: conversions.conversions,
    },
  };
}
