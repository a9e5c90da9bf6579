/** Lists as a service would publish them in these tests: today's tokens and hosts, ranges of documentation addresses. */
import { type BotLists, embeddedLists, type SignatureAgent } from '@ghostlight/core';
import { type Internet, SERVICE_HOST, type Site } from './internet.ts';

/** Inside of GPTBot's published ranges, and outside of them. */
export const INSIDE = '203.0.113.9';
export const OUTSIDE = '198.51.100.77';

/**
 * @param as_of the day on which the ranges were read. The default fits visits that happen now: where a test's clock stands still, it is that
 *   clock's day, because ranges that were read more than a week before or after a visit refute no visitor.
 */
export function publishedLists(changes: Partial<BotLists> = {}, as_of = TODAY): BotLists {
  return {
    ...embeddedLists(),
    version: 99,
    ip_ranges: [
      { engine: 'openai', bots: ['GPTBot'], prefixes: ['203.0.113.0/28', '2001:db8:1::/48'], as_of },
      { engine: 'anthropic', bots: ['ClaudeBot'], prefixes: ['192.0.2.0/28'], complete: false, as_of },
    ],
    ...changes,
  };
}

/** UTC, as `as_of` has it; read once, since a day can end between what is published and what is expected. */
export const TODAY = new Date().toISOString().slice(0, 10);

/** A service that publishes these lists, and takes every hit. */
export function listService(lists: BotLists): Site {
  return ({ method }) =>
    method === 'POST'
      ? new Response(null, { status: 204 })
      : Response.json(lists, {
          headers: { 'cache-control': 'public, max-age=3600', etag: `"${lists.version}"` },
        });
}

export function publish(internet: Internet, lists: BotLists): void {
  internet.on(SERVICE_HOST, listService(lists));
}

/** An agent whose keys travel in the lists, under its vendor's engine; it signs for GPTBot too, unless it is another vendor's. */
export function listedAgent(keys: SignatureAgent['keys'], engine = 'openai'): SignatureAgent {
  return {
    engine,
    bot_name: 'ChatGPT Agent',
    intent: 'on_demand',
    ...(engine === 'openai' ? { bots: ['GPTBot'] } : {}),
    url: 'https://agent.example/.well-known/http-message-signatures-directory',
    keys,
  };
}
