/** The calls of the Webhooks page: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { IssuedKey } from '../api/types.ts';
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
  settings: (id: string) => call<WebhookSettings>('GET', path(id, 'webhooks')),
  change: (id: string, change: SettingsChange) => call<WebhookSettings>('PUT', path(id, 'webhooks'), change),

  keys: async (id: string) => (await call<{ items: WebhookKey[] }>('GET', path(id, 'webhook-keys'))).items,
  issueKey: (id: string, body: { name: string; rate_limit: number }) =>
    call<IssuedKey>('POST', path(id, 'webhook-keys'), body),
  changeKey: (id: string, keyId: string, body: { name?: string; rate_limit?: number }) =>
    call<unknown>('PATCH', path(id, 'webhook-keys', keyId), body),
  revokeKey: (id: string, keyId: string) => call<unknown>('DELETE', path(id, 'webhook-keys', keyId)),

  activity: async (id: string) =>
    (await call<{ items: ActivityItem[] }>('GET', path(id, 'webhooks', 'activity'))).items,
  request: (id: string, requestId: string) =>
    call<ActivityDetail>('GET', path(id, 'webhooks', 'activity', requestId)),

  domains: async (id: string) => (await call<{ items: TrackingDomain[] }>('GET', path(id, 'domains'))).items,
  addDomain: (id: string, domain: string) => call<TrackingDomain>('POST', path(id, 'domains'), { domain }),
  verifyDomain: (id: string, domain: string) =>
    call<TrackingDomain>('POST', path(id, 'domains', domain, 'verify'), NOTHING),
  removeDomain: (id: string, domain: string) => call<unknown>('DELETE', path(id, 'domains', domain)),
};

export const webhooksQueries = {
  settings: (id: string) =>
    queryOptions({
      queryKey: ['webhooks', id],
      queryFn: () => webhooksApi.settings(id),
      staleTime: SETTINGS_FRESH_MS,
    }),
  keys: (id: string) =>
    queryOptions({ queryKey: ['webhook-keys', id], queryFn: () => webhooksApi.keys(id), staleTime: 10_000 }),
  /** @param paused a list that is being read stands still */
  activity: (id: string, paused = false) =>
    queryOptions({
      queryKey: ['webhook-activity', id],
      queryFn: () => webhooksApi.activity(id),
      refetchInterval: paused ? false : ACTIVITY_INTERVAL_MS,
      refetchOnWindowFocus: !paused,
    }),
  request: (id: string, requestId: string) =>
    queryOptions({
      queryKey: ['webhook-request', id, requestId],
      queryFn: () => webhooksApi.request(id, requestId),
      // A late match may change what was judged within the hour.
      staleTime: ACTIVITY_INTERVAL_MS,
    }),
  domains: (id: string) =>
    queryOptions({ queryKey: ['domains', id], queryFn: () => webhooksApi.domains(id), staleTime: 10_000 }),
};

function path(id: string, ...rest: readonly string[]): string {
  return ['/api/v1/properties', ...[id, ...rest].map(encodeURIComponent)].join('/');
}
