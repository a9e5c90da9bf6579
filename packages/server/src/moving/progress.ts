/** What a person sees while a move runs: where it is, how fast it is, and how long it will take. */
import { count, counted, type Noun } from '../common/index.ts';

const EVERY_MS = 2_000;
const ROWS: Noun = ['row', 'rows'];

export interface Progress {
  /** A step begins: what it does, in words, and its rows, of all tables. */
  begin(kind: 'copy' | 'compare', step: string, rows: number): void;
  /** Rows that are done, and where. */
  done(where: string, rows: number): void;
  /** A sentence, at once. */
  say(line: string): void;
  /** Rows of the copying step that were written by this run, and its seconds. */
  rate(): { readonly rows: number; readonly seconds: number };
}

/** @param now milliseconds that only grow */
export function createProgress(print: (line: string) => void, now = () => performance.now()): Progress {
  let step = '';
  let isCopying = false;
  let all = 0;
  let ready = 0;
  let begun = now();
  let said = now();
  /** Of this step, as of the last row. */
  let ms = 0;
  const copied = { rows: 0, ms: 0 };
  return {
    begin(kind, name, rows) {
      isCopying = kind === 'copy';
      [step, all, ready, begun, said, ms] = [name, rows, 0, now(), now(), 0];
      print(`${step}: ${counted(rows, ROWS)}.`);
    },
    done(where, rows) {
      const at = now();
      ready += rows;
      if (isCopying) {
        copied.rows += rows;
        copied.ms += at - begun - ms;
        ms = at - begun;
      }
      if (at - said < EVERY_MS) return;
      said = at;
      const perSecond = ready / Math.max(0.001, (at - begun) / 1_000);
      const left = (all - ready) / Math.max(1, perSecond);
      print(
        `  ${where}: ${count(ready)} of ${counted(all, ROWS)}, ${counted(perSecond, ROWS)} a second, ${duration(left)} left`,
      );
    },
    say: print,
    rate: () => ({ rows: copied.rows, seconds: copied.ms / 1_000 }),
  };
}

function duration(seconds: number): string {
  if (seconds < 90) return counted(Math.max(0, seconds), ['second', 'seconds']);
  if (seconds < 5_400) return counted(seconds / 60, ['minute', 'minutes']);
  return `${(seconds / 3_600).toFixed(1)} hours`;
}
