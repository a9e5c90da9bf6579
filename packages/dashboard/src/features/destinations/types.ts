/** Names of what the service answers, each taken from its OpenAPI document, and the schema that a form is made of. */
import type { Body } from '../../api/client.ts';
import type { Destination, Platform } from '../../api/schema.gen.ts';

export type {
  Destination,
  DestinationChanges as DestinationChange,
  DestinationTestAnswer as TestResult,
  MaskedRequest as ShownRequest,
  MaskedResponse as ShownResponse,
  NewDestination,
  Platform,
} from '../../api/schema.gen.ts';

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
export type Guarantee = Platform['guarantees']['purchase'];
export type EventRules = Platform['events'];
export type TopicDefault = EventRules['defaults']['purchase'];
/** Topic or `custom:<event name>` → the platform's event; null: not forwarded. What is not named follows the default. */
export type EventMapping = Destination['events'];
export type Alarm = NonNullable<Destination['alarm']>;
export type Health = Destination['health'];
export type TestOrder = Body<'POST /api/v1/properties/{id}/destinations/{destination_id}/test'>;
