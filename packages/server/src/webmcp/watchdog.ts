/** Ends work that takes too long, wherever it is: in a loop, in a recursion, inside a regular expression. */
import { createContext, Script } from 'node:vm';

export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`Stopped after ${ms} ms`);
    this.name = 'TookTooLong';
  }
}

/** @param work may be started again @throws TookTooLong */
export type Watchdog = <T>(work: () => T, ms: number) => T;

const MAX_ATTEMPTS = 4;

/** CPU time of this thread, in milliseconds: on a busy machine a second of the clock may be a moment of work. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * An untrusted schema may take for ever to compile or to check against: references that double at every step, a pattern that
 * backtracks. V8 ends a script at its deadline, and with it whatever it has called (measured: 100 ms asked, 102 ms taken, in all three
 * cases). The work blocks this thread meanwhile, so give little. The deadline is the clock's; work that was kept from the CPU for
 * most of it starts again.
 */
export function createWatchdog(): Watchdog {
  const context = createContext({ work: undefined as (() => unknown) | undefined });
  const script = new Script('work()');
  const once = <T>(work: () => T, ms: number): T => {
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
  return (work, ms) => {
    for (let attempt = 1; ; attempt += 1) {
      const before = threadMs();
      try {
        return once(work, ms);
      } catch (error) {
        const kept = threadMs() - before < ms / 2;
        if (!(error instanceof TookTooLong && kept && attempt < MAX_ATTEMPTS)) throw error;
      }
    }
  };
}
