/** The tables of visitors, sessions and touches. A visitor's rows belong to the property that saw them: ids are the browser's own. */

/** What a property says about events of its pages; no row: the defaults. */
interface EventSettingsTable {
  attribution_id: string;
  organization_id: string;
  /** 1: events of pages outside the property's domain are refused, not just counted. */
  refuse_foreign_origins: number;
  /** JSON array of hosts beside the property's domain and what lies below it. */
  allowed_origins: string;
  updated_at: number;
}

interface VisitorsTable {
  attribution_id: string;
  visitor_id: string;
  organization_id: string;
  first_seen: number;
  last_seen: number;
}

interface SessionsTable {
  attribution_id: string;
  visitor_id: string;
  id: string;
  organization_id: string;
  started_at: number;
  last_at: number;
  /** Time of the page that the landing members tell of: the earliest one known. */
  landing_at: number;
  landing_host: string;
  landing_path: string;
  referrer_host: string;
  pages: number;
  events: number;
}

interface TouchesTable {
  /** Follows from property, visitor, session and what the arrival carried: the same touch reported twice is one. */
  id: string;
  attribution_id: string;
  visitor_id: string;
  organization_id: string;
  session_id: string;
  at: number;
  /** 1: by a click id or a paid medium. */
  paid: number;
  channel: string;
  /** JSON of core's `Touch`. */
  body: string;
  /** JSON of the consent that the page sent with it, or null. */
  consent: string | null;
  /** Address and user agent, encrypted for `touch:<id>`; null without consent to advertising, and after 30 days. */
  client: string | null;
  /** Where silence is no consent: the country (ISO alpha-2, or `EU`) of the browser's time zone; null elsewhere, and if it is unknown. */
  region: string | null;
}

/** Event ids of the last days, for repetitions over all nodes. */
interface SeenEventsTable {
  attribution_id: string;
  event_id: string;
  organization_id: string;
  /** Which acceptance of the event was the first one: a batch that is recorded again after a crash knows its own by it. */
  receipt: string;
  at: number;
}

/** When a property's events came. */
interface EventArrivalsTable {
  attribution_id: string;
  organization_id: string;
  first_at: number;
  last_at: number;
}

/** Which hosts a property's events came from; the newest 20 each. */
interface EventOriginsTable {
  attribution_id: string;
  /** Host, or the empty string for requests without an origin. */
  origin: string;
  organization_id: string;
  /** 1: outside the property's domain and its list. */
  is_foreign: number;
  accepted: number;
  refused: number;
  first_at: number;
  last_at: number;
}

/** Visitors that were erased: what of them is still on its way through the spools must not be stored any more. */
interface ErasedVisitorsTable {
  attribution_id: string;
  visitor_id: string;
  organization_id: string;
  /** What was received up to here is erased. */
  at: number;
  /** 1: the warehouse has been swept after all earlier rows can have been inserted. 2: a restore has brought back what was erased. */
  swept: number;
}

export interface SessionTables {
  event_settings: EventSettingsTable;
  visitors: VisitorsTable;
  sessions: SessionsTable;
  touches: TouchesTable;
  seen_events: SeenEventsTable;
  event_arrivals: EventArrivalsTable;
  event_origins: EventOriginsTable;
  erased_visitors: ErasedVisitorsTable;
}
