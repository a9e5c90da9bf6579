/** Tests that fill in "today" and look at it a minute later need that to be one day. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@ghostlight/core/time';

/** As long as the slowest such file takes on a busy machine, twice. */
const MARGIN_MS = 5 * 60_000;

/** Epoch milliseconds with enough of the UTC day left; at its end it waits for the next. */
export async function nowWithinADay(): Promise<number> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < MARGIN_MS) await sleep(left);
  return Date.now();
}
