/** The stop order of the service: steps are added as things are made and run backwards, at the stop or when the start fails half-way. */
import type { Log } from '../kit/index.ts';

export class Teardown {
  readonly #steps: { name: string; run: () => Promise<void> | void }[] = [];

  add(name: string, run: () => Promise<void> | void): void {
    this.#steps.push({ name, run });
  }

  /** A step that fails is logged and does not keep the others from running. */
  async run(log: Log): Promise<void> {
    for (const { name, run } of this.#steps.splice(0).reverse()) {
      try {
        await run();
      } catch (error) {
        log.error({ err: error, step: name }, 'a step of the stop failed');
      }
    }
  }
}
