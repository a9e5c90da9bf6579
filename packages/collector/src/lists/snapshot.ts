/** The lists built into the collector: the first visits of a cold isolate are classified by them. */
import { type BotLists, buildLists } from '@ghostlight/core';
import bots from '@ghostlight/core/data/bots.json' with { type: 'json' };
import referrers from '@ghostlight/core/data/referrers.json' with { type: 'json' };
import agents from '@ghostlight/core/data/signature-agents.json' with { type: 'json' };

/**
 * Tokens, hosts and agents. Address ranges stay out: they go stale within weeks and would be the larger half of the bundle. So
 * no visit is spoofed by these lists.
 */
export function snapshotLists(): BotLists {
  return buildLists({ bots, ranges: { version: 0, updated: '', sets: [] }, referrers, agents });
}
