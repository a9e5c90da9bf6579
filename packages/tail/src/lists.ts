/** Which user agents and referrers are AI: the lists that travel with the command, renewed from the service. */

import {
  type BotLists,
  buildLists,
  type CompiledLists,
  compileLists,
  embeddedSearchEngines,
  validateLists,
  withSearchEngines,
} from '@ghostlight/core';
import bots from '@ghostlight/core/data/bots.json' with { type: 'json' };
import referrers from '@ghostlight/core/data/referrers.json' with { type: 'json' };
import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { get } from './http.ts';

const REFRESH_MS = 6 * HOUR_MS;
const RETRY_MS = 15 * MINUTE_MS;
const MAX_BYTES = 8 * 1024 * 1024;

export interface ListsInUse {
  readonly ai: CompiledLists;
  /** The same with search crawlers behind the bots; null: they are not told apart. */
  readonly search: CompiledLists | null;
}

const EMPTY = { version: 0, updated: '' } as const;

export class Lists {
  readonly #url: string | null;
  readonly #tellsSearchEngines: boolean;
  #current: ListsInUse;
  #etag = '';
  #due = 0;

  /** @param service address; null: the lists are not renewed */
  constructor(service: string | null, tellsSearchEngines: boolean) {
    this.#url = service === null ? null : `${service}/v1/config/ai-bots`;
    this.#tellsSearchEngines = tellsSearchEngines;
    this.#current = this.#compile(
      buildLists({ bots, referrers, ranges: { ...EMPTY, sets: [] }, agents: { ...EMPTY, agents: [] } }),
    );
  }

  get current(): ListsInUse {
    return this.#current;
  }

  /** Address ranges and keys stay out: the service verifies. */
  #compile(lists: BotLists): ListsInUse {
    const ours = { ...lists, ip_ranges: [], signature_agents: [] };
    const search = this.#tellsSearchEngines ? withSearchEngines(ours, embeddedSearchEngines()) : null;
    return { ai: compileLists(ours), search: search === null ? null : compileLists(search) };
  }

  /** Renews the lists when they are six hours old. What can't be had is tried again later: the lists at hand go on. */
  async refresh(now: number): Promise<void> {
    if (this.#url === null || now < this.#due) return;
    this.#due = now + RETRY_MS;
    const answer = await get(
      this.#url,
      { ...(this.#etag === '' ? {} : { 'If-None-Match': this.#etag }) },
      MAX_BYTES,
    );
    if (answer === null) return;
    if (answer.status === 304) this.#due = now + REFRESH_MS;
    if (answer.status !== 200) return;
    const checked = validateLists(parsed(answer.body));
    if (!('lists' in checked)) return;
    this.#current = this.#compile(checked.lists);
    this.#etag = answer.headers.etag ?? '';
    this.#due = now + REFRESH_MS;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
