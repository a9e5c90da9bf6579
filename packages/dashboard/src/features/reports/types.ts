/** What the reports answer. Days are the property's; estimates may be fractions. */
import type { Verdict } from '../visits/verdict.ts';

export const INTENTS = ['training', 'search', 'on_demand', 'other'] as const;
export type Intent = (typeof INTENTS)[number];

/** Whose visits the figures count; `spoofed` is a figure of its own. */
export type Population = 'verified_unknown' | 'all';

/** First members of every answer. */
export interface Envelope {
  readonly period: {
    readonly from: string;
    readonly to: string;
    readonly days: number;
    readonly previous: { readonly from: string; readonly to: string } | null;
  };
  /** IANA name: whose days these are. */
  readonly time_zone: string;
  /** The first day of that zone; days before are of the zone of then. null: every day is of it. */
  readonly time_zone_since: string | null;
  /** The last day that is compared; null: nothing is. */
  readonly compared_until: string | null;
  readonly partial: boolean;
  /** Days that may still grow: today, and days with late arrivals. */
  readonly partial_days: readonly string[];
  readonly rolled_up_at: string | null;
  readonly population: Population;
  /** First day with any hit of the property; null: there is none yet. Absent from services before it was known. */
  readonly data_since?: string | null;
}

export interface Paged<Item> extends Envelope {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page_number: number;
  readonly limit: number;
}

/** What of an item’s other figures stands on samples, by name, nested ones with a dot; `estimated` says it of the one that it is about. */
export type Estimates = Readonly<Record<string, number>>;

export interface Figures extends Record<Verdict, number> {
  /** Exact and estimated together. */
  readonly hits: number;
  /** The part that stands on samples. */
  readonly estimated: number;
  readonly bytes: number;
  readonly ok: number;
  readonly redirects: number;
  readonly client_errors: number;
  readonly server_errors: number;
  readonly estimates: Estimates;
  readonly first_seen: string | null;
  readonly last_seen: string | null;
}

export interface Changed {
  /** Part of the previous figure; null where there is none to compare with, or too small a one. */
  readonly change: number | null;
  /** More than such days do by chance; null: nothing can be said. */
  readonly change_stands_out: boolean | null;
}

export interface Compared<Previous> extends Changed {
  readonly previous: Previous | null;
}

export interface Day {
  readonly day: string;
  readonly partial: boolean;
}

export type DayOfBots = Day & {
  readonly hits: number;
  readonly estimated: number;
  readonly estimates: Estimates;
} & Record<Intent, number> &
  Record<Verdict, number>;

export interface IntentTotal extends Changed {
  readonly intent: Intent;
  readonly hits: number;
  readonly estimated: number;
  readonly previous: { readonly hits: number } | null;
}

/** What to mend first, and why. */
export interface FixFirst {
  readonly host: string;
  readonly path: string;
  readonly score: number;
  readonly failures: number;
  readonly hits: number;
  readonly on_demand: number;
  readonly estimated: number;
  readonly estimates: Estimates;
  readonly status: number;
  readonly bots: number;
  readonly reason:
    | 'people_are_waiting'
    | 'server_errors'
    | 'search_loses_it'
    | 'always_fails'
    | 'crawlers_waste_visits';
  /** A sentence to show as it stands. */
  readonly text: string;
}
