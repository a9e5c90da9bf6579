/** What the management API answers about the events of a property's pages. Times are ISO 8601. */

export interface EventOrigin {
  /** Host; empty for requests that name no origin. */
  readonly origin: string;
  /** Outside the property's domain and what it allows besides. */
  readonly foreign: boolean;
  readonly accepted: number;
  readonly refused: number;
  readonly last_at: string;
}

export interface EventsStatus {
  readonly first_event_at: string | null;
  readonly last_event_at: string | null;
  /** Newest first. */
  readonly origins: readonly EventOrigin[];
}

export interface EventSettings {
  /** Hosts beside the property's domain and what lies below it. */
  readonly allowed_origins: readonly string[];
  readonly refuse_foreign_origins: boolean;
}
