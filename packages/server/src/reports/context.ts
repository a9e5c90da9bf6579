/** What a report is read with, and the beginning of every answer. */
import type { BotLists } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { dateOf } from '../common/index.ts';
import type { Owner, Property } from '../properties/index.ts';
import { POPULATIONS, type ReportQuery, type Warehouse } from '../warehouse/index.ts';
import { moment } from './numbers.ts';
import { NOT_COMPARED, type Plan } from './plan.ts';
import type { Sitemaps } from './sitemaps.ts';

interface Amount {
  readonly currency: string;
  readonly value: string;
}
/** Conversions by the source that they are attributed to; epoch milliseconds, `to` outside. */
export type ReadConversions = (
  owner: Owner,
  period: { readonly from: number; readonly to: number },
) => Promise<{
  readonly rows: readonly {
    readonly key: string;
    readonly conversions: string;
    readonly values: readonly Amount[];
  }[];
  /** Of all sources, decimal text. */
  readonly conversions: string;
  readonly cut: boolean;
}>;

/** Of the published WebMCP manifest; null: there is none. */
export type ReadManifest = (
  property: Property,
) => Promise<{ readonly hosts: readonly string[]; readonly publishedAt: number } | null>;

/** One request of a report: it is the query that the warehouse is asked, with all that is needed to ask it. */
export interface ReportContext extends ReportQuery {
  readonly property: Property;
  readonly warehouse: Warehouse;
  readonly plan: Plan;
  /** First day of what was asked to be compared, whether or not a day of it is over; null: nothing was. */
  readonly compareFrom: number | null;
  /** Figures of the days before are given: there are some, and the property had data on all of them. */
  readonly compare: boolean;
  /** When each bot came to the property first, epoch milliseconds. */
  firsts(): Promise<ReadonlyMap<string, number>>;
  /** All days of which anything is kept and that a report may ask for, for the same property. */
  history(): Promise<ReportContext>;
  /** Everything that is kept until now, whatever period and filters were asked for: what is true of the property, and not of a view of it. */
  everything(): Promise<ReportContext>;
  readonly sitemaps: Pick<Sitemaps, 'state' | 'version' | 'robots'>;
  readonly conversions: ReadConversions;
  readonly manifest: ReadManifest;
  /** The AI product that a conversion's source names (`chatgpt.com`, `ChatGPT`), or null. */
  productOf(source: string): string | null;
  /** The bot list of the moment. */
  botLists(): BotLists;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Aborted when the reader has gone: it ends every statement. */
  readonly signal: AbortSignal;
  /** The same, ended by another signal. */
  until(signal: AbortSignal): ReportContext;
}

/** The period as conversions are asked for: epoch milliseconds, the end outside. */
export const momentsOf = ({ plan: { from, to, startOf } }: Pick<ReportContext, 'plan'>) => ({
  from: startOf(from),
  to: startOf(to + 1),
});

const dates = z.object({ from: z.iso.date(), to: z.iso.date() });
export const envelopeSchema = z.object({
  period: dates.extend({
    days: z.number().int(),
    previous: dates.nullable().openapi({
      description:
        'The days compared with, as many as are compared; null: no comparison. If they can’t be compared (`not_compared`), figures of them are null',
    }),
  }),
  compared_until: z.iso.date().nullable().openapi({
    description:
      'The last day of the period that is compared, with as many days of `period.previous`: a day that is not over is left out. null: nothing is compared',
  }),
  not_compared: z.enum(NOT_COMPARED).nullable().openapi({
    description:
      'Why changes and the figures of the days before are null where a comparison was asked for: `not_over`: no day of the period is over; `no_earlier_data`: those days begin before the day after `data_since`, which is not known whole, or before figures are kept; `over_quota`: the quota was reached on one of the compared days of either period, so the difference would be one of what was dropped',
  }),
  time_zone: z
    .string()
    .openapi({ description: 'IANA name of the property’s time zone, which defines the days of the answer' }),
  time_zone_since: z.iso.date().nullable().openapi({
    description:
      'The first day of this zone; earlier days use the previous time zone, because their raw hits are gone. null: every day uses this one',
  }),
  partial: z.boolean().openapi({ description: 'Some days are read from raw hits and may still grow' }),
  partial_days: z.array(z.iso.date()),
  over_quota_days: z.array(z.iso.date()).openapi({
    description:
      'Days, of the compared ones too, on which the quota was reached: samples (from twice the quota on, all visits) that were dropped are missing in their figures. AI shares leave out what of these days is no longer known',
  }),
  rolled_up_at: z.iso.datetime().nullable(),
  population: z.enum(POPULATIONS).openapi({
    description:
      'Whose visits every figure but `spoofed` counts: verified and unknown ones, or with `include=spoofed` all',
  }),
  data_since: z.iso.date().nullable().openapi({
    description:
      'The first day of the property that has a hit, whatever period and filters say; null: none has',
  }),
  figures_kept_since: z.iso.date().openapi({
    description:
      'The first day whose figures the property still keeps; earlier days are left out of the period, because they are not known to be 0',
  }),
  ignored_parameters: z.array(z.string()).openapi({
    description: 'Names in the query that this report does not have, at most 20; they changed nothing',
  }),
});

