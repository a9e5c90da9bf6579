/** All other traffic, as numbers: how many requests of a quarter of an hour were people's, and how many those of other programs. Nothing else of it leaves. */
import { MINUTE_MS } from '@ghostlight/core/time';

/** Days of all time zones begin with a quarter of an hour. */
const MINUTES = 15;
const QUARTER_MS = MINUTES * MINUTE_MS;
/** Times and hosts that one batch counts apart. */
export const MAX_COUNTED = 500;
/** Any client can send any host: requests for more than these count for the host "". */
const MAX_HOSTS = 50;

/** A request that is no AI visit. */
export interface Other {
  readonly isBot: boolean;
  /** No page: an image, a script, a feed. */
  readonly isFile: boolean;
}

export interface CountedTime {
  /** Epoch milliseconds at which it begins. */
  readonly hour: number;
  readonly minutes: number;
  readonly host: string;
  /** Random: equal numbers of another batch or instance are others, and the same ones that come again count once. */
  readonly id: string;
  people_pages: number;
  people_files: number;
  bot_pages: number;
  bot_files: number;
}

export class Others {
  readonly #times = new Map<string, CountedTime>();
  readonly #hosts = new Set<string>();

  add(timestamp: number, host: string, { isBot, isFile }: Other): void {
    const hour = Math.floor(timestamp / QUARTER_MS) * QUARTER_MS;
    const named = this.#nameOf(host);
    const key = `${hour} ${named}`;
    let counted = this.#times.get(key);
    if (counted === undefined) {
      counted = {
        hour,
        minutes: MINUTES,
        host: named,
        id: crypto.randomUUID(),
        people_pages: 0,
        people_files: 0,
        bot_pages: 0,
        bot_files: 0,
      };
      this.#times.set(key, counted);
    }
    counted[isBot ? (isFile ? 'bot_files' : 'bot_pages') : isFile ? 'people_files' : 'people_pages'] += 1;
  }

  get size(): number {
    return this.#times.size;
  }

  /** All that was counted since the last call. */
  take(): CountedTime[] {
    const all = [...this.#times.values()];
    this.#times.clear();
    this.#hosts.clear();
    return all;
  }

  #nameOf(host: string): string {
    if (this.#hosts.has(host)) return host;
    if (this.#hosts.size >= MAX_HOSTS) return '';
    this.#hosts.add(host);
    return host;
  }
}
