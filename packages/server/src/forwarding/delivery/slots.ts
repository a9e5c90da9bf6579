/**
 * How many destinations are served at a time, in turns: each asks for a slot per request, and goes to the end of the line for the next.
 * Those that failed last time have a line of their own, so that a hundred dead ones, each waiting for its time-out, delay none that answers.
 */
export interface Slots {
  /** Waits for its turn. @returns gives the slot back */
  take(isAiling: boolean): Promise<() => void>;
}

const WELL = 24;
const AILING = 8;

export function createSlots(): Slots {
  const well = line(WELL);
  const ailing = line(AILING);
  return { take: (isAiling) => (isAiling ? ailing : well)() };
}

/** The line is bounded by the destinations that are due, some hundreds. */
function line(free: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let left = free;
  const give = (): void => {
    const next = waiting.shift();
    // The slot is handed over: `left` stays as it is.
    if (next === undefined) left += 1;
    else next();
  };
  return async () => {
    if (left > 0) left -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return give;
  };
}
