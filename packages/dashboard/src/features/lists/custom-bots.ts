/** The bots that this installation adds to the list; for admins of its first organization and the admin token. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, type Body, call, get } from '../../api/client.ts';

const BOTS = '/api/v1/lists/custom-bots';
const FRESH_MS = 10_000;

export type CustomBot = Answer<`GET ${typeof BOTS}`>['items'][number];
export type CustomBotFields = Body<`POST ${typeof BOTS}`>;

export const customBotsApi = {
  list: async () => (await get(BOTS)).items,
  add: (body: CustomBotFields) => call('POST', BOTS, { body }),
  remove: (token: string) => call('DELETE', `${BOTS}/{token}`, { params: { token } }),
};

export const customBotsQuery = () =>
  queryOptions({ queryKey: ['lists', 'custom-bots'], queryFn: customBotsApi.list, staleTime: FRESH_MS });
