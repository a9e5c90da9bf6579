/** What a collector is answered: a request of which nothing could be taken is refused, so that its owner sees it. */
import type { Settled, SourceAnswer } from '../source.ts';

const NO_CONTENT: SourceAnswer = { status: 204 };

export function answer(settled: Settled): SourceAnswer {
  const { received, rejected } = settled;
  if (rejected === 0) return NO_CONTENT;
  const report = settled.report();
  if (rejected < received) return { status: 200, json: report };
  const detail = `None of the ${rejected} element(s) was accepted; the first are listed in errors.`;
  return { problem: 'invalid', detail, errors: report.errors };
}
