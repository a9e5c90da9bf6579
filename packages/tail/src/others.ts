/** All other traffic, as numbers: how many requests of an hour were people's, and how many those of other programs. Nothing else of it leaves. */
import { HOUR_MS } from '@ghostlight/core/time';
import type { Other } from './judge.ts';

/** Hours and hosts that one batch counts apart. */
export const MAX_COUNTED = 500;
/** Any client can send any host: requests for more than these count for the host "". */
const MAX_HOSTS = 50;

export interface CountedHour {
  /** Epoch milliseconds at which it begins. */
  readonly hour: number;
  readonly host: string;
  people_pages: number;
  people_files: number;
  bot_pages: number;
  bot_files: number;
}

export class Others {
  readonly #hours = new Map<string, CountedHour>();
  readonly #hosts = new Set<string>();

  add(timestamp: number, host: string, { isBot, isFile }: Other): void {
    const hour = Math.floor(timestamp / HOUR_MS) * HOUR_MS;
    const named = this.#nameOf(host);
    const key = `${hour} ${named}`;
    let counted = this.#hours.get(key);
    if (counted === undefined) {
      counted = { hour, host: named, people_pages: 0, people_files: 0, bot_pages: 0, bot_files: 0 };
      this.#hours.set(key, counted);
    }
    counted[isBot ? (isFile ? 'bot_files' : 'bot_pages') : isFile ? 'people_files' : 'people_pages'] += 1;
  }

  get size(): number {
    return this.#hours.size;
  }

  /** All that was counted since the last call. */
  take(): CountedHour[] {
    const all = [...this.#hours.values()];
    this.#hours.clear();
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
