/** What the writers of the past share: whose it is, which days, and the time that it is while they write. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Loader } from '../../../service.ts';
import { type Chance, createChance } from './chance.ts';
import type { Day } from './days.ts';
import type { Whose } from './rows.ts';

export interface Past {
  readonly loader: Loader;
  readonly whose: Whose;
  readonly days: readonly Day[];
  readonly now: number;
  readonly at: Time['at'];
  /** Says how far it is. */
  readonly told: Told;
}

/** @param share of the whole past, 0 to 1  @param words what has been written */
export type Told = (share: number, words: string) => void;

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

/** A chance of each day's own: a longer past has the same last week. */
export const chanceOf = ({ ago }: Pick<Day, 'ago'>): Chance => createChance(SEED + ago);
