/** The calls of the Webhooks page: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { call, get } from '../../api/client.ts';
import type { IssuedKey } from '../../api/types.ts';
import type {
  ActivityDetail,
  ActivityItem,
  SettingsChange,
  TrackingDomain,
  WebhookKey,
  WebhookSettings,
} from './types.ts';

const ACTIVITY_INTERVAL_MS = 3_000;
const SETTINGS_FRESH_MS = 10_000;
/** A session's POST without a JSON body is refused: a form of another site could make one. */
const NOTHING = {};

export const webhooksApi = {
  settings: (id: string, signal?: AbortSignal) => get<WebhookSettings>(path(id, 'webhooks'), signal),
  change: (id: string, change: SettingsChange) => call<WebhookSettings>('PUT', path(id, 'webhooks'), change),

  keys: async (id: string, signal?: AbortSignal) =>
    (await get<{ items: WebhookKey[] }>(path(id, 'webhook-keys'), signal)).items,
  issueKey: (id: string, body: { name: string; rate_limit: number }) =>
    call<IssuedKey>('POST', path(id, 'webhook-keys'), body),
  changeKey: (id: string, keyId: string, body: { name?: string; rate_limit?: number }) =>
    call<unknown>('PATCH', path(id, 'webhook-keys', keyId), body),
  revokeKey: (id: string, keyId: string) => call<unknown>('DELETE', path(id, 'webhook-keys', keyId)),

  activity: async (id: string, signal?: AbortSignal) =>
    (await get<{ items: ActivityItem[] }>(path(id, 'webhooks', 'activity'), signal)).items,
  request: (id: string, requestId: string, signal?: AbortSignal) =>
    get<ActivityDetail>(path(id, 'webhooks', 'activity', requestId), signal),

  domains: async (id: string, signal?: AbortSignal) =>
    (await get<{ items: TrackingDomain[] }>(path(id, 'domains'), signal)).items,
  addDomain: (id: string, domain: string) => call<TrackingDomain>('POST', path(id, 'domains'), { domain }),
  verifyDomain: (id: string, domain: string) =>
    call<TrackingDomain>('POST', path(id, 'domains', domain, 'verify'), NOTHING),
  removeDomain: (id: string, domain: string) => call<unknown>('DELETE', path(id, 'domains', domain)),
};

export const webhooksQueries = {
  settings: (id: string) =>
    queryOptions({
      queryKey: ['webhooks', id],
      queryFn: ({ signal }) => webhooksApi.settings(id, signal),
      staleTime: SETTINGS_FRESH_MS,
    }),
  keys: (id: string) =>
    queryOptions({
      queryKey: ['webhook-keys', id],
      queryFn: ({ signal }) => webhooksApi.keys(id, signal),
      staleTime: 10_000,
    }),
  /** @param paused a list that is being read stands still */
  activity: (id: string, paused = false) =>
    queryOptions({
      queryKey: ['webhook-activity', id],
      queryFn: ({ signal }) => webhooksApi.activity(id, signal),
      refetchInterval: paused ? false : ACTIVITY_INTERVAL_MS,
      refetchOnWindowFocus: !paused,
    }),
  request: (id: string, requestId: string) =>
    queryOptions({
      queryKey: ['webhook-request', id, requestId],
      queryFn: ({ signal }) => webhooksApi.request(id, requestId, signal),
      // A late match may change what was judged within the hour.
      staleTime: ACTIVITY_INTERVAL_MS,
    }),
  domains: (id: string) =>
    queryOptions({
      queryKey: ['domains', id],
      queryFn: ({ signal }) => webhooksApi.domains(id, signal),
      staleTime: 10_000,
    }),
};

function path(id: string, ...rest: readonly string[]): string {
  return ['/api/v1/properties', ...[id, ...rest].map(encodeURIComponent)].join('/');
}
