/** The calls of the Destinations pages: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { call, get } from '../../api/client.ts';
import type {
  Destination,
  DestinationChange,
  NewDestination,
  Platform,
  TestOrder,
  TestResult,
} from './types.ts';

const HEALTH_INTERVAL_MS = 5_000;

export const destinationsApi = {
  platforms: async (signal?: AbortSignal) =>
    (await get<{ items: Platform[] }>('/api/v1/platforms', signal)).items,
  list: async (id: string, signal?: AbortSignal) =>
    (await get<{ items: Destination[] }>(path(id), signal)).items,
  connect: (id: string, body: NewDestination) => call<Destination>('POST', path(id), body),
  change: (id: string, destinationId: string, change: DestinationChange) =>
    call<Destination>('PATCH', path(id, destinationId), change),
  remove: (id: string, destinationId: string) => call<unknown>('DELETE', path(id, destinationId)),
  test: (id: string, destinationId: string, order: TestOrder) =>
    call<TestResult>('POST', path(id, destinationId, 'test'), order),
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

function path(id: string, ...rest: readonly string[]): string {
  return [`/api/v1/properties/${encodeURIComponent(id)}/destinations`, ...rest.map(encodeURIComponent)].join(
    '/',
  );
}
