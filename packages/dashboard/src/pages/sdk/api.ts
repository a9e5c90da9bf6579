/** The calls of the SDK page. In a file of their own, so that the first view does not load them. */
import { DAY_MS } from '@ghostlight/core/time';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Body, call, get } from '../../api/client.ts';
import type { EventSettings, EventsStatus } from '../../api/schema.gen.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';

export type { EventSettings, EventsStatus } from '../../api/schema.gen.ts';

const STATUS_INTERVAL_MS = 3_000;
const SETTINGS = '/api/v1/properties/{id}/events/settings';

const sdkApi = {
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

export type EventOrigin = EventsStatus['origins'][number];

/** Changes the allowed origins of a property. */
export function useEventSettings(propertyId: string) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (change: Partial<EventSettings>) => sdkApi.changeSettings(propertyId, change),
    onSuccess: async (settings) => {
      queryClient.setQueryData(sdkQueries.settings(propertyId).queryKey, settings);
      // The list of foreign origins changes with it.
      await queryClient.invalidateQueries(sdkQueries.status(propertyId));
      announce('Origins saved');
    },
  });
}

/** Only browsers name an origin; what has none was sent by servers and apps. */
export const isOfBrowser = ({ origin }: Pick<EventOrigin, 'origin'>): boolean => origin !== '';

/** Without an event for so long, the script is said to be quiet. */
const QUIET_MS = DAY_MS;

/** Of the script in the pages: what servers send says nothing about it. */
export type CheckState = 'waiting' | 'refused' | 'active' | 'stale';

export interface ScriptCheck {
  readonly state: CheckState;
  /** When its last event was accepted; null: none. */
  readonly lastAt: string | null;
}

/** @param now epoch milliseconds */
export function scriptCheck({ origins }: Pick<EventsStatus, 'origins'>, now: number): ScriptCheck {
  const ofBrowser = origins.filter(isOfBrowser);
  const lastAt = ofBrowser
    .filter(({ accepted }) => accepted > 0)
    .map(({ last_at }) => last_at)
    .reduce<string | null>((last, at) => (last === null || at > last ? at : last), null);
  if (lastAt === null)
    return { state: ofBrowser.some(({ refused }) => refused > 0) ? 'refused' : 'waiting', lastAt };
  return { state: now - Date.parse(lastAt) > QUIET_MS ? 'stale' : 'active', lastAt };
}
