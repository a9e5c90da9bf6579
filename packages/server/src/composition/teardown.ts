/** The stop order of the service: steps are added as things are made and run backwards, at the stop or when the start fails half-way. */
import type { Log } from '../common/index.ts';

type Step = (remainingMs: number) => Promise<void> | void;

/** A whole stop takes at most this and what the steps after it get: below the 30 s after which supervisors commonly kill. Milliseconds. */
const STOP_DEADLINE_MS = 20_000;
/** What a step gets when the time is over: enough to close a file. Milliseconds. */
const LAST_MS = 300;

export class Teardown {
  readonly #steps: { name: string; run: Step }[] = [];
  readonly #deadlineMs: number;
  readonly #lastMs: number;

  constructor(deadlineMs = STOP_DEADLINE_MS, lastMs = LAST_MS) {
    this.#deadlineMs = deadlineMs;
    this.#lastMs = lastMs;
  }

  /** @param run gets the milliseconds that are left to it; what takes longer is left behind, and the next step runs */
  add(name: string, run: Step): void {
    this.#steps.push({ name, run });
  }

  /** A step that fails or takes too long is logged and does not keep the others from running. */
  async run(log: Log): Promise<void> {
    const end = performance.now() + this.#deadlineMs;
    for (const { name, run } of this.#steps.splice(0).reverse()) {
      const remaining = Math.max(this.#lastMs, end - performance.now());
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), remaining);
      });
      try {
        const ended = await Promise.race([Promise.resolve(run(remaining)), late]);
        if (ended === 'late')
          log.warn({ step: name }, 'a step of the stop took too long and was left behind');
      } catch (error) {
        log.error({ err: error, step: name }, 'a step of the stop failed');
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
