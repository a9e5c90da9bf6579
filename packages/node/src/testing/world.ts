/** For tests: a clock that stands still, timers that are wound on by hand, and a service whose answers the test sets. */
import type { World } from '../ghostlight.ts';

export const TODAY = '2026-11-21';
export const NOW = Date.parse(`${TODAY}T12:00:00Z`);
export const KEY = `svc_cf_${'k'.repeat(43)}`;
export const ATTRIBUTION_ID = '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01';
export const SERVICE = 'https://ghostlight.example';

export class TestWorld implements World {
  #now = NOW;
  #timers: { at: number; work: () => void }[] = [];
  /** 0 ≤ n < 1 */
  drawn = 0.5;
  readonly now = (): number => this.#now;
  readonly random = (): number => this.drawn;
  readonly later = (ms: number, work: () => void): (() => void) => {
    const timer = { at: this.#now + ms, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  get timers(): number {
    return this.#timers.length;
  }

  /** Time passes, and what was due in it happens in its order. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.work();
      await settle();
    }
    this.#now = until;
  }
}

/** All that can be done without waiting is done. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface Posted {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

type Line = Readonly<Record<string, unknown>>;

/** Takes every batch, unless `answer` says otherwise; has no lists. */
export class TestReceiver {
  readonly posts: Posted[] = [];
  /** null: no connection. */
  answer: () => Response | null = () => Response.json({ kept: 0, dropped: 0, duplicate: 0, rejected: 0 });
  lists: () => Response | null = () => null;

  readonly fetch: typeof fetch = async (input, init) => {
    const url = String(input);
    const answer = init?.method === 'POST' ? this.#take(url, init) : this.lists();
    if (answer === null) throw new TypeError('fetch failed');
    return answer;
  };

  #take(url: string, init: RequestInit): Response | null {
    this.posts.push({ url, headers: new Headers(init.headers), body: String(init.body) });
    return this.answer();
  }

  lines(): Line[] {
    return this.posts.flatMap(({ body }) => linesOf(body));
  }
}

export const linesOf = (body: string): Line[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
