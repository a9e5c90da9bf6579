/** The calls of the Destinations pages: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
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
  platforms: async () => (await call<{ items: Platform[] }>('GET', '/api/v1/platforms')).items,
  list: async (id: string) => (await call<{ items: Destination[] }>('GET', path(id))).items,
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
      queryFn: destinationsApi.platforms,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  list: (id: string) =>
    queryOptions({
      queryKey: ['destinations', id],
      queryFn: () => destinationsApi.list(id),
      refetchInterval: HEALTH_INTERVAL_MS,
    }),
};

function path(id: string, ...rest: readonly string[]): string {
  return [`/api/v1/properties/${encodeURIComponent(id)}/destinations`, ...rest.map(encodeURIComponent)].join(
    '/',
  );
}
