/** The parameters of every report, period and filters, and what is made of them. */
import {
  COMPARISONS,
  type ComparisonKind,
  comparedFrom,
  daysOfPeriod,
  PERIOD_NAMES,
  unitOfName,
} from '@ghostlight/core/periods';
import { z } from '@hono/zod-openapi';
import { type Days, dayOf, narrowing, ServiceError } from '../common/index.ts';
import { type FactsFilter, PATH_KINDS, type Population } from '../warehouse/index.ts';
import type { PeriodDays } from './plan.ts';

const DEFAULT_DAYS = 28;
const MAX_DAYS = 400;
/** How far back a comparison may begin: every row is read for each day from there on. */
const MAX_DAYS_BACK = 800;

const day = z
  .string()
  .max(10)
  .transform((text, context) => {
    const number = dayOf(text);
    if (!Number.isNaN(number)) return number;
    context.addIssue({ code: 'custom', message: 'Give a day such as 2026-11-21.' });
    return z.NEVER;
  })
  .optional();
const path = z.string().max(4096).regex(/^\//, 'A path begins with a slash.').optional();

export const reportParameters = narrowing.extend({
  from: day.openapi({
    type: 'string',
    format: 'date',
    description: 'A day in the property’s time zone, inclusive; default: the 28 days that end with `to`',
  }),
  to: day.openapi({
    type: 'string',
    format: 'date',
    description: 'Inclusive; default: today, in the property’s time zone',
  }),
  period: z.enum(PERIOD_NAMES).optional().openapi({
    description:
      'Instead of `from` and `to`: a period by name, in the property’s time zone. Weeks begin on Monday; one that is running ends today',
  }),
  bot: z.string().max(128).optional().openapi({ description: 'Name, in any letter case' }),
  vendor: z.string().max(128).optional(),
  intent: z.enum(['training', 'search', 'on_demand', 'other']).optional(),
  verified: z.enum(['true', 'false', 'unknown']).optional(),
  include: z.enum(['spoofed']).optional().openapi({
    description: 'Adds spoofed visits to every figure; they are left out otherwise',
  }),
  path: path.openapi({ description: 'Prefix of the path' }),
  page: path.openapi({ description: 'A whole path' }),
  host: z.string().max(253).optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'A country has two letters.')
    .transform((text) => text.toUpperCase())
    .optional(),
  compare: z.enum(COMPARISONS).optional().openapi({
    description:
      'previous: adds the same number of days right before; of a `period` such as this_month, the days at the start of the month before. year: the same days of the year before',
  }),
  compare_from: day.openapi({
    type: 'string',
    format: 'date',
    description: 'Adds as many days from this day on, whatever `compare` says; before the period',
  }),
});
export type ReportParameters = z.infer<typeof reportParameters>;

/** Of lists of paths. */
export const kindParameter = {
  kind: z.enum(PATH_KINDS).default('page').openapi({
    description:
      'page, file: what was answered with 2xx or 304 at least once; all: every requested path. Files are recognised by their path: robots.txt, sitemaps, feeds, images, styles, scripts, documents, `/.well-known/`',
  }),
} as const;

/** Asking for the spoofed ones by name is asking for them. */
export const populationOf = ({
  include,
  verified,
}: Pick<ReportParameters, 'include' | 'verified'>): Population =>
  include === 'spoofed' || verified === 'false' ? 'all' : 'verified_unknown';

/** @throws ServiceError `invalid` */
export function reportDays(
  asked: Pick<ReportParameters, 'from' | 'to' | 'period' | 'compare' | 'compare_from'>,
  days: Pick<Days, 'dayAt'>,
  now: number,
): PeriodDays {
  const today = days.dayAt(now);
  const fault = (pointer: string, message: string) =>
    new ServiceError('invalid', 'The query is invalid.', { errors: [{ pointer, message }] });
  if (asked.period !== undefined && (asked.from !== undefined || asked.to !== undefined))
    throw fault('/period', 'Give either a period or its days, not both.');
  const named = asked.period === undefined ? null : daysOfPeriod(asked.period, today);
  const to = named?.to ?? asked.to ?? today;
  const from = named?.from ?? asked.from ?? to - DEFAULT_DAYS + 1;
  // A visit may be up to a day ahead of our clock.
  if (to > today + 1) throw fault('/to', 'Must be no later than tomorrow.');
  if (from > to || to - from >= MAX_DAYS)
    throw fault('/from', `Must be no later than "to", and at most ${MAX_DAYS} days with it.`);
  const kind: ComparisonKind = asked.compare ?? 'none';
  const unit = asked.period === undefined ? null : unitOfName(asked.period);
  const compareFrom = asked.compare_from ?? (kind === 'none' ? null : comparedFrom({ from, to }, kind, unit));
  if (compareFrom !== null && (compareFrom >= from || from - compareFrom > MAX_DAYS_BACK))
    throw fault('/compare_from', `Must be before "from", by at most ${MAX_DAYS_BACK} days.`);
  return { from, to, compareFrom };
}

export function filterOf({
  bot,
  vendor,
  intent,
  verified,
  path,
  page,
  host,
  country,
}: ReportParameters): FactsFilter {
  const filter = { bot, vendor, intent, verified, path, page, host, country };
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  ) as FactsFilter;
}
