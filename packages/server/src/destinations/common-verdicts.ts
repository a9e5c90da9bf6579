/** What the answers of several platforms come to. */
import type { Verdict } from './port.ts';

/** A yes that names nothing, or the page of a proxy: nothing is known to be taken, and duplicates are recognised. */
export const noVerdict = (platform: string): Verdict => ({
  kind: 'retry',
  code: 'no_verdict',
  message: `${platform} answered without the outcome of the events.`,
});

/** For the good events of a request that was refused whole: nothing is wrong with them, so they need not wait. */
export const batchRefused = (platform: string): Verdict => ({
  kind: 'retry',
  code: 'batch_refused',
  message: `${platform} refused the whole request because of other events in it.`,
  afterMs: 0,
});
