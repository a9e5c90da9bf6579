/**
 * Processor time of running processes by thread, from Linux's `/proc`. The engine's threads take the name of what they do at the moment, so
 * that time is read many times a second and counted for the name that a thread has then.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Seconds in user code and in the kernel. */
export interface Time {
  user: number;
  kernel: number;
}

/** How often the threads are read, in milliseconds. A short merge may be counted as what the thread did before or after. */
const INTERVAL_MS = 20;
/** `/proc` counts in hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export class ThreadTimes {
  readonly #processes: Readonly<Record<string, number>>;
  readonly #last = new Map<string, Time>();
  readonly #totals = new Map<string, Time>();
  readonly #timer: NodeJS.Timeout;

  /** @param processes name → process id */
  constructor(processes: Readonly<Record<string, number>>) {
    this.#processes = processes;
    this.#read();
    this.#totals.clear();
    this.#timer = setInterval(() => this.#read(), INTERVAL_MS);
  }

  /** Ends the reading. @returns `process thread` → time since the start */
  stop(): ReadonlyMap<string, Time> {
    clearInterval(this.#timer);
    this.#read();
    return this.#totals;
  }

  #read(): void {
    for (const [process, pid] of Object.entries(this.#processes))
      for (const thread of readdirSync(`/proc/${pid}/task`)) this.#readThread(process, pid, thread);
  }

  #readThread(process: string, pid: number, thread: string): void {
    const text = textOf(`/proc/${pid}/task/${thread}/stat`);
    if (text === null) return;
    // The name is in brackets and may contain blanks.
    const end = text.lastIndexOf(')');
    const name = text.slice(text.indexOf('(') + 1, end);
    const fields = text.slice(end + 2).split(' ');
    const now = {
      user: Number(fields[11]) / TICKS_PER_SECOND,
      kernel: Number(fields[12]) / TICKS_PER_SECOND,
    };
    const key = `${pid} ${thread}`;
    const before = this.#last.get(key) ?? { user: 0, kernel: 0 };
    this.#last.set(key, now);
    const total = this.#totals.get(`${process} ${name}`) ?? { user: 0, kernel: 0 };
    total.user += now.user - before.user;
    total.kernel += now.kernel - before.kernel;
    this.#totals.set(`${process} ${name}`, total);
  }
}

/** @returns null: the thread has ended in the meantime */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
