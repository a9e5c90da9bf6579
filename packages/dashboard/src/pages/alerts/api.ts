/** The calls of the Alerts page: apart from the others, so that the first view does not carry them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Body, call, get } from '../../api/client.ts';

const OPEN_INTERVAL_MS = 30_000;
const MAX_OPEN = 200;
const PAGE = 25;
/** Pages of what is over that are kept on the screen. */
const MAX_PAGES = 40;

const ALERTS = '/api/v1/properties/{id}/alerts';
const CHANNELS = `${ALERTS}/channels` as const;

export const alertsApi = {
  rules: (id: string, signal?: AbortSignal) => get(`${ALERTS}/rules`, { params: { id }, signal }),
  changeRules: (id: string, body: Body<`PUT ${typeof ALERTS}/rules`>) =>
    call('PUT', `${ALERTS}/rules`, { params: { id }, body }),
  channels: (id: string, signal?: AbortSignal) => get(CHANNELS, { params: { id }, signal }),
  addChannel: (id: string, body: Body<`POST ${typeof CHANNELS}`>) =>
    call('POST', CHANNELS, { params: { id }, body }),
  changeChannel: (id: string, channel: string, body: Body<`PATCH ${typeof CHANNELS}/{channel}`>) =>
    call('PATCH', `${CHANNELS}/{channel}`, { params: { id, channel }, body }),
  removeChannel: (id: string, channel: string) =>
    call('DELETE', `${CHANNELS}/{channel}`, { params: { id, channel } }),
  testChannel: (id: string, channel: string) =>
    call('POST', `${CHANNELS}/{channel}/test`, { params: { id, channel } }),
};

export const alertsQueries = {
  open: (id: string) =>
    queryOptions({
      queryKey: ['alerts', id, 'open'],
      queryFn: ({ signal }) =>
        get(ALERTS, { params: { id }, query: { state: 'open', limit: MAX_OPEN }, signal }),
      refetchInterval: OPEN_INTERVAL_MS,
    }),
  over: (id: string) =>
    infiniteQueryOptions({
      queryKey: ['alerts', id, 'over'],
      queryFn: ({ pageParam, signal }) =>
        get(ALERTS, {
          params: { id },
          query: { state: 'resolved', limit: PAGE, after: pageParam === '' ? undefined : pageParam },
          signal,
        }),
      initialPageParam: '',
      getNextPageParam: ({ next }, pages) => (pages.length < MAX_PAGES ? next : null),
    }),
  rules: (id: string) =>
    queryOptions({
      queryKey: ['alert-rules', id],
      queryFn: ({ signal }) => alertsApi.rules(id, signal),
      staleTime: 10_000,
    }),
  channels: (id: string) =>
    queryOptions({
      queryKey: ['alert-channels', id],
      queryFn: ({ signal }) => alertsApi.channels(id, signal),
      staleTime: 10_000,
    }),
};
