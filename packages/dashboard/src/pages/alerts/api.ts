/** The calls of the Alerts page. In a file of their own, so that the first view does not load them. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Body, call, get } from '../../api/client.ts';
import type {
  Alert,
  AlertChannel,
  AlertRuleHistory,
  AlertRules,
  MadeAlertChannel,
} from '../../api/schema.gen.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';

export type {
  Alert,
  AlertChannel as Channel,
  AlertRules,
  AlertTrial as TestResult,
  MadeAlertChannel as MadeChannel,
} from '../../api/schema.gen.ts';

const OPEN_INTERVAL_MS = 30_000;
const MAX_OPEN = 200;
const PAGE = 25;
/** The most pages of resolved alerts on the screen. */
const MAX_PAGES = 40;

const ALERTS = '/api/v1/properties/{id}/alerts';
const CHANNELS = `${ALERTS}/channels` as const;

export const alertsApi = {
  rules: (id: string, signal?: AbortSignal) => get(`${ALERTS}/rules`, { params: { id }, signal }),
  history: (id: string, signal?: AbortSignal) => get(`${ALERTS}/rules/history`, { params: { id }, signal }),
  changeRules: (id: string, body: Body<`PUT ${typeof ALERTS}/rules`>) =>
    call('PUT', `${ALERTS}/rules`, { params: { id }, body }),
  reply: (id: string, alert: string, acknowledged: boolean) =>
    call('PATCH', `${ALERTS}/{alert}`, { params: { id, alert }, body: { acknowledged } }),
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
  history: (id: string) =>
    queryOptions({
      queryKey: ['alert-rules', id, 'history'],
      queryFn: ({ signal }) => alertsApi.history(id, signal),
      staleTime: 300_000,
    }),
  channels: (id: string) =>
    queryOptions({
      queryKey: ['alert-channels', id],
      queryFn: ({ signal }) => alertsApi.channels(id, signal),
      staleTime: 10_000,
    }),
};

export type Told = Alert['sent'][number];
export type ChannelType = Told['type'];
export type AlertRule = AlertRules['rules'][number];
export type RuleHistory = AlertRuleHistory['items'][number];
type RulesChange = Body<'PUT /api/v1/properties/{id}/alerts/rules'>;
type ChannelChange = Body<'PATCH /api/v1/properties/{id}/alerts/channels/{channel}'>;

/** Changes the property's rules. @param said announced to screen readers afterwards */
export function useRules(propertyId: string, said: string, onDone?: () => void) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (change: RulesChange) => alertsApi.changeRules(propertyId, change),
    onSuccess: (rules) => {
      queryClient.setQueryData(alertsQueries.rules(propertyId).queryKey, rules);
      announce(said);
      onDone?.();
    },
  });
}

/** Changes a channel, and announces it. */
export function useChannel(
  propertyId: string,
  channel: AlertChannel,
  onDone?: (made: MadeAlertChannel) => void,
) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (change: ChannelChange) => alertsApi.changeChannel(propertyId, channel.id, change),
    onSuccess: async (made) => {
      await queryClient.invalidateQueries(alertsQueries.channels(propertyId));
      announce(`${made.name} saved`);
      onDone?.(made);
    },
  });
}
