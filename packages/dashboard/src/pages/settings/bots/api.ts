/** The bots that an installation adds to the list, as the management API tells and takes them; with the root token only. */
import type { INTENTS } from '@ghostlight/core';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

export interface CustomBotFields {
  /** Lower-case; what is looked for in user agents. */
  readonly token: string;
  readonly name: string;
  readonly vendor: string;
  readonly intent: (typeof INTENTS)[number];
}

export interface CustomBot extends CustomBotFields {
  readonly added_at: string;
}

const PATH = '/api/v1/lists/custom-bots';
const FRESH_MS = 10_000;

export const customBotsApi = {
  list: async () => (await call<{ items: CustomBot[] }>('GET', PATH)).items,
  add: (fields: CustomBotFields) => call<CustomBot>('POST', PATH, fields),
  remove: (token: string) => call<unknown>('DELETE', `${PATH}/${encodeURIComponent(token)}`),
};

export const customBotsQuery = () =>
  queryOptions({ queryKey: ['lists', 'custom-bots'], queryFn: customBotsApi.list, staleTime: FRESH_MS });
