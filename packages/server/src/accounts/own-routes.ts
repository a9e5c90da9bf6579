/** What routes of one's own account have in common. */
import type { Context } from 'hono';
import { type ApiEnv, type PersonCaller, ServiceError } from '../common/index.ts';

export const OWN = { tags: ['account'], 'x-need': 'person' };

/** The caller of a route that the permissions let only people into. */
export function personOf(c: Context<ApiEnv>): PersonCaller {
  const caller = c.get('caller');
  if (caller.kind !== 'person') throw new ServiceError('forbidden', 'This is for people who signed in.');
  return caller;
}
