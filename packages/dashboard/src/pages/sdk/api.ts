/** The calls of the SDK page: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { call, get } from '../../api/client.ts';
import type { EventSettings, EventsStatus } from './types.ts';

const STATUS_INTERVAL_MS = 3_000;

export const sdkApi = {
  changeSettings: (id: string, change: Partial<EventSettings>) =>
    call<EventSettings>('PATCH', path(id, 'settings'), change),
};

export const sdkQueries = {
  status: (id: string) =>
    queryOptions({
      queryKey: ['events-status', id],
      queryFn: ({ signal }) => get<EventsStatus>(path(id, 'status'), signal),
      refetchInterval: STATUS_INTERVAL_MS,
    }),
  settings: (id: string) =>
    queryOptions({
      queryKey: ['events-settings', id],
      queryFn: ({ signal }) => get<EventSettings>(path(id, 'settings'), signal),
      staleTime: 10_000,
    }),
};

function path(id: string, what: 'status' | 'settings'): string {
  return `/api/v1/properties/${encodeURIComponent(id)}/events/${what}`;
}
