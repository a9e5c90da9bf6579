/** Which touch a conversion is attributed to. Decided once, when it happens, and frozen with it. */
import { MINUTE_MS } from '../time.ts';
import type { Touch } from './touch.ts';

export const LOOKBACK_DAYS = { least: 1, default: 30, most: 90 } as const;

/** The webhook's clock and ours may differ: a touch this much after the conversion still counts as before it. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** GA4's "last click": the last touch that is not direct. */
export const ATTRIBUTION_MODEL = 'last_click';

export interface Attribution {
  /** null: nothing in the window. A direct touch wins where nothing else is there: matched, but by no campaign. */
  readonly winner: Touch | null;
  /** Everything in the window, oldest first: what other models divide the credit among. */
  readonly window: readonly Touch[];
  readonly model: typeof ATTRIBUTION_MODEL;
}

/**
 * The latest touch in the window that is not direct, else the latest. A refund is not attributed: it inherits from
 * its purchase, whatever its age.
 *
 * @param touches of one visitor, in any order
 * @param at when it happened, epoch milliseconds
 * @param lookbackMs measured from the touch, to the second: one of exactly this age is inside
 */
export function attribute(touches: readonly Touch[], at: number, lookbackMs: number): Attribution {
  const window = inOrder(touches.filter((touch) => isInWindow(touch.at, at, lookbackMs)));
  const winner = window.findLast(({ channel }) => channel !== 'direct') ?? window.at(-1) ?? null;
  return { winner, window, model: ATTRIBUTION_MODEL };
}

/** In whole seconds, since that is what senders write. */
export function isInWindow(touchAt: number, at: number, lookbackMs: number): boolean {
  const second = Math.floor(touchAt / 1000);
  return second >= Math.floor((at - lookbackMs) / 1000) && second <= Math.floor((at + CLOCK_SKEW_MS) / 1000);
}

/** By time, then by id, each once: the same for every node that reads the same rows. */
export function inOrder<Timed extends { readonly id: string; readonly at: number }>(
  touches: readonly Timed[],
): readonly Timed[] {
  const sorted = [...touches].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const seen = new Set<string>();
  return sorted.filter(({ id }) => !seen.has(id) && seen.add(id));
}