export function envelope(
  { plan, population }: Pick<ReportContext, 'plan' | 'population'>,
  ignored: readonly string[],
): z.infer<typeof envelopeSchema> {
  const { from, to, previous, comparedTo, partialDays, countedUntil, dataSince, timeZone, zoneSince } = plan;
  return {
    period: {
      from: dateOf(from),
      to: dateOf(to),
      days: to - from + 1,
      previous: previous !== null ? { from: dateOf(previous.from), to: dateOf(previous.to) } : null,
    },
    time_zone: timeZone,
    time_zone_since: zoneSince,
    compared_until: previous !== null ? dateOf(comparedTo) : null,
    not_compared: plan.notCompared,
    partial: partialDays.length > 0,
    partial_days: [...partialDays],
    over_quota_days: [...plan.overQuota.keys()].map(dateOf),
    rolled_up_at: moment(countedUntil ?? 0),
    population,
    data_since: dataSince,
    figures_kept_since: dateOf(plan.figuresFrom),
    ignored_parameters: [...ignored],
  };
}

/** A sum for each day from the first of both periods on. */
export function everyDay<T extends { readonly day: number }>(
  { from, to, previous }: Plan,
  rows: readonly T[],
  of: (row: T) => number,
): number[] {
  const first = previous?.from ?? from;
  const days = new Array<number>(to - first + 1).fill(0);
  for (const row of rows)
    if (row.day >= first && row.day <= to) days[row.day - first] = (days[row.day - first] ?? 0) + of(row);
  return days;
}

export interface Day {
  readonly day: string;
  readonly partial: boolean;
}

/** Every day of the period, oldest first, with what `of` says of it. */
export function series<T extends object>(plan: Plan, of: (day: number) => T): (Day & T)[] {
  const partial = new Set(plan.partialDays);
  return Array.from({ length: plan.to - plan.from + 1 }, (_, index) => {
    const day = dateOf(plan.from + index);
    return { day, partial: partial.has(day), ...of(plan.from + index) };
  });
}

export const daySchema = z.object({ day: z.iso.date(), partial: z.boolean() });

/** Every day that is compared with one of the period, in their order: the first with the first. null: nothing is, or it is not known. */
export function previousSeries<T extends object>(
  { plan: { previous }, compare }: Pick<ReportContext, 'plan' | 'compare'>,
  of: (day: number) => T,
): ({ day: string } & T)[] | null {
  if (!compare || previous === null) return null;
  return Array.from({ length: previous.to - previous.from + 1 }, (_, index) => ({
    day: dateOf(previous.from + index),
    ...of(previous.from + index),
  }));
}

export const previousSeriesOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .array(z.object({ day: z.iso.date(), ...shape }))
    .nullable()
    .openapi({
      description:
        'The days that are compared, from `period.previous.from` on: the first belongs to the first day of `series`; a longer month has more of them. null: nothing is compared (`not_compared`)',
    });
