/** The queries that several pages share, with how long their answers stay fresh. */
import { MINUTE_MS } from '@ghostlight/core/time';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const CHECKER_INTERVAL_MS = 3_000;
const SUMMARY_INTERVAL_MS = 5_000;

export const queries = {
  signInOptions: () =>
    queryOptions({ queryKey: ['sign-in-options'], queryFn: ({ signal }) => api.signInOptions(signal) }),
  session: () =>
    queryOptions({
      queryKey: ['session'],
      queryFn: ({ signal }) => api.session(signal),
      staleTime: 5 * MINUTE_MS,
      retry: false,
    }),
  config: () =>
    queryOptions({
      queryKey: ['config'],
      queryFn: ({ signal }) => api.config(signal),
      staleTime: 10 * MINUTE_MS,
    }),
  sources: () =>
    queryOptions({
      queryKey: ['sources'],
      queryFn: ({ signal }) => api.sources(signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),
  networks: () =>
    queryOptions({
      queryKey: ['networks'],
      queryFn: ({ signal }) => api.networks(signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),
  lists: () =>
    queryOptions({ queryKey: ['lists'], queryFn: ({ signal }) => api.lists(signal), staleTime: MINUTE_MS }),
  properties: () =>
    queryOptions({
      queryKey: ['properties'],
      queryFn: ({ signal }) => api.properties(signal),
      staleTime: MINUTE_MS,
    }),
  keys: () =>
    queryOptions({ queryKey: ['ingest-keys'], queryFn: ({ signal }) => api.keys(signal), staleTime: 10_000 }),
  setup: (propertyId: string) =>
    queryOptions({
      queryKey: ['setup', propertyId],
      queryFn: ({ signal }) => api.setup(propertyId, signal),
      refetchInterval: CHECKER_INTERVAL_MS,
    }),
  liveSummary: (propertyId: string) =>
    queryOptions({
      queryKey: ['live-summary', propertyId],
      queryFn: ({ signal }) => api.liveSummary(propertyId, signal),
      refetchInterval: SUMMARY_INTERVAL_MS,
    }),
  rejected: (propertyId: string) =>
    queryOptions({
      queryKey: ['rejected', propertyId],
      queryFn: ({ signal }) => api.rejected(propertyId, signal),
      refetchInterval: CHECKER_INTERVAL_MS,
    }),
};
