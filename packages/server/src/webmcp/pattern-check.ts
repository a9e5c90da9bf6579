/** Whether a regular expression can be made to backtrack without bound: a validator would hang on it. */
import { isSafePattern } from 'redos-detector';
import type { Watchdog } from './watchdog.ts';

const MAX_LENGTH = 500;
/** Sound patterns take 1 to 50 ms, a host name's 130 (measured); the bound in steps holds on a machine of any speed. */
const MAX_STEPS = 5_000;
const ANALYSIS_MS = 400;
/** Verdicts that are remembered: the editor asks for a check after every pause. */
const MAX_REMEMBERED = 500;

/** A sentence about what is wrong with the pattern; null: nothing. */
export type PatternCheck = (pattern: string) => string | null;

export function createPatternCheck(watchdog: Watchdog): PatternCheck {
  const known = new Map<string, string | null>();
  return (pattern) => {
    const remembered = known.get(pattern);
    if (remembered !== undefined) return remembered;
    const verdict = judge(pattern, watchdog);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(pattern, verdict);
    return verdict;
  };
}

function judge(pattern: string, watchdog: Watchdog): string | null {
  if (pattern.length > MAX_LENGTH) return `The pattern is longer than ${MAX_LENGTH} characters; shorten it.`;
  try {
    // As JSON Schema asks, and as ajv compiles it.
    new RegExp(pattern, 'u');
  } catch {
    return 'This is not a regular expression of ECMAScript with the flag u.';
  }
  try {
    const { safe, error } = watchdog(
      // Its own clock would count time in which others had the CPU.
      () => isSafePattern(pattern, { unicode: true, maxSteps: MAX_STEPS, timeout: Number.POSITIVE_INFINITY }),
      ANALYSIS_MS,
    );
    if (safe) return null;
    return error === 'hitMaxScore'
      ? 'The pattern can backtrack without bound (ReDoS): let no two neighbouring repetitions match the same characters, or bound them with {1,64}.'
      : UNANALYSED;
  } catch {
    return UNANALYSED;
  }
}

const UNANALYSED =
  'The pattern is too complex to rule out endless backtracking; make it simpler, or use maxLength, enum or format instead.';
