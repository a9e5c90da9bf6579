/** Sends what waits before the process ends, within a bound. */

/** How long a process that ends waits for the service. */
const GRACE_MS = 3_000;
const OURS = Symbol.for('ghostlight.flush');

type Listener = ((...values: unknown[]) => void) & { [OURS]?: true };

/** What is used of Node's `process`; other runtimes have none, or less of it. */
interface ProcessLike {
  readonly pid: number;
  prependListener(event: string, listener: Listener): unknown;
  removeListener(event: string, listener: Listener): unknown;
  listeners(event: string): Listener[];
  kill(pid: number, signal: string): unknown;
}

/** @param flush sends what waits; never rejects @returns what takes the listeners back */
export function flushOnExit(
  flush: (timeoutMs: number) => Promise<void>,
  isIdle: () => boolean,
  process: ProcessLike | null = processOf(),
): () => void {
  if (process === null) return () => {};
  let tried = false;
  const beforeExit: Listener = () => {
    // Work that begins here makes the event come again: what could not be sent once is given up.
    if (tried || isIdle()) return;
    tried = true;
    void flush(GRACE_MS).then(() => {
      tried = !isIdle();
    });
  };
  const terminate: Listener = () => {
    // First of all listeners, so those that listen once are still there.
    const isAlone = process.listeners('SIGTERM').every((listener) => listener[OURS] === true);
    void flush(GRACE_MS).then(() => {
      remove();
      // By listening we took the signal's own effect away. Of several instances the last one gives it back; the application's own
      // listener decides itself when to end.
      if (isAlone && process.listeners('SIGTERM').length === 0) process.kill(process.pid, 'SIGTERM');
    });
  };
  terminate[OURS] = true;
  process.prependListener('beforeExit', beforeExit);
  process.prependListener('SIGTERM', terminate);
  const remove = (): void => {
    process.removeListener('beforeExit', beforeExit);
    process.removeListener('SIGTERM', terminate);
  };
  return remove;
}

function processOf(): ProcessLike | null {
  // Not by its name: Next warns about code that could run at the edge and names it.
  const { process } = globalThis as { process?: Partial<ProcessLike> };
  return typeof process?.prependListener === 'function' && typeof process.kill === 'function'
    ? (process as ProcessLike)
    : null;
}
