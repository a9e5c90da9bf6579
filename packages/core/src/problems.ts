/** A list of what is wrong with a value, bounded, each with its place. */
import { pointerOf } from './json.ts';

export interface Problem {
  /** JSON pointer (RFC 6901); empty for the whole value. */
  readonly pointer: string;
  /** One sentence that says what to write instead. */
  readonly message: string;
}

export type Path = readonly (string | number)[];
export type Report = (path: Path, message: string) => void;

/** More can't be fixed at a time, and a hostile value must not cause a huge answer. */
const MAX_PROBLEMS = 20;

/** @returns a report function and the list that it fills, up to `max` */
export function createProblems(max = MAX_PROBLEMS): {
  readonly problems: readonly Problem[];
  readonly report: Report;
} {
  const problems: Problem[] = [];
  return {
    problems,
    report(path, message) {
      if (problems.length < max) problems.push({ pointer: pointerOf(path), message });
    },
  };
}
