/** Which visits leave this machine. The service classifies every visit itself; here only what stays is decided. */
import {
  classify,
  crawlerAgent,
  findSearchEngine,
  isFilePath,
  type LogRecord,
  type Other,
} from '@ghostlight/core';
import { isbot } from 'isbot';
import type { Lists, ListsInUse } from './lists.ts';

/** `signed`: a request with a signature, which the service verifies; it may be an agent behind a browser's user agent. */
export type SentAs = 'ai_bot' | 'ai_referral' | 'signed' | 'search_engine';

/** User agents come again and again; a sender of random ones costs time, not memory. */
const REMEMBERED = 4_000;
/** The one parameter of an address that makes a referral. */
const CAMPAIGN = 'utm_source';

/** What a user agent is, whatever was asked for. */
interface Agent {
  readonly isBot: boolean;
  /** As in `Other`. */
  readonly program: string;
  readonly sentAs: SentAs | null;
}

export class Judge {
  readonly #lists: Lists;
  readonly #agents = new Map<string, Agent>();
  #inUse: ListsInUse;

  constructor(lists: Lists) {
    this.#lists = lists;
    this.#inUse = lists.current;
  }

  judge(record: LogRecord): SentAs | Other {
    if (this.#lists.current !== this.#inUse) {
      this.#inUse = this.#lists.current;
      this.#agents.clear();
    }
    const agent = this.#agentOf(record.user_agent);
    if (agent.sentAs === 'ai_bot') return 'ai_bot';
    if (record.signature !== '' && record.signature_input !== '') return 'signed';
    if (agent.sentAs !== null) return agent.sentAs;
    if (!agent.isBot && mayBeReferral(record) && this.#isReferral(record)) return 'ai_referral';
    const mark = record.pathname.indexOf('?');
    const path = mark === -1 ? record.pathname : record.pathname.slice(0, mark);
    return { isBot: agent.isBot, program: agent.program, isFile: isFilePath(path) };
  }

  #agentOf(userAgent: string): Agent {
    const known = this.#agents.get(userAgent);
    if (known !== undefined) return known;
    const isBot = isbot(userAgent);
    const { ai, search } = this.#inUse;
    const isAi = ai.tokens.match(userAgent) !== null;
    const isSearch = !isAi && search !== null && findSearchEngine(userAgent, search, isbot) !== null;
    const agent: Agent = {
      isBot,
      program: isBot && !isAi ? crawlerAgent(userAgent) : '',
      sentAs: isAi ? 'ai_bot' : isSearch ? 'search_engine' : null,
    };
    if (this.#agents.size >= REMEMBERED) this.#agents.clear();
    this.#agents.set(userAgent, agent);
    return agent;
  }

  #isReferral({ host, user_agent: userAgent, referer: referrer, pathname }: LogRecord): boolean {
    const verdict = classify(
      {
        ...{ host, userAgent, referrer, query: campaignOf(pathname) },
        ...{
          platformCategory: null,
          signatureAgent: '',
          edgeVerified: null,
          edgeVerifiedBy: null,
          sampleRate: null,
        },
      },
      this.#inUse.ai,
      isbot,
    );
    return verdict.class === 'ai_referral';
  }
}

const mayBeReferral = ({ referer, pathname }: LogRecord): boolean =>
  referer !== '' || pathname.includes(CAMPAIGN);

function campaignOf(pathname: string): ReadonlyMap<string, string> {
  if (!pathname.includes(CAMPAIGN)) return new Map();
  const value = new URLSearchParams(pathname.slice(pathname.indexOf('?') + 1)).get(CAMPAIGN);
  return new Map(value === null ? [] : [[CAMPAIGN, value]]);
}
