/** The calls of the Destinations pages. In a file of their own, so that the first view does not load them. */
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
  /** Part of the service's code: it changes only with a release. */
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

/** The part of JSON Schema that describes the platforms' settings. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  /** Entered in full, shown shortened. */
  readonly writeOnly?: boolean;
  /** Our own keyword: text with several lines, such as a key file. */
  readonly multiline?: boolean;
  /** Our own keyword: a Standard Webhooks secret, which this page can generate. */
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

/** `dedup`: sent again when the outcome is unknown; the platform keeps one. `at_most_once`: an unknown outcome stays unknown. */
export type Guarantee = Platform['guarantees']['purchase'];
export type EventRules = Platform['events'];
/** Topic or `custom:<event name>` → the platform's event; null: not forwarded. A topic that is absent follows the default. */
export type EventMapping = Destination['events'];
export type Alarm = NonNullable<Destination['alarm']>;
export type TestOrder = Body<'POST /api/v1/properties/{id}/destinations/{destination_id}/test'>;
