/** What a collector is answered: a request of which nothing could be taken is refused, so that its owner sees it. */
import { count } from '../../common/index.ts';
import type { Settled, SourceAnswer } from '../source.ts';

const NO_CONTENT: SourceAnswer = { status: 204 };

export function answer(settled: Settled): SourceAnswer {
  const { received, rejected } = settled;
  if (rejected === 0) return NO_CONTENT;
  const report = settled.report();
  if (rejected < received) return { status: 200, json: report };
  const detail =
    rejected === 1
      ? 'The hit was not accepted; errors says why.'
      : `None of the ${count(rejected)} hits was accepted; errors lists the first ones.`;
  return { problem: 'invalid', detail, errors: report.errors };
}
