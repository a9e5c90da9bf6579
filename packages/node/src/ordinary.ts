/** Tells ordinary requests while they are answered: the first look at each, so it remembers what user agents are. */
import { type CompiledLists, crawlerAgent } from '@ghostlight/core';
import { parseQuery } from '../../collector/src/observe/parts.ts';
import { namesListedAgent } from '../../collector/src/signature/index.ts';
import type { Incoming } from './incoming.ts';
import type { Look } from './visit.ts';

/** User agents come again and again; a sender of random ones costs time, not memory. */
const REMEMBERED = 4_000;

interface Agent {
  readonly isAi: boolean;
  readonly isBot: boolean;
  /** As in `Other`; absent: not asked for yet. */
  program?: string;
}

export interface Ordinary {
  /** Whether a request looks like AI, by its user agent, referrer, campaign tag or signer. */
  looksLikeAi(look: Look, incoming: Incoming, lists: CompiledLists): boolean;
  isBot(userAgent: string): boolean;
  /** What is kept of a program's user agent: "" of those that are not told apart. */
  programOf(userAgent: string): string;
}

export function createOrdinary(isBot: (userAgent: string) => boolean): Ordinary {
  let inUse: CompiledLists | null = null;
  let agents = new Map<string, Agent>();

  const agentOf = (userAgent: string, lists: CompiledLists): Agent => {
    if (lists !== inUse || agents.size >= REMEMBERED) {
      inUse = lists;
      agents = new Map();
    }
    let agent = agents.get(userAgent);
    if (agent === undefined) {
      agent = { isAi: lists.tokens.match(userAgent) !== null, isBot: isBot(userAgent) };
      agents.set(userAgent, agent);
    }
    return agent;
  };

  return {
    looksLikeAi(look, incoming, lists) {
      if (agentOf(look.userAgent, lists).isAi) return true;
      if (mayBeReferral(look, lists)) return true;
      return incoming.header('signature-agent') !== '' && isSigned(look, incoming, lists);
    },
    isBot: (userAgent) => agents.get(userAgent)?.isBot ?? isBot(userAgent),
    programOf(userAgent) {
      const agent = agents.get(userAgent);
      if (agent === undefined) return crawlerAgent(userAgent);
      agent.program ??= crawlerAgent(userAgent);
      return agent.program;
    },
  };
}

/** Whether an AI product sent this visit, if a person makes it: both are decided after the response. */
function mayBeReferral({ host, referrer, search }: Look, lists: CompiledLists): boolean {
  const tag = mayBeTagged(search) ? parseQuery(search).get('utm_source') : undefined;
  if (tag === undefined && (referrer === '' || isOfSite(referrer, host))) return false;
  return lists.referrers.match(referrer, tag) !== null;
}

/** A name may be written with escapes; taking a query apart costs more than the rest of the look. */
const mayBeTagged = (search: string): boolean => search.includes('utm_source') || search.includes('%');

/** Most requests come from a page of the site itself. */
const isOfSite = (referrer: string, host: string): boolean =>
  referrer.startsWith(host, 8) && referrer.startsWith('https://') && referrer[8 + host.length] === '/';

/** Over whichever scheme: what was signed is checked after the response. */
function isSigned({ host }: Look, incoming: Incoming, lists: CompiledLists): boolean {
  const { method, target } = incoming;
  return namesListedAgent({ method, url: `https://${host}${target}`, headers: incoming.headers() }, lists);
}
