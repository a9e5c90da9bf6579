/** How many visits there are under the filters of the explorer, over time, and for how many they stand. */
import { z } from '@hono/zod-openapi';
import { dateOf } from '../../common/index.ts';
import { type VisitCount, type VisitQuery, type VisitStep, visitCounts } from '../../warehouse/index.ts';
import type { ReportContext } from '../context.ts';
import { rounded } from '../numbers.ts';
import { defineAnswer } from '../report.ts';
import { visitParameters, visitQuery } from '../visit-parameters.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = { minute: 60_000, hour: HOUR_MS } as const;
/** Shorter times are drawn finer. */
const MINUTES_UP_TO = 3 * HOUR_MS;
/** A week, one of whose days may be an hour longer. */
const HOURS_UP_TO = 7 * 24 * HOUR_MS + HOUR_MS;

const counts = {
  hits: z.number().int().openapi({ description: 'Stored visits' }),
  verified: z.number().int(),
  unknown: z.number().int(),
  spoofed: z.number().int(),
  people: z
    .number()
    .int()
    .openapi({ description: 'Without a verdict, which only bots have: referrals and samples' }),
  tests: z
    .number()
    .int()
    .openapi({ description: 'Made up to try a connection; asked for with `class=test`' }),
} as const;

export const visitHistogram = defineAnswer({
  name: 'visits-over-time',
  path: 'visits/counts',
  summary: 'Stored visits counted by minute, hour or day, depending on the time that is asked for',
  schema: 'VisitCounts',
  population: 'all',
  parameters: visitParameters,
  answer: z.object({
    step: z.enum(['minute', 'hour', 'day']),
    since: z.iso.datetime().openapi({ description: 'The time that is counted' }),
    until: z.iso.datetime().openapi({ description: 'Exclusive' }),
    kept_since: z.iso.date().openapi({
      description:
        'The first day whose visits of the classes that are asked for are kept one by one; older days exist as daily figures only',
    }),
    totals: z.object({
      ...counts,
      weight: z.number().openapi({ description: 'How many visits reports count for them' }),
      samples: z.number().int().openapi({ description: 'Stored visits that stand for several each' }),
    }),
    series: z.array(z.object({ at: z.iso.datetime(), until: z.iso.datetime(), ...counts })),
  }),
  async run(context, parameters) {
    const query = visitQuery(context, parameters);
    const { unit, bars, start } = barsOf(context, query);
    const rows =
      query.from < query.to
        ? await visitCounts(context.warehouse, query, { unit, start }, context.signal)
        : [];
    const byBar = new Map(rows.map((row) => [row.bar, row]));
    const sum = (of: (row: VisitCount) => number) => rows.reduce((total, row) => total + of(row), 0);
    return {
      step: unit,
      since: new Date(query.from).toISOString(),
      until: new Date(query.to).toISOString(),
      kept_since: dateOf(context.plan.keptFromOf(query.filter.classes)),
      totals: {
        ...countsOf({
          hits: sum(({ hits }) => hits),
          verified: sum(({ verified }) => verified),
          unknown: sum(({ unknown }) => unknown),
          spoofed: sum(({ spoofed }) => spoofed),
          tests: sum(({ tests }) => tests),
        }),
        weight: rounded(sum(({ weight }) => weight)),
        samples: sum(({ samples }) => samples),
      },
      series: bars.map(({ number, from, to }) => ({
        at: new Date(from).toISOString(),
        until: new Date(to).toISOString(),
        ...countsOf(byBar.get(number) ?? NONE),
      })),
    };
  },
});

const NONE = { hits: 0, verified: 0, unknown: 0, spoofed: 0, tests: 0 } as const;
const countsOf = ({ hits, verified, unknown, spoofed, tests }: Record<keyof typeof NONE, number>) => ({
  ...{ hits, verified, unknown, spoofed, tests },
  people: hits - verified - unknown - spoofed - tests,
});

interface BarSpan {
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** The bars of a time: days of the property, or minutes and hours from the beginning of its first day on. */
function barsOf(
  { plan }: Pick<ReportContext, 'plan'>,
  { from, to }: VisitQuery,
): { unit: VisitStep; start: number; bars: BarSpan[] } {
  const unit = to - from <= MINUTES_UP_TO ? 'minute' : to - from <= HOURS_UP_TO ? 'hour' : 'day';
  const within = (number: number, begin: number, end: number): BarSpan => ({
    number,
    from: Math.max(begin, from),
    to: Math.min(end, to),
  });
  if (from >= to) return { unit, start: from, bars: [] };
  const firstDay = plan.dayAt(from);
  if (unit === 'day')
    return {
      unit,
      start: from,
      bars: Array.from({ length: plan.dayAt(to - 1) - firstDay + 1 }, (_, index) => {
        const day = firstDay + index;
        return within(day, plan.startOf(day), plan.startOf(day + 1));
      }),
    };
  const step = STEP_MS[unit];
  const midnight = plan.startOf(firstDay);
  const start = midnight + Math.floor((from - midnight) / step) * step;
  return {
    unit,
    start,
    bars: Array.from({ length: Math.ceil((to - start) / step) }, (_, index) =>
      within(index, start + index * step, start + (index + 1) * step),
    ),
  };
}
