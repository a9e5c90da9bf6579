/** The queries that several pages share, with how long their answers stay fresh. */
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const MINUTE_MS = 60_000;
const CHECKER_INTERVAL_MS = 3_000;
const SUMMARY_INTERVAL_MS = 5_000;

export const queries = {
  signInOptions: () => queryOptions({ queryKey: ['sign-in-options'], queryFn: api.signInOptions }),
  session: () =>
    queryOptions({ queryKey: ['session'], queryFn: api.session, staleTime: 5 * MINUTE_MS, retry: false }),
  config: () => queryOptions({ queryKey: ['config'], queryFn: api.config, staleTime: 10 * MINUTE_MS }),
  lists: () => queryOptions({ queryKey: ['lists'], queryFn: api.lists, staleTime: MINUTE_MS }),
  properties: () => queryOptions({ queryKey: ['properties'], queryFn: api.properties, staleTime: MINUTE_MS }),
  keys: () => queryOptions({ queryKey: ['ingest-keys'], queryFn: api.keys, staleTime: 10_000 }),
  setup: (propertyId: string) =>
    queryOptions({
      queryKey: ['setup', propertyId],
      queryFn: () => api.setup(propertyId),
      refetchInterval: CHECKER_INTERVAL_MS,
    }),
  liveSummary: (propertyId: string) =>
    queryOptions({
      queryKey: ['live-summary', propertyId],
      queryFn: () => api.liveSummary(propertyId),
      refetchInterval: SUMMARY_INTERVAL_MS,
    }),
  rejected: (propertyId: string) =>
    queryOptions({
      queryKey: ['rejected', propertyId],
      queryFn: () => api.rejected(propertyId),
      refetchInterval: CHECKER_INTERVAL_MS,
    }),
};
