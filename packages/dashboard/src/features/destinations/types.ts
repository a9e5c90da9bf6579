/** What the management API answers about platforms and destinations. Times are ISO 8601. */
import type { Topic } from '@ghostlight/core/conversion';

/** The part of JSON Schema that the platforms' settings are described with. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  /** Entered whole, and shown in part. */
  readonly writeOnly?: boolean;
  /** Ours: a key file, say, whose lines a field of one line would drop. */
  readonly multiline?: boolean;
  /** Ours: a secret of Standard Webhooks, which both sides are told: this page may make one up. */
  readonly generate?: 'whsec';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** `dedup`: sent again when in doubt, kept once there. `at_most_once`: what is in doubt is shown as unknown. */
export type Guarantee = 'dedup' | 'at_most_once';

export type TopicDefault =
  | { readonly kind: 'name'; readonly name: string }
  /** Account-specific: nothing is sent before somebody chooses. */
  | { readonly kind: 'needs_mapping' }
  /** The platform has no such thing. */
  | { readonly kind: 'unsupported' };

export interface EventRules {
  /** What the text of a mapping is: `Event name`, `Conversion action ID`. */
  readonly label: string;
  /** A regular expression for the whole text. */
  readonly pattern: string;
  readonly example: string;
  readonly choices: readonly string[];
  readonly defaults: Readonly<Record<Topic, TopicDefault>>;
}

export interface Platform {
  readonly platform: string;
  readonly title: string;
  readonly summary: string;
  readonly documentation: string;
  readonly consent: 'advertising' | 'analytics' | 'configurable';
  readonly guarantees: Readonly<Record<Topic, Guarantee>>;
  readonly max_batch: number;
  readonly max_age_days: number | null;
  readonly config_schema: JsonSchema;
  readonly credentials_schema: JsonSchema;
  readonly events: EventRules;
  readonly test: { readonly kind: 'validate' | 'code' | 'none'; readonly explanation: string };
  /** Personal data that leaves as it is, by the platform's name of the field. */
  readonly plain_fields: readonly string[];
}

/** Topic or `custom:<event name>` → the platform's event; null: not forwarded. What is not named follows the default. */
export type EventMapping = Readonly<Record<string, string | null>>;

export interface Alarm {
  readonly kind: 'auth' | 'config';
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

export interface Health {
  readonly waiting: number;
  readonly oldest_waiting_at: string | null;
  readonly delivered_24h: number;
  readonly skipped_24h: number;
  readonly dead_24h: number;
  readonly unknown_24h: number;
  readonly last_delivered_at: string | null;
  /** The platform asked for it, or requests failed one after the other: nothing leaves before. */
  readonly not_before: string | null;
  readonly failures: number;
}

export interface Destination {
  readonly id: string;
  readonly platform: string;
  readonly name: string;
  readonly state: 'active' | 'paused' | 'alarm';
  readonly alarm: Alarm | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** Which are set; never what they are. */
  readonly credentials: { readonly set: readonly string[]; readonly changed_at: string };
  readonly events: EventMapping;
  readonly created_at: string;
  readonly updated_at: string;
  readonly health: Health;
}

export interface NewDestination {
  readonly platform: string;
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, string>>;
}

/** Members of `credentials` that are given replace, null removes one; the others stay. */
export interface DestinationChange {
  readonly name?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, string | null>>;
  readonly events?: EventMapping;
  readonly paused?: boolean;
  readonly clear_alarm?: true;
}

/** Masked: secrets and personal data are gone. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ShownResponse {
  readonly status: number;
  readonly body: string;
}

export interface TestOrder {
  readonly topic: Topic;
  readonly code?: string;
  /** Of a platform without a test mode: a real event, which counts there. */
  readonly live?: true;
}

export interface TestResult {
  readonly mode: 'validate' | 'code' | 'shown' | 'live';
  readonly sent: boolean;
  readonly event_name: string | null;
  readonly skip: { readonly reason: string; readonly message: string } | null;
  readonly request: ShownRequest | null;
  readonly response: ShownResponse | null;
  readonly verdict: {
    readonly kind: string;
    readonly code: string | null;
    readonly message: string | null;
  } | null;
  /** What to look at in the platform. */
  readonly explanation: string;
  readonly notes: readonly string[];
}
