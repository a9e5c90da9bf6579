/** The lists that travel with the collector: the floor on which the first visits of a cold isolate are judged. */
import { type BotLists, buildLists } from '@ghostlight/core';
import bots from '@ghostlight/core/data/bots.json' with { type: 'json' };
import referrers from '@ghostlight/core/data/referrers.json' with { type: 'json' };
import agents from '@ghostlight/core/data/signature-agents.json' with { type: 'json' };

/**
 * Tokens, hosts and agents. Address ranges stay out: they go stale within weeks and would be the larger half of the bundle. So
 * nothing that is judged by these lists can be called spoofed.
 */
export function snapshotLists(): BotLists {
  return buildLists({ bots, ranges: { version: 0, updated: '', sets: [] }, referrers, agents });
}
