/** The hours of short periods: which of them a report has, and those of the days compared with. Daily rows have no hours, so raw hits are read. */
import { MOST_DAYS_OF_HOURS } from '@ghostlight/core/periods';
import { HOUR_MS } from '@ghostlight/core/time';
import { z } from '@hono/zod-openapi';
import { dateOf } from '../common/index.ts';
import type { ReportContext } from './context.ts';
import { areWhole } from './plan.ts';

export const hourShape = { at: z.iso.datetime(), until: z.iso.datetime() };
export const partialHour = z.boolean().openapi({ description: 'The hour is not over' });

/** The members around the hours. @param hour of the period @param before of the days compared with */
export const hoursShape = <Hour extends z.ZodType, Before extends z.ZodType>(hour: Hour, before: Before) =>
  ({
    state: z.enum(['ok', 'too_long', 'not_kept']).openapi({
      description: `too_long: the period has more than ${MOST_DAYS_OF_HOURS} days. not_kept: it begins before \`kept_since\``,
    }),
    kept_since: z.iso.date().openapi({
      description: 'The first day whose visits are kept one by one; older days have daily figures only',
    }),
    series: z.array(hour).nullable().openapi({
      description: 'Hours of the period that have begun, from the first moment of its first day on',
    }),
    compared: z
      .object({ from: z.iso.date(), to: z.iso.date() })
      .nullable()
      .openapi({ description: 'The days of `previous_series`; today is compared with whole days' }),
    previous_series: z.array(before).nullable().openapi({
      description:
        'The hours of the days compared with, all of them: the first belongs to the first hour of `series`. null: nothing is compared, or not all of it is known, as on days on which the quota was reached',
    }),
  }) as const;

/** An hour of a period, counted from the first moment of its first day. */
interface HourSpan {
  readonly hour: number;
  readonly at: string;
  readonly until: string;
}

/**
 * The hours of a period.
 * @param classes whose visits are counted: how long they are kept says which hours are known
 * @param read counts the hours; its context reads nothing but raw hits
 */
export async function readHours<
  Row extends { readonly hour: number; readonly is_before: 0 | 1 },
  Hour,
  Before,
>(
  context: ReportContext,
  classes: Parameters<ReportContext['plan']['keptFromOf']>[0],
  {
    read,
    viewOf,
  }: {
    readonly read: (context: ReportContext) => Promise<readonly Row[]>;
    /** What is said of an hour. @param all rows of both periods */
    readonly viewOf: (all: readonly Row[]) => {
      readonly hour: (rows: readonly Row[]) => Hour;
      readonly before: (rows: readonly Row[]) => Before;
    };
  },
) {
  const { plan, now, compareFrom } = context;
  const { from, to, startOf } = plan;
  const keptFrom = plan.keptFromOf(classes);
  const nothing = { kept_since: dateOf(keptFrom), series: null, compared: null, previous_series: null };
  if (to - from >= MOST_DAYS_OF_HOURS) return { ...nothing, state: 'too_long' as const };
  if (from < keptFrom) return { ...nothing, state: 'not_kept' as const };
  const first = isKnown(context, keptFrom) ? compareFrom : null;
  const days = [first, from].flatMap((start) =>
    start === null ? [] : Array.from({ length: to - from + 1 }, (_, index) => start + index),
  );
  const rows = await read({
    ...context,
    plan: {
      ...plan,
      ...{ previous: first === null ? null : { from: first, to: first + to - from } },
      ...{ comparedTo: to, isComparable: first !== null },
      ...{ runs: [], hasLists: true, rawDays: [...new Set(days)].sort((a, b) => a - b) },
    },
  });
  const { hour, before } = viewOf(rows);
  const byHour = Map.groupBy(rows, (row) => `${row.is_before} ${row.hour}`);
  const rowsOf = (isBefore: 0 | 1, { hour: number }: HourSpan) => byHour.get(`${isBefore} ${number}`) ?? [];
  const spans = (day: number, end: number): HourSpan[] => {
    const start = startOf(day);
    return Array.from({ length: Math.max(0, Math.ceil((end - start) / HOUR_MS)) }, (_, index) => {
      const at = start + index * HOUR_MS;
      return { hour: index, at: new Date(at).toISOString(), until: new Date(at + HOUR_MS).toISOString() };
    });
  };
  return {
    state: 'ok' as const,
    kept_since: dateOf(keptFrom),
    series: spans(from, Math.min(now, startOf(to + 1))).map((span) => ({
      ...{ at: span.at, until: span.until },
      partial: Date.parse(span.until) > now,
      ...hour(rowsOf(0, span)),
    })),
    compared: first === null ? null : { from: dateOf(first), to: dateOf(first + to - from) },
    previous_series:
      first === null
        ? null
        : spans(first, startOf(first + to - from + 1)).map((span) => ({
            ...{ at: span.at, until: span.until },
            ...before(rowsOf(1, span)),
          })),
  };
}

/** The days compared with are kept one by one, the property had data before them, and no visits of either were dropped. */
function isKnown({ compareFrom, plan }: ReportContext, keptFrom: number): boolean {
  const { dataSince, from, to } = plan;
  if (compareFrom === null || dataSince === null) return false;
  const isKept = compareFrom >= keptFrom && dateOf(compareFrom) > dataSince;
  return (
    isKept &&
    compareFrom + to - from < from &&
    [from, compareFrom].every((first) => areWhole(plan, first, to - from + 1))
  );
}
