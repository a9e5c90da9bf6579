/** The calls of the SDK page: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { type Body, call, get } from '../../api/client.ts';

const STATUS_INTERVAL_MS = 3_000;
const SETTINGS = '/api/v1/properties/{id}/events/settings';

export const sdkApi = {
  changeSettings: (id: string, body: Body<`PATCH ${typeof SETTINGS}`>) =>
    call('PATCH', SETTINGS, { params: { id }, body }),
};

export const sdkQueries = {
  status: (id: string) =>
    queryOptions({
      queryKey: ['events-status', id],
      queryFn: ({ signal }) => get('/api/v1/properties/{id}/events/status', { params: { id }, signal }),
      refetchInterval: STATUS_INTERVAL_MS,
    }),
  settings: (id: string) =>
    queryOptions({
      queryKey: ['events-settings', id],
      queryFn: ({ signal }) => get(SETTINGS, { params: { id }, signal }),
      staleTime: 10_000,
    }),
};
