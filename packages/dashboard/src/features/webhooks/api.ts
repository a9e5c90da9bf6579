/** The calls of the Webhooks page. In a file of their own, so that the first view does not load them. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Body, call, get } from '../../api/client.ts';
import type {
  TrackingDomain,
  WebhookChanges,
  WebhookRequest,
  WebhookRequestDetail,
  Webhooks,
} from '../../api/schema.gen.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';

export type {
  Shop,
  TrackingDomain,
  WebhookKey,
  WebhookRequest as ActivityItem,
  WebhookRequestDetail as ActivityDetail,
  Webhooks as WebhookSettings,
} from '../../api/schema.gen.ts';

const ACTIVITY_INTERVAL_MS = 3_000;
const SETTINGS_FRESH_MS = 10_000;

const WEBHOOKS = '/api/v1/properties/{id}/webhooks';
const KEYS = '/api/v1/properties/{id}/webhook-keys';
const SHOPS = `${WEBHOOKS}/shops` as const;
const DOMAINS = '/api/v1/properties/{id}/domains';

export const webhooksApi = {
  settings: (id: string, signal?: AbortSignal) => get(WEBHOOKS, { params: { id }, signal }),
  change: (id: string, body: Body<`PUT ${typeof WEBHOOKS}`>) =>
    call('PUT', WEBHOOKS, { params: { id }, body }),

  keys: async (id: string, signal?: AbortSignal) => (await get(KEYS, { params: { id }, signal })).items,
  issueKey: (id: string, body: Body<`POST ${typeof KEYS}`>) => call('POST', KEYS, { params: { id }, body }),
  changeKey: (id: string, key: string, body: Body<`PATCH ${typeof KEYS}/{key_id}`>) =>
    call('PATCH', `${KEYS}/{key_id}`, { params: { id, key_id: key }, body }),
  revokeKey: (id: string, key: string) => call('DELETE', `${KEYS}/{key_id}`, { params: { id, key_id: key } }),

  activity: async (id: string, status?: RequestStatus, signal?: AbortSignal) =>
    (
      await get(`${WEBHOOKS}/activity`, {
        params: { id },
        query: status === undefined ? {} : { status },
        signal,
      })
    ).items,
  request: (id: string, request: string, signal?: AbortSignal) =>
    get(`${WEBHOOKS}/activity/{request_id}`, { params: { id, request_id: request }, signal }),

  shops: async (id: string, signal?: AbortSignal) => (await get(SHOPS, { params: { id }, signal })).items,
  /** Connects, or replaces the secret. */
  connectShop: (id: string, platform: string, body: Body<`PUT ${typeof SHOPS}/{platform}`>) =>
    call('PUT', `${SHOPS}/{platform}`, { params: { id, platform }, body }),
  endPreviousSecret: (id: string, platform: string) =>
    call('DELETE', `${SHOPS}/{platform}/previous-secret`, { params: { id, platform } }),
  disconnectShop: (id: string, platform: string) =>
    call('DELETE', `${SHOPS}/{platform}`, { params: { id, platform } }),

  domains: async (id: string, signal?: AbortSignal) => (await get(DOMAINS, { params: { id }, signal })).items,
  addDomain: (id: string, domain: string) => call('POST', DOMAINS, { params: { id }, body: { domain } }),
  verifyDomain: (id: string, domain: string) =>
    call('POST', `${DOMAINS}/{domain}/verify`, { params: { id, domain } }),
  removeDomain: (id: string, domain: string) =>
    call('DELETE', `${DOMAINS}/{domain}`, { params: { id, domain } }),
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
  /** The newest 20, or the newest 20 with this status. @param paused stops refreshing */
  activity: (
    id: string,
    { paused = false, status }: { paused?: boolean; status?: RequestStatus | undefined } = {},
  ) =>
    queryOptions({
      queryKey: ['webhook-activity', id, status ?? ''],
      queryFn: ({ signal }) => webhooksApi.activity(id, status, signal),
      refetchInterval: paused ? false : ACTIVITY_INTERVAL_MS,
      refetchOnWindowFocus: !paused,
    }),
  request: (id: string, requestId: string) =>
    queryOptions({
      queryKey: ['webhook-request', id, requestId],
      queryFn: ({ signal }) => webhooksApi.request(id, requestId, signal),
      // A late match may change the outcome for an hour.
      staleTime: ACTIVITY_INTERVAL_MS,
    }),
  shops: (id: string) =>
    queryOptions({
      queryKey: ['webhook-shops', id],
      queryFn: ({ signal }) => webhooksApi.shops(id, signal),
      refetchInterval: ACTIVITY_INTERVAL_MS,
    }),
  domains: (id: string) =>
    queryOptions({
      queryKey: ['domains', id],
      queryFn: ({ signal }) => webhooksApi.domains(id, signal),
      staleTime: 10_000,
    }),
};

export type RequestStatus = WebhookRequest['status'];
export type ConsentDefault = Webhooks['consent_default'];
export type Finding = WebhookRequestDetail['errors'][number];
export type DomainState = TrackingDomain['state'];

/** Changes the property's settings. @param said announced to screen readers afterwards */
export function useSettings(propertyId: string, said: string, onDone?: () => void) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (change: WebhookChanges) => webhooksApi.change(propertyId, change),
    onSuccess: (settings) => {
      queryClient.setQueryData(webhooksQueries.settings(propertyId).queryKey, settings);
      announce(said);
      onDone?.();
    },
  });
}

/** The name under which this tab holds a property's webhook key; its ingest key has another. */
export function heldName(propertyId: string): string {
  return `webhook:${propertyId}`;
}
