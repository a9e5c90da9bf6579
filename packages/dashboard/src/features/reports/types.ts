/** Names of what the reports answer, each taken from the OpenAPI document. Days are the property's; estimates may be fractions. */
import type { ReportAnswer } from './api.ts';

type Overview = ReportAnswer<'overview'>;

export const INTENTS = ['training', 'search', 'on_demand', 'other'] as const;
export type Intent = (typeof INTENTS)[number];

/** Whose visits the figures count; `spoofed` is a figure of its own. */
export type Population = Envelope['population'];

/** First members of every answer. */
export type Envelope = Pick<
  Overview,
  | 'period'
  | 'time_zone'
  | 'time_zone_since'
  | 'compared_until'
  | 'partial'
  | 'partial_days'
  | 'rolled_up_at'
  | 'population'
  | 'data_since'
>;

/** A page of a list. */
export interface Paged<Item> extends Envelope {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page_number: number;
  readonly limit: number;
}

/** What of an item’s other figures stands on samples, by name, nested ones with a dot; `estimated` says it of the one that it is about. */
export type Estimates = Readonly<Record<string, number>>;

/** A figure of today is more or less than such days do by chance. */
export type Changed = Pick<Overview['ai_bots'], 'change' | 'change_stands_out'>;
export type Day = Pick<Overview['series'][number], 'day' | 'partial'>;
export type DayOfBots = Omit<Overview['series'][number], 'referrals'>;
export type IntentTotal = Overview['by_intent'][number];
/** What to mend first, and why. */
export type FixFirst = Overview['failures']['fix_first'][number];
