/** What can be said of a tool's JSON Schema without an engine; whether it compiles, the publisher's engine says. */

import { isJsonObject, quote, utf8Length } from '../json.ts';
import type { Path, Report } from '../problems.ts';
import { canonicalize } from './canonical.ts';
import { MANIFEST_LIMITS } from './manifest.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** @param schema meets the profile (`checkProfile`), so that it has a canonical form */
export function checkSchema(schema: unknown, path: Path, report: Report): void {
  if (!isJsonObject(schema)) {
    report(path, 'Must be a JSON Schema: an object.');
    return;
  }
  if (schema['type'] !== 'object')
    report([...path, 'type'], 'The root of the schema must say "type": "object".');
  if (schema['$schema'] !== undefined && schema['$schema'] !== DIALECT)
    report([...path, '$schema'], `Must be ${DIALECT}, or absent.`);
  if (utf8Length(canonicalize(schema)) > MANIFEST_LIMITS.schemaBytes)
    report(path, `Must be at most ${MANIFEST_LIMITS.schemaBytes / 1024} KiB.`);
  checkPart(schema, 1, path, report);
}

function checkPart(part: unknown, depth: number, path: Path, report: Report): void {
  if (typeof part !== 'object' || part === null) return;
  if (depth > MANIFEST_LIMITS.schemaDepth) {
    report(path, `The schema must not be nested more than ${MANIFEST_LIMITS.schemaDepth} deep.`);
    return;
  }
  for (const [name, member] of Object.entries(part)) {
    const place = [...path, Array.isArray(part) ? Number(name) : name];
    // An agent that followed a URL here would fetch whatever the publisher of the schema names.
    const isReference = name === '$ref' || name === '$dynamicRef';
    if (isReference && typeof member === 'string' && !member.startsWith('#'))
      report(place, `References must be local ("#/$defs/…"), not ${quote(member)}.`);
    checkPart(member, depth + 1, place, report);
  }
}
