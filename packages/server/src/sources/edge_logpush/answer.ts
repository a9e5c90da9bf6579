/** The answer to Cloudflare: 2xx whatever was rejected, because it repeats the whole batch on anything else. */
import type { Settled, SourceAnswer } from '../source.ts';

const NO_CONTENT: SourceAnswer = { status: 204 };
const NO_OBJECTS =
  'The body has no JSON object. Send one log object per line (ndjson), or a JSON array of them.';

export function answer(settled: Settled): SourceAnswer {
  const { objects, rejected, alreadyTaken } = settled;
  if (objects > 0 && (alreadyTaken || rejected === 0)) return NO_CONTENT;
  const report = settled.report();
  // A job that sends something else altogether is to be seen at the edge as well.
  return objects === 0
    ? { problem: 'malformed_body', detail: NO_OBJECTS, errors: report.errors }
    : { status: 200, json: report };
}
