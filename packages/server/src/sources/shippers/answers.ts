/** Answers to senders that only read the status: 2xx is accepted, 4xx is lost permanently, 5xx and 429 are repeated. */
import type { Settled, SourceAnswer } from '../source.ts';

const NO_CONTENT: SourceAnswer = { status: 204 };
const NOTHING_READ = 'Nothing in the body could be read. Its first errors are listed.';

/** A body of which nothing could be read is refused, so that its sender's own log shows it; for any other the answer lists the rejected part. */
export function answer(settled: Settled): SourceAnswer {
  const { received, objects, rejected, alreadyTaken } = settled;
  if (received === 0 || (objects > 0 && (alreadyTaken || rejected === 0))) return NO_CONTENT;
  const report = settled.report();
  return objects === 0
    ? { problem: 'malformed_body', detail: NOTHING_READ, errors: report.errors }
    : { status: 200, json: report };
}

/** Of senders that try an endpoint with a sample of their own, and give it up when that is refused. */
export function lenientAnswer(settled: Settled): SourceAnswer {
  if (settled.alreadyTaken || settled.rejected === 0) return NO_CONTENT;
  return { status: 200, json: settled.report() };
}

/** A body in which nothing stands, by which an endpoint is tried. */
export const isEmpty = (body: Buffer): boolean => {
  const text = body.toString().trim();
  return text === '' || text === '[]' || text === '{}';
};
