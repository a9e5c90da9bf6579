/** The calls of the Alerts page: apart from the others, so that the first view does not carry them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, get } from '../../api/client.ts';
import type {
  AlertPage,
  AlertRules,
  ChannelChange,
  Channels,
  MadeChannel,
  NewChannel,
  RulesChange,
  TestResult,
} from './types.ts';

const OPEN_INTERVAL_MS = 30_000;
const MAX_OPEN = 200;
const PAGE = 25;
/** Pages of what is over that are kept on the screen. */
const MAX_PAGES = 40;
/** A session's POST without a JSON body is refused: a form of another site could make one. */
const NOTHING = {};

export const alertsApi = {
  rules: (id: string, signal?: AbortSignal) => get<AlertRules>(path(id, 'rules'), signal),
  changeRules: (id: string, change: RulesChange) => call<AlertRules>('PUT', path(id, 'rules'), change),
  channels: (id: string, signal?: AbortSignal) => get<Channels>(path(id, 'channels'), signal),
  addChannel: (id: string, body: NewChannel) => call<MadeChannel>('POST', path(id, 'channels'), body),
  changeChannel: (id: string, channel: string, change: ChannelChange) =>
    call<MadeChannel>('PATCH', path(id, 'channels', channel), change),
  removeChannel: (id: string, channel: string) => call<unknown>('DELETE', path(id, 'channels', channel)),
  testChannel: (id: string, channel: string) =>
    call<TestResult>('POST', path(id, 'channels', channel, 'test'), NOTHING),
};

export const alertsQueries = {
  open: (id: string) =>
    queryOptions({
      queryKey: ['alerts', id, 'open'],
      queryFn: ({ signal }) => get<AlertPage>(`${path(id)}?state=open&limit=${MAX_OPEN}`, signal),
      refetchInterval: OPEN_INTERVAL_MS,
    }),
  over: (id: string) =>
    infiniteQueryOptions({
      queryKey: ['alerts', id, 'over'],
      queryFn: ({ pageParam, signal }) =>
        get<AlertPage>(
          `${path(id)}?state=resolved&limit=${PAGE}${pageParam === '' ? '' : `&after=${encodeURIComponent(pageParam)}`}`,
          signal,
        ),
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

function path(id: string, ...rest: readonly string[]): string {
  return [`/api/v1/properties/${encodeURIComponent(id)}/alerts`, ...rest.map(encodeURIComponent)].join('/');
}
