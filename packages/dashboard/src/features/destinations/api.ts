/** The calls of the Destinations pages: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { type Body, call, get } from '../../api/client.ts';
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

const HEALTH_INTERVAL_MS = 5_000;

const DESTINATIONS = '/api/v1/properties/{id}/destinations';
const ONE = `${DESTINATIONS}/{destination_id}` as const;

export const destinationsApi = {
  platforms: async (signal?: AbortSignal) => (await get('/api/v1/platforms', { signal })).items,
  list: async (id: string, signal?: AbortSignal) =>
    (await get(DESTINATIONS, { params: { id }, signal })).items,
  connect: (id: string, body: Body<`POST ${typeof DESTINATIONS}`>) =>
    call('POST', DESTINATIONS, { params: { id }, body }),
  change: (id: string, destination: string, body: Body<`PATCH ${typeof ONE}`>) =>
    call('PATCH', ONE, { params: { id, destination_id: destination }, body }),
  remove: (id: string, destination: string) =>
    call('DELETE', ONE, { params: { id, destination_id: destination } }),
  test: (id: string, destination: string, body: Body<`POST ${typeof ONE}/test`>) =>
    call('POST', `${ONE}/test`, { params: { id, destination_id: destination }, body }),
};

export const destinationsQueries = {
  /** What the code of the service knows: it changes with a release alone. */
  platforms: () =>
    queryOptions({
      queryKey: ['platforms'],
      queryFn: ({ signal }) => destinationsApi.platforms(signal),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  list: (id: string) =>
    queryOptions({
      queryKey: ['destinations', id],
      queryFn: ({ signal }) => destinationsApi.list(id, signal),
      refetchInterval: HEALTH_INTERVAL_MS,
    }),
};

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
/** Topic or `custom:<event name>` → the platform's event; null: not forwarded. What is not named follows the default. */
export type EventMapping = Destination['events'];
export type Alarm = NonNullable<Destination['alarm']>;
export type TestOrder = Body<'POST /api/v1/properties/{id}/destinations/{destination_id}/test'>;
