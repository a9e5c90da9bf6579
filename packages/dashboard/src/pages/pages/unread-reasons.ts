/** Why a page of the sitemap was likely not read, in words. */
import type { UnreadItem } from './kinds.ts';

type Known = Pick<UnreadItem, 'last_read'>;

export function reasonOf({ last_read: day }: Known): string {
  return day === null
    ? 'Not linked from any page, or blocked by robots.txt'
    : 'Known to bots, but rarely visited';
}

/** The reason of most rows, to be said once above them; null: no reason has more than half of them, or there is one row. */
export function sharedReason(items: readonly Known[]): string | null {
  if (items.length < 2) return null;
  const reasons = items.map(reasonOf);
  return reasons.find((one) => reasons.filter((other) => other === one).length > reasons.length / 2) ?? null;
}
