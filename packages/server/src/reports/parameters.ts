/** The parameters of every report, period and filters, and what is made of them. */
import { z } from '@hono/zod-openapi';
import {
  comparedWith,
  compareFromOf,
  type Days,
  dayParameter,
  daysOfNamed,
  namedPeriod,
  narrowing,
  ServiceError,
} from '../common/index.ts';
import { type FactsFilter, PATH_KINDS, type Population } from '../warehouse/index.ts';
import type { PeriodDays } from './plan.ts';

const DEFAULT_DAYS = 28;
const MAX_DAYS = 400;

const path = z.string().max(4096).regex(/^\//, 'A path begins with a slash.').optional();

export const reportParameters = narrowing.extend({
  from: dayParameter.openapi({
    type: 'string',
    format: 'date',
    description: 'A day in the property’s time zone, inclusive; default: the 28 days that end with `to`',
  }),
  to: dayParameter.openapi({
    type: 'string',
    format: 'date',
    description: 'Inclusive; default: today, in the property’s time zone',
  }),
  ...namedPeriod.shape,
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
  ...comparedWith.shape,
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
  const named = daysOfNamed(asked, today);
  const to = named?.to ?? asked.to ?? today;
  const from = named?.from ?? asked.from ?? to - DEFAULT_DAYS + 1;
  // A visit may be up to a day ahead of our clock.
  if (to > today + 1) throw fault('/to', 'Must be no later than tomorrow.');
  if (from > to || to - from >= MAX_DAYS)
    throw fault('/from', `Must be no later than "to", and at most ${MAX_DAYS} days with it.`);
  return { from, to, compareFrom: compareFromOf(asked, { from, to }, named?.unit ?? null) };
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
