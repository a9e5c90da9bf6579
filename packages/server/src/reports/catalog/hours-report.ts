/** A week at most, hour by hour: read from raw hits, since daily rows have no hours. */
import { HOUR_MS } from '@ghostlight/core/time';
import { z } from '@hono/zod-openapi';
import { dateOf, sum } from '../../common/index.ts';
import { botHours, type HourCount } from '../../warehouse/index.ts';
import { type Counted, countsBy, countsView } from '../bot-figures.ts';
import type { ReportContext } from '../context.ts';
import { estimatedSchema, estimatesSchema } from '../estimates.ts';
import { intentsShape } from '../figures.ts';
import { roundedAll } from '../numbers.ts';
import { areWhole } from '../plan.ts';
import { defineAnswer } from '../report.ts';

const MOST_DAYS = 7;

/** How visits were answered, beside `failures`, which are both kinds of errors. */
const ANSWERS = ['redirects', 'client_errors', 'server_errors'] as const;
const answersShape = {
  failures: z.number(),
  redirects: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
};
const hourShape = { at: z.iso.datetime(), until: z.iso.datetime() };
const answerSchema = z.object({
  state: z.enum(['ok', 'too_long', 'not_kept']).openapi({
    description: `too_long: the period has more than ${MOST_DAYS} days. not_kept: it begins before \`kept_since\``,
  }),
  kept_since: z.iso.date().openapi({
    description: 'The first day whose visits are kept one by one; older days have daily figures only',
  }),
  series: z
    .array(
      z.object({
        ...hourShape,
        partial: z.boolean().openapi({ description: 'The hour is not over' }),
        ...{ hits: z.number(), ...intentsShape, ...answersShape },
        ...{ verified: z.number(), spoofed: z.number(), unknown: z.number() },
        estimated: estimatedSchema,
        estimates: estimatesSchema,
      }),
    )
    .nullable()
    .openapi({
      description: 'Hours of the period that have begun, from the first moment of its first day on',
    }),
  compared: z
    .object({ from: z.iso.date(), to: z.iso.date() })
    .nullable()
    .openapi({ description: 'The days of `previous_series`; today is compared with whole days' }),
  previous_series: z
    .array(z.object({ ...hourShape, hits: z.number(), ...intentsShape, ...answersShape }))
    .nullable()
    .openapi({
      description:
        'The hours of the days compared with, all of them: the first belongs to the first hour of `series`. null: nothing is compared, or not all of it is known, as on days on which the quota was reached',
    }),
});
type Answer = z.infer<typeof answerSchema>;

export const hours = defineAnswer({
  name: 'hours',
  path: 'hours',
  summary: `Visits of AI bots by hour, of at most ${MOST_DAYS} days`,
  schema: 'Hours',
  answer: answerSchema,
  run: read,
});

async function read(context: ReportContext): Promise<Answer> {
  const { plan, warehouse, signal, now, compareFrom } = context;
  const { from, to, startOf } = plan;
  const keptFrom = keptOf(context);
  const nothing = { kept_since: dateOf(keptFrom), series: null, compared: null, previous_series: null };
  if (to - from >= MOST_DAYS) return { ...nothing, state: 'too_long' };
  if (from < keptFrom) return { ...nothing, state: 'not_kept' };
  const before = isKnown(context) ? compareFrom : null;
  const days = [before, from].flatMap((first) =>
    first === null ? [] : Array.from({ length: to - from + 1 }, (_, index) => first + index),
  );
  const rows = await botHours(
    warehouse,
    {
      ...context,
      plan: {
        ...plan,
        ...{ previous: before === null ? null : { from: before, to: before + to - from } },
        ...{ comparedTo: to, isComparable: before !== null },
        ...{ runs: [], hasLists: true, rawDays: [...new Set(days)].sort((a, b) => a - b) },
      },
    },
    signal,
  );
  const spans = (first: number, end: number) => {
    const start = startOf(first);
    return Array.from({ length: Math.max(0, Math.ceil((end - start) / HOUR_MS)) }, (_, hour) => ({
      hour,
      at: start + hour * HOUR_MS,
    }));
  };
  const span = (at: number) => ({
    at: new Date(at).toISOString(),
    until: new Date(at + HOUR_MS).toISOString(),
  });
  const of = (isBefore: 0 | 1) => {
    const half = rows.filter((row) => row.is_before === isBefore);
    const counts = countsBy(context.population, half, ({ hour }) => hour);
    const counted = half.filter(({ verified }) => verified !== false || context.population === 'all');
    return (at: number) => ({
      ...counts(at),
      answers: answersOf(counted.filter(({ hour }) => hour === at)),
    });
  };
  const [ofNow, ofBefore] = [of(0), of(1)];
  return {
    state: 'ok',
    kept_since: dateOf(keptFrom),
    series: spans(from, Math.min(now, startOf(to + 1))).map(({ hour, at }) => ({
      ...span(at),
      partial: at + HOUR_MS > now,
      ...hourView(ofNow(hour)),
    })),
    compared: before === null ? null : { from: dateOf(before), to: dateOf(before + to - from) },
    previous_series:
      before === null
        ? null
        : spans(before, startOf(before + to - from + 1)).map(({ hour, at }) => ({
            ...span(at),
            ...previousOf(ofBefore(hour)),
          })),
  };
}

/** The first day whose visits of AI bots are kept one by one. */
const keptOf = ({ plan }: Pick<ReportContext, 'plan'>): number => plan.keptFromOf(['ai_bot']);

/** The days compared with are kept one by one, the property had data before them, and no visits of either were dropped. */
function isKnown(context: ReportContext): boolean {
  const { compareFrom, plan } = context;
  const { dataSince, from, to } = plan;
  if (compareFrom === null || dataSince === null) return false;
  const isKept = compareFrom >= keptOf(context) && dateOf(compareFrom) > dataSince;
  return (
    isKept &&
    compareFrom + to - from < from &&
    [from, compareFrom].every((first) => areWhole(plan, first, to - from + 1))
  );
}

type Answers = Readonly<Record<(typeof ANSWERS)[number] | 'failures', number>>;

function answersOf(rows: readonly HourCount[]): Answers {
  const [redirects, client, server] = ANSWERS.map((name) => sum(rows, (row) => row[name])) as [
    number,
    number,
    number,
  ];
  return roundedAll({ failures: client + server, redirects, client_errors: client, server_errors: server });
}

interface CountedHour extends Counted {
  readonly answers: Answers;
}

const hourView = ({ answers, ...counted }: CountedHour) => ({ ...countsView(counted), ...answers });

const previousOf = ({ counts: { hits, training, search, on_demand, other }, answers }: CountedHour) => ({
  ...roundedAll({ hits, training, search, on_demand, other }),
  ...answers,
});
