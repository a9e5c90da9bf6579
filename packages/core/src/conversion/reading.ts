/** The frame of every reader: an object in, an event or everything that is wrong with it out. */
import { isJsonObject } from '../json.ts';
import { createProblems } from '../problems.ts';
import { CONVERSION_LIMITS, type Reading } from './event.ts';
import { createExtraKeeper } from './extra.ts';
import { Fields } from './fields.ts';

/**
 * @param noObject a sentence for what is no object at all
 * @param vital members that refuse the event when they can't be used; whatever else can't be used is left out with a warning
 * @param read takes what it wants; whatever it returns counts only if it reported no error
 */
export function readObject<Event>(
  value: unknown,
  noObject: string,
  vital: readonly string[],
  read: (fields: Fields) => Event,
): Reading<Event> {
  const errors = createProblems(CONVERSION_LIMITS.problems);
  const warnings = createProblems(CONVERSION_LIMITS.problems);
  if (!isJsonObject(value)) return { errors: [{ pointer: '', message: noObject }] };
  const findings = { error: errors.report, warn: warnings.report, extra: createExtraKeeper(), vital };
  const event = read(new Fields(value, [], findings));
  return errors.problems.length > 0 ? { errors: errors.problems } : { event, warnings: warnings.problems };
}
