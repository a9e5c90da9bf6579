/** Why a page of the sitemap was likely not read. */
import type { BotLists } from '@ghostlight/core';
import type { FactsFilter, UnreadPage } from '../warehouse/index.ts';
import type { Robots } from './robots.ts';

export const UNREAD_REASONS = [
  ...['blocked', 'failed', 'redirected', 'read_before', 'blocked_for_some', 'never_requested'],
] as const;

export interface UnreadReason {
  readonly reason: (typeof UNREAD_REASONS)[number];
  /** Bots that robots.txt keeps from the page; null: it could not be read. */
  readonly blocked: readonly string[] | null;
}

/** Names of the bots that the question is about. */
export function botsAsked({ bot_patterns: patterns }: BotLists, filter: FactsFilter): string[] {
  const same = (asked: string | undefined, value: string) =>
    asked === undefined || asked.toLowerCase() === value.toLowerCase();
  const asked = patterns.filter(
    ({ bot_name: bot, vendor, intent }) =>
      same(filter.bot, bot) && same(filter.vendor, vendor) && same(filter.intent, intent),
  );
  return [...new Set(asked.map(({ bot_name: bot }) => bot))];
}

/**
 * The rules of a site, asked for its pages. Bots that share their rules are asked for once.
 * @param robots by host
 */
export function reasonsOf(
  robots: ReadonlyMap<string, Robots>,
  bots: readonly string[],
): (page: UnreadPage) => UnreadReason {
  const groups = new Map(
    [...robots].map(([host, rules]) => [host, [...Map.groupBy(bots, rules.groupOf).values()]]),
  );
  const blockedOn = ({ host, path }: UnreadPage): string[] | null => {
    const rules = robots.get(host);
    if (rules === undefined) return null;
    return (groups.get(host) ?? []).flatMap((group) => (rules.allows(group[0] ?? '', path) ? [] : group));
  };
  return (page) => {
    const blocked = blockedOn(page);
    const isBlocked = blocked !== null && bots.length > 0 && blocked.length === bots.length;
    return { reason: isBlocked ? 'blocked' : reasonOf(page, blocked), blocked };
  };
}

function reasonOf(
  { last_read_at: read, last_asked_at: asked, last_status: status }: UnreadPage,
  blocked: readonly string[] | null,
): UnreadReason['reason'] {
  if (asked > read) return status >= 300 && status < 400 ? 'redirected' : 'failed';
  if (read > 0) return 'read_before';
  return blocked !== null && blocked.length > 0 ? 'blocked_for_some' : 'never_requested';
}
