/** What the writers of the past share: whose it is, which days, and the time that it is while they write. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Loader } from '../../../service.ts';
import type { Day } from './days.ts';
import type { Whose } from './rows.ts';

export interface Past {
  readonly loader: Loader;
  readonly whose: Whose;
  readonly days: readonly Day[];
  readonly now: number;
  readonly at: Time['at'];
  readonly print: (line: string) => void;
}

export interface Time {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Runs something at a moment, whatever runs at another one meanwhile. */
  at<T>(moment: number, run: () => Promise<T>): Promise<T>;
}

/** @param now of what runs at no moment of its own */
export function createTime(now: number): Time {
  const moments = new AsyncLocalStorage<number>();
  return {
    clock: () => moments.getStore() ?? now,
    at: (moment, run) => moments.run(moment, run),
  };
}

export const SEED = 20_261_121;
