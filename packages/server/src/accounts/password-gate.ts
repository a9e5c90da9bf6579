/**
 * Few passwords are hashed at a time. scrypt (16 MiB, 0.09 s) leaves the event loop alone, but takes a thread of libuv's pool of four, which file reads
 * and name look-ups share: with thirty sign-ins at once a file read took 6.7 s without this gate, and 0.5 ms with it, on a busy machine.
 */
import { ServiceError } from '../common/index.ts';

/** Half of the pool. */
const RUNNING = 2;
/** About two seconds of waiting at 100 ms each; later ones get 503 with Retry-After. */
const WAITING = 32;

export type PasswordGate = <T>(work: () => Promise<T>) => Promise<T>;

export function createPasswordGate(): PasswordGate {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < RUNNING) running += 1;
    else if (waiting.length < WAITING) await new Promise<void>((resolve) => waiting.push(resolve));
    else {
      throw new ServiceError('unavailable', 'Too many people are signing in right now; try again shortly.', {
        headers: { 'Retry-After': '2' },
      });
    }
    try {
      return await work();
    } finally {
      // The place is handed over: `running` stays as it is.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
