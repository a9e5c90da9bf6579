/** The calls of the Destinations pages: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { type Body, call, get } from '../../api/client.ts';

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
