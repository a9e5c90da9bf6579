/** What part of the traffic is AI. */

import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import { isCollector } from '../../sources/index.ts';
import { type TrafficRow, trafficRows } from '../../warehouse/index.ts';
import { daySchema, type ReportContext, series } from '../context.ts';
import { rates } from '../numbers.ts';
import { defineAnswer } from '../report.ts';
import {
  daySharesSchema,
  headline,
  isOfCounted,
  ofKnownTraffic,
  sharesOf,
  sharesSchema,
  withoutReason,
} from '../traffic-shares.ts';

const answerSchema = z.object({
  interval: z
    .object({
      level: z.literal(0.95),
      error: z.literal('sampling_in_period'),
      assumes: z.literal('each_request_drawn_by_itself'),
    })
    .openapi({
      description:
        'What `low` and `high` are: the error of drawing samples within the period, no forecast; too narrow where a sender draws several requests together',
    }),
  pages: sharesSchema,
  requests: sharesSchema.openapi({ description: 'Pages and all other requested paths' }),
  series: z.array(daySchema.extend({ pages: daySharesSchema, requests: daySharesSchema })),
  counted_by: z.array(z.string()).openapi({
    description:
      'Sources that have every request and counted the others, in the hours that the shares are of',
  }),
  collector_hits: z.number().int().openapi({
    description:
      'Stored hits of collectors, of every kind, including samples, spoofed ones and search crawlers',
  }),
  log_push_hits: z.number().int().openapi({
    description:
      'Those of logs, counted in the same way. A share counts them where their log has counted the other requests too',
  }),
  sample_rates: z.array(z.number()),
  days_without_samples: z.number().int().openapi({ description: 'As that of `requests`' }),
});
type AiShare = z.infer<typeof answerSchema>;

const INTERVAL: AiShare['interval'] = {
  level: 0.95,
  error: 'sampling_in_period',
  assumes: 'each_request_drawn_by_itself',
};

export const aiShare = defineAnswer({
  name: 'ai-share',
  path: 'ai-share',
  summary: 'The AI share of traffic, with a 95% confidence interval',
  schema: 'AiShare',
  answer: answerSchema,
  run: read,
});

async function read(context: ReportContext): Promise<AiShare> {
  const { plan, warehouse, signal } = context;
  const received = await trafficRows(warehouse, context, signal);
  const rows = ofKnownTraffic(received, context);
  const stored = received.filter((row) => row.class !== 'counted');
  const collector = stored.filter(({ source }) => isCollector(source));
  const count = (of: readonly TrafficRow[]) => sum(of, ({ hits }) => hits);
  const samples = collector.filter(({ sample_rate }) => sample_rate > 0);
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const requests = sharesOf(rows, false);
  return {
    interval: INTERVAL,
    pages: sharesOf(rows, true),
    requests,
    series: series(plan, (day) => {
      const ofDay = byDay.get(day) ?? [];
      return { pages: headline(sharesOf(ofDay, true)), requests: headline(sharesOf(ofDay, false)) };
    }).map(({ day, partial, pages, requests }) => ({
      day,
      partial,
      pages: withoutReason(pages),
      requests: withoutReason(requests),
    })),
    counted_by: [...new Set(rows.filter(isOfCounted).map(({ source }) => source))].sort(),
    collector_hits: count(collector),
    log_push_hits: count(stored) - count(collector),
    sample_rates: rates(samples.map(({ sample_rate }) => sample_rate)),
    days_without_samples: requests.days_without_samples,
  };
}
