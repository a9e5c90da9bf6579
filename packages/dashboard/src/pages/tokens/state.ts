import type { ApiToken } from '../../features/people/api.ts';
import { instant } from '../../format/time.ts';

export type TokenState = 'active' | 'expired' | 'revoked';

/** @param now epoch milliseconds */
export function tokenState({ revoked_at, expires_at }: ApiToken, now: number): TokenState {
  if (revoked_at !== null) return 'revoked';
  const end = instant(expires_at);
  return end !== null && end <= now ? 'expired' : 'active';
}
