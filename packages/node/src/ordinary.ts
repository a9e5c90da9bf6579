/** Tells ordinary requests while they are answered: the first look at each, so it remembers what user agents are. */
import { type CompiledLists, classify } from '@ghostlight/core';
import { classifiable } from '../../collector/src/observe/parts.ts';
import { namesListedAgent } from '../../collector/src/signature/index.ts';
import type { Incoming } from './incoming.ts';
import type { Look } from './visit.ts';

/** User agents come again and again; a sender of random ones costs time, not memory. */
const REMEMBERED = 4_000;

interface Agent {
  readonly isAi: boolean;
  readonly isBot: boolean;
}

export interface Ordinary {
  /** Whether a request looks like AI, by its user agent, referrer, campaign tag or signer. */
  looksLikeAi(look: Look, incoming: Incoming, lists: CompiledLists): boolean;
  isBot(userAgent: string): boolean;
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
      const { referrer, search } = look;
      if ((referrer !== '' || mayBeTagged(search)) && isReferral(look, lists, isBot)) return true;
      return incoming.header('signature-agent') !== '' && isSigned(look, incoming, lists);
    },
    isBot: (userAgent) => agents.get(userAgent)?.isBot ?? isBot(userAgent),
  };
}

/** A name may be written with escapes; taking a query apart costs more than the rest of the look. */
const mayBeTagged = (search: string): boolean => search.includes('utm_source') || search.includes('%');

function isReferral(look: Look, lists: CompiledLists, isBot: (userAgent: string) => boolean): boolean {
  return classify(classifiable(look, null), lists, isBot).class === 'ai_referral';
}

/** Over whichever scheme: what was signed is checked after the response. */
function isSigned({ host }: Look, incoming: Incoming, lists: CompiledLists): boolean {
  const { method, target } = incoming;
  return namesListedAgent({ method, url: `https://${host}${target}`, headers: incoming.headers() }, lists);
}
