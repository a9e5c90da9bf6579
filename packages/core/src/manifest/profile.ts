/**
 * The manifest's profile on a value that is already parsed: what the strict reader demands of a text. A body that meets it has the
 * same canonical bytes in every language, without a library.
 */
import { isAsciiName, isJsonObject, quote } from '../json.ts';
import type { Path, Report } from '../problems.ts';
import { MANIFEST_LIMITS } from './manifest.ts';

/** Reports each place that could be read in two ways. */
export function checkProfile(value: unknown, path: Path, report: Report): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') {
    if (!value.isWellFormed()) report(path, 'Holds half of a surrogate pair, which UTF-8 cannot write.');
    // jq escapes DEL, RFC 8785 doesn't: a shell would compute other bytes.
    if (value.includes('\u007f'))
      report(path, 'Holds the control character U+007F, which tools write differently.');
    return;
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value))
      report(path, 'Numbers must be integers of at most 2^53 - 1, which every language holds exactly.');
    return;
  }
  if (path.length >= MANIFEST_LIMITS.depth) {
    report([], `Nested more than ${MANIFEST_LIMITS.depth} deep.`);
    return;
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) checkProfile(value[index], [...path, index], report);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (!isAsciiName(name)) report(path, `The member name ${quote(name)} must be printable ASCII.`);
      checkProfile(member, [...path, name], report);
    }
  } else {
    report(path, 'Only null, booleans, numbers, strings, arrays and plain objects are JSON.');
  }
}
