/** The verdict on a bot's identity. */
import type { LiveItem } from '../../api/types.ts';

/** In the order of charts and their legends. */
export const VERDICTS = ['verified', 'unknown', 'spoofed'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Only bots have a verdict: a person's browser claims no identity. */
export function verdictOf(item: Pick<LiveItem, 'class' | 'verified'>): Verdict | null {
  if (item.class !== 'ai_bot' && item.class !== 'search_engine') return null;
  if (item.verified === null) return 'unknown';
  return item.verified ? 'verified' : 'spoofed';
}
